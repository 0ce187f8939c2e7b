/** A page to be read: as visitors see it, with its outline, comments and what links here beside it. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Copy, ExternalLink, FileDown, FileText, GitPullRequest, History, MoreHorizontal, Pencil, SearchX } from "lucide-react";
import { useCallback, useEffect, useState } from "react";
import { Link, useLocation } from "wouter";
import type { At } from "../../api/addresses";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { backlinks, createChangeRequest, find, flat, html, type Page, pages, publish } from "../../api/content";
import { LIVE } from "../../api/live";
import { organization, sites, type Space } from "../../api/queries";
import { useActions } from "../../parts/actions";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button, ButtonLink } from "../../parts/button";
import { emoji } from "../../parts/emoji";
import { Empty } from "../../parts/empty";
import { Menu } from "../../parts/menu";
import { type Block, nodesOf } from "../../parts/nodes";
import { Notice } from "../../parts/notice";
import { PageFrame } from "../../parts/page-frame";
import { Head } from "../../parts/shell";
import { toast } from "../../parts/toast";
import { Waiting } from "../../parts/waiting";
import { Noted } from "./noted";
import { Pdf } from "./pdf";
import { Present } from "./present";
import { Threads } from "./threads";
import "./space.css";

const AHEAD = 60_000;

export function Read({ at, space, path }: { at: At; space: Space; path: string }) {
  const asked = useQuery(pages(at));
  return (
    <div className="inner">
      {at.revision && (
        <Notice action={<ButtonLink small href={addresses.space(at.org, at.space)}>Go to the newest</ButtonLink>}>You look at an old revision. It stays as it was.</Notice>
      )}
      {at.request !== undefined && (
        <Notice action={<ButtonLink small href={addresses.request(at.org, at.space, at.request)}>Overview</ButtonLink>}>
          This is the page as change request #{at.request} has it. Readers see it once it is merged.
        </Notice>
      )}
      <Asked of={asked} say={sentence}>
        {(list) => {
          const found = find(list, path);
          if (found)
            return (
              <>
                {at.request === undefined && !at.revision && <Unpublished at={at} space={space} />}
                <One at={at} space={space} page={found.page} above={found.above} list={list} />
              </>
            );
          if (path) return <NoPage to={addresses.place(at)} />;
          return <First at={at} space={space} />;
        }}
      </Asked>
    </div>
  );
}

export function NoPage({ to }: { to: string }) {
  return <Empty icon={<SearchX />} title="There is no such page" action={<ButtonLink href={to}>Go to the first page</ButtonLink>}>It was moved, renamed or deleted. Search finds it by its words.</Empty>;
}

function One({ at, space, page, above, list }: { at: At; space: Space; page: Page; above: Page[]; list: Page[] }) {
  const [, go] = useLocation();
  const [anchor, setAnchor] = useState<{ id: string }>();
  const shows = page.type === "document" || page.type === "computed";
  const asked = useQuery({ ...html(at, page.id), enabled: shows });
  useNeighbours(at, list, page.id);
  const [text, setText] = useState<{ content: HTMLElement | null; blocks: Block[] }>({ content: null, blocks: [] });
  const mark = useCallback((content: HTMLElement) => setText({ content, blocks: nodesOf(content) }), []);
  const [open, setOpen] = useState<string>();
  const arrived = asked.data !== undefined;
  useEffect(() => {
    document.title = `${page.title} · ${space.title} · Octavo`;
  }, [page.title, space.title]);
  // An anchor of the address is shown once the text is there; another page begins at its top.
  useEffect(() => {
    const named = addresses.read(location.hash.slice(1)) ?? "";
    if (!arrived) return;
    const later = named ? setTimeout(() => setAnchor({ id: named }), 100) : 0;
    return () => clearTimeout(later);
  }, [page.id, arrived]);
  useEffect(() => {
    setAnchor(undefined);
    setOpen(undefined);
    if (!location.hash) scrollTo(0, 0);
  }, [page.id]);
  const follow = (address: string) => {
    const to = addresses.local(address);
    if (to) go(to);
    return to !== null;
  };
  const updated = "updatedAt" in page ? page.updatedAt : undefined;
  const description = "description" in page ? page.description : undefined;
  const wide = "layout" in page && page.layout.width === "wide";
  return (
    <div className="reading">
      <article className="reading-page">
        <Head
          above={above.length > 0 ? <nav aria-label="Above this page">{above.map((one) => one.title).join(" › ")}</nav> : null}
          lead={"emoji" in page && page.emoji ? emoji(page.emoji) : undefined}
          title={page.title || "Untitled"}
          note={
            <>
              {description && <span>{description}</span>}
              {updated && <span>Changed <Ago at={updated} /></span>}
              {"hidden" in page && page.hidden && <Badge>Hidden</Badge>}
            </>
          }
          actions={<Doing at={at} space={space} page={page} />}
        />
        {shows && asked.error && (
          <Asked of={asked} say={sentence}>{() => null}</Asked>
        )}
        {shows && (
          // The frame stays while another page comes: it is one document, whose body changes.
          <div hidden={!asked.data?.html}>
            <div className="noted-page">
              <PageFrame title={page.title} html={asked.data?.html ?? ""} wide={wide} onLink={follow} anchor={anchor} mark={mark} />
              {!at.revision && <Noted key={page.id} at={at} space={space} page={page.id} content={text.content} blocks={text.blocks} open={open} onOpen={setOpen} />}
            </div>
          </div>
        )}
        {shows && asked.data && !asked.data.html && <p className="note">This page is empty.</p>}
        {!shows && <p className="note">{page.type === "link" ? "A link in the table of contents." : "A group of pages. Choose one at the side."}</p>}
        {shows && !asked.data && !asked.error && <Waiting />}
      </article>
      <aside className="reading-side" aria-label="About this page">
        {asked.data && asked.data.outline.length > 1 && (
          <nav className="outline" aria-label="On this page">
            <h2>On this page</h2>
            <ul className="plain">
              {asked.data.outline.map((one) => (
                <li key={one.id} className={`outline-${one.level}`}>
                  <a
                    href={`#${one.id}`}
                    onClick={(event) => {
                      event.preventDefault();
                      history.replaceState(history.state, "", `#${one.id}`);
                      setAnchor({ id: one.id });
                    }}
                  >
                    {one.title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
        {!at.revision && (
          <section>
            <h2>Comments</h2>
            <Threads key={page.id} at={at} space={space} page={page.id} onNode={(key) => text.blocks.some((one) => one.key === key) && setOpen(key)} />
          </section>
        )}
        {at.request === undefined && !at.revision && <Backlinks at={at} page={page.id} />}
      </aside>
    </div>
  );
}

/** The pages before and behind this one are asked for while nothing else is done: they are there when somebody goes on. */
function useNeighbours(at: At, list: Page[], id: string) {
  const queries = useQueryClient();
  const root = addresses.place(at);
  useEffect(() => {
    const known = flat(list).filter(({ page }) => page.type === "document");
    const here = known.findIndex(({ page }) => page.id === id);
    const later = setTimeout(() => {
      for (const next of [known[here + 1], known[here - 1]]) if (next) void queries.prefetchQuery({ ...html(at, next.page.id), staleTime: AHEAD });
    }, 300);
    return () => clearTimeout(later);
  }, [queries, list, id, root]);
}

function Doing({ at, space, page }: { at: At; space: Space; page: Page }) {
  const [, go] = useLocation();
  const begin = useMutation({
    mutationFn: () => createChangeRequest(at.space, `Edit ${page.title}`.slice(0, 200)),
    onSuccess: (made) => go(`${addresses.request(at.org, at.space, made.number)}/~/edit/${page.id}`),
    onError: (error) => toast(sentence(error), { tone: "danger" }),
  });
  const address = location.origin + addresses.page(at, "path" in page && page.path ? page.path : page.id);
  const copy = () => navigator.clipboard.writeText(address).then(() => toast("The address is copied"), () => toast(address));
  const public_ = space.urls.published;
  const [pdf, setPdf] = useState<"page" | "space" | null>(null);
  const edits = page.type === "document" && !at.revision && space.permissions.edit;
  const live = at.request === undefined && space.editMode === "live";
  const propose = at.request === undefined && !live;
  const editor = addresses.write(at.org, at.space, at.request ?? LIVE, page.id);
  const onPage = page.type === "document" && at.request === undefined;
  useActions([
    edits && { id: "edit", words: "Edit this page", act: () => (propose ? begin.mutate() : go(editor)) },
    { id: "copy", words: "Copy the address of this page", act: () => void copy() },
    onPage && !at.revision && { id: "history", words: "History of this page", act: () => go(`${addresses.space(at.org, at.space)}/~/history/${page.id}`) },
    !at.revision && { id: "pdf", words: "PDF of this page", act: () => setPdf("page") },
  ]);
  return (
    <>
      {!at.revision && <Present at={at} page={page.id} />}
      {edits &&
        (propose ? (
          <Button look="primary" icon={<Pencil />} isPending={begin.isPending} onPress={() => begin.mutate()}>Edit</Button>
        ) : (
          <ButtonLink look="primary" icon={<Pencil />} href={editor}>Edit</ButtonLink>
        ))}
      <Menu
        label="More"
        button={<Button aria-label="More" icon={<MoreHorizontal />} />}
        choices={[
          ...(at.revision ? [] : [{ id: "pdf", words: "PDF of this page", icon: <FileDown />, act: () => setPdf("page") }, { id: "pdf-all", words: "PDF of the space", icon: <FileDown />, act: () => setPdf("space") }]),
          ...(edits && live ? [{ id: "propose", words: "Edit in a change request", note: "Readers see it once it is merged", icon: <GitPullRequest />, act: () => begin.mutate() }] : []),
          { id: "copy", words: "Copy the address", icon: <Copy />, act: () => void copy() },
          ...(page.type === "document" && at.request === undefined ? [{ id: "history", words: "History of this page", icon: <History />, act: () => go(`${addresses.space(at.org, at.space)}/~/history/${page.id}`) }] : []),
          ...(public_ && page.type === "document" && at.request === undefined && !at.revision
            ? [{ id: "public", words: "See it on the site", icon: <ExternalLink />, act: () => void open(public_ + page.path, "_blank", "noopener") }]
            : []),
        ]}
      />
      <Pdf at={at} page={pdf === "page" ? page.id : undefined} title={pdf === "page" ? page.title : space.title || "the space"} open={pdf !== null} onClose={() => setPdf(null)} />
    </>
  );
}

function Backlinks({ at, page }: { at: At; page: string }) {
  const found = useQuery(backlinks(at, page)).data;
  const from = (found?.items ?? []).flatMap((one) => (one.page && one.space ? [{ space: one.space, page: one.page }] : []));
  if (from.length === 0) return null;
  return (
    <section>
      <h2>What links here</h2>
      <ul className="plain linked">
        {from.map(({ space, page: one }) => (
          <li key={`${space.id} ${one.id}`}>
            <Link className="link" href={addresses.page({ org: at.org, space: space.id }, one.path || one.id)}>{one.title}</Link>
            {space.id !== at.space && <span className="note"> in {space.title}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The last step of the first person: nobody sees a space that no site shows. Offered as long as the organization has no site. */
function Unpublished({ at, space }: { at: At; space: Space }) {
  const queries = useQueryClient();
  const may = useQuery(organization(at.org)).data?.permissions.createContent;
  const known = useQuery({ ...sites(at.org), enabled: Boolean(may) && !space.urls.published }).data;
  const go = useMutation({
    mutationFn: () => publish(at.org, at.space, space.title || "Documentation"),
    onSuccess: async () => {
      toast("It is published");
      await queries.invalidateQueries();
    },
    onError: (error) => toast(sentence(error), { tone: "danger" }),
  });
  if (!may || space.urls.published || !known || known.length > 0) return null;
  return (
    <Notice action={<Button small look="primary" isPending={go.isPending} onPress={() => go.mutate()}>Publish</Button>}>
      Only members see this space. Publish it as a site, and everybody can read it.
    </Notice>
  );
}

/** A space without a page: its first one is begun in a change request. */
function First({ at, space }: { at: At; space: Space }) {
  const live = space.editMode === "live";
  const [, go] = useLocation();
  const begin = useMutation({
    mutationFn: () => createChangeRequest(at.space, "First page"),
    onSuccess: (made) => go(`${addresses.request(at.org, at.space, made.number)}/~/new`),
    onError: (error) => toast(sentence(error), { tone: "danger" }),
  });
  return (
    <Empty
      icon={<FileText />}
      title="No page yet"
      action={
        space.permissions.edit &&
        at.request === undefined &&
        (live ? (
          <ButtonLink look="primary" icon={<Pencil />} href={`${addresses.space(at.org, at.space)}/~/new`}>Write the first page</ButtonLink>
        ) : (
          <Button look="primary" icon={<Pencil />} isPending={begin.isPending} onPress={() => begin.mutate()}>Write the first page</Button>
        ))
      }
    >
      {live ? "What is written here is what readers see." : "Pages are written in a change request, and are there for everybody once it is merged."}
    </Empty>
  );
}
