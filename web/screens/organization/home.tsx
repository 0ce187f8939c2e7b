/** The home of an organization, or of one of its collections: its spaces and sites, what changed lately, what waits for who looks. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { BookOpen, FolderInput, Globe, Plus, SearchX, Sparkles } from "lucide-react";
import { Suspense, useEffect, useMemo, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import * as addresses from "../../api/addresses";
import { api, must, sentence } from "../../api/client";
import { collections, me, notifications, organization, requests, type Site, sites, type Space, spaces } from "../../api/queries";
import { only } from "../../api/refused";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button, ButtonLink } from "../../parts/button";
import { Actions, Dialog } from "../../parts/dialog";
import { emoji } from "../../parts/emoji";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { keepLast } from "../../parts/last";
import { Entry, List } from "../../parts/list";
import { RequestEntry } from "../../parts/request-entry";
import { Help } from "../../parts/help";
import { screen } from "../../parts/screen";
import { Head, Section, Shell } from "../../parts/shell";
import { NoticeEntry } from "./notice-entry";
import { Side } from "./side";

const LATELY = 6;
/** Loaded when somebody asks for it: most days nobody does. */
const Import = screen(() => import("./import"));

export default function Home({ org, collection }: { org: string; collection?: string }) {
  useEffect(() => keepLast(org), [org]);
  const asked = useQuery(organization(org));
  const shelves = useQuery({ ...collections(org), enabled: Boolean(collection) }).data;
  const shelf = shelves?.find((one) => one.id === collection);
  const title = collection ? (shelf?.title ?? "Collection") : (asked.data?.title ?? "Home");
  // A home without a space says how to begin, in the middle of it.
  const empty = useQuery(spaces(org)).data?.length === 0 && !collection;
  const typed = useSearch();
  const [making, setMaking] = useState(false);
  const [importing, setImporting] = useState(false);
  useEffect(() => {
    setMaking(new URLSearchParams(typed).has("new"));
    setImporting(new URLSearchParams(typed).has("import"));
  }, [typed]);
  if (collection && shelves && !shelf)
    return (
      <Shell side={<Side org={org} />} sideName="Spaces" title={title}>
        <Empty icon={<SearchX />} title="There is no such collection" action={<ButtonLink href={addresses.home(org)}>Go home</ButtonLink>}>It was deleted, or nobody has given you a role on it.</Empty>
      </Shell>
    );
  return (
    <Shell side={<Side org={org} />} sideName="Spaces" title={title}>
      <Asked of={asked} say={sentence}>
        {(one) => (
          <>
            <Head
              title={title}
              note={shelf?.description}
              actions={
                <>
                  <Help chapter="collaboration/application" />
                  {one.permissions.createContent && !empty && (
                    <>
                      <Button icon={<FolderInput />} onPress={() => setImporting(true)}>Import</Button>
                      <Button look="primary" icon={<Plus />} onPress={() => setMaking(true)}>New space</Button>
                    </>
                  )}
                </>
              }
            />
            {!collection && <Waits org={org} />}
            <Spaces org={org} collection={collection} mayCreate={one.permissions.createContent} onNew={() => setMaking(true)} onImport={() => setImporting(true)} />
            {!collection && <Sites org={org} />}
            {importing && (
              <Suspense fallback={null}>
                <Import org={org} parent={collection} open onClose={() => setImporting(false)} />
              </Suspense>
            )}
            <NewSpace org={org} parent={collection} open={making} onClose={() => setMaking(false)} />
          </>
        )}
      </Asked>
    </Shell>
  );
}

function Waits({ org }: { org: string }) {
  const user = useQuery(me).data;
  const told = useQuery(notifications("unread")).data;
  const asked = useQuery({ ...requests(org, { requestedReviewer: user?.id, status: ["open"], limit: 20 }), enabled: Boolean(user) }).data;
  const known = useQuery(spaces(org)).data;
  const titles = useMemo(() => new Map((known ?? []).map((one) => [one.id, one.title])), [known]);
  const reviews = asked?.items ?? [];
  // What asks for a review is listed as that already.
  const listed = new Set(reviews.map((one) => one.id));
  const others = (told?.items ?? []).filter((one) => one.organization === org && !(one.changeRequest && listed.has(one.changeRequest.id) && one.kind === "review-requested"));
  if (reviews.length + others.length === 0) return null;
  return (
    <Section title="Waiting for you" end={<Link className="link" href={`${addresses.home(org)}/~/notifications`}>All notifications</Link>}>
      <List label="Waiting for you">
        {reviews.map((one) => (
          <RequestEntry key={one.id} href={addresses.request(org, one.space, one.number)} {...one} by={one.createdBy?.displayName} at={one.updatedAt} where={titles.get(one.space)} />
        ))}
        {others.slice(0, LATELY).map((one) => (
          <NoticeEntry key={one.id} notice={one} />
        ))}
      </List>
    </Section>
  );
}

function Spaces({ org, collection, mayCreate, onNew, onImport }: { org: string; collection?: string; mayCreate: boolean; onNew: () => void; onImport: () => void }) {
  const asked = useQuery(spaces(org));
  const lately = useQuery({ ...requests(org, { status: ["open", "draft"], limit: LATELY }), enabled: !collection }).data;
  const shelves = useQuery(collections(org)).data;
  return (
    <Asked of={asked} say={sentence}>
      {(all) => {
        const here = all.filter((one) => !collection || within(one.parent, collection, shelves ?? []));
        const newest = [...here].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt));
        if (here.length === 0)
          return collection ? (
            <Empty icon={<BookOpen />} title="No space is in this collection yet" action={mayCreate && <Button look="primary" onPress={onNew}>New space</Button>} />
          ) : (
            <Welcome mayCreate={mayCreate} onNew={onNew} onImport={onImport} />
          );
        const titles = new Map(all.map((one) => [one.id, one.title]));
        return (
          <>
            <Section title={collection ? "Spaces" : "Changed lately"}>
              <List label={collection ? "Spaces" : "Changed lately"}>
                {(collection ? here : newest.slice(0, LATELY)).map((one) => (
                  <SpaceEntry key={one.id} org={org} one={one} />
                ))}
              </List>
            </Section>
            {lately && lately.items.length > 0 && (
              <Section title="Change requests" end={<Link className="link" href={`${addresses.home(org)}/~/changes`}>All of them</Link>}>
                <List label="Change requests">
                  {lately.items.map((one) => (
                    <RequestEntry key={one.id} href={addresses.request(org, one.space, one.number)} {...one} by={one.createdBy?.displayName} at={one.updatedAt} where={titles.get(one.space)} />
                  ))}
                </List>
              </Section>
            )}
          </>
        );
      }}
    </Asked>
  );
}

function within(parent: string | undefined, collection: string, shelves: { id: string; parent?: string }[]): boolean {
  for (let at = parent, deep = 0; at && deep < 20; at = shelves.find((one) => one.id === at)?.parent, deep++) if (at === collection) return true;
  return false;
}

function SpaceEntry({ org, one }: { org: string; one: Space }) {
  return (
    <Entry
      href={addresses.space(org, one.id)}
      lead={emoji(one.emoji) || <BookOpen />}
      title={one.title || "Untitled space"}
      note={
        <>
          Changed <Ago at={one.updatedAt} />
          {one.changeRequestsOpen > 0 && <> · {one.changeRequestsOpen === 1 ? "1 open change request" : `${one.changeRequestsOpen} open change requests`}</>}
        </>
      }
      end={one.urls.published ? <Badge tone="success">Published</Badge> : null}
    />
  );
}

function Sites({ org }: { org: string }) {
  const found = useQuery(sites(org)).data;
  if (!found || found.length === 0) return null;
  return (
    <Section title="Sites">
      <List label="Sites">
        {found.map((one) => (
          <SiteEntry key={one.id} org={org} one={one} />
        ))}
      </List>
    </Section>
  );
}

function SiteEntry({ org, one }: { org: string; one: Site }) {
  const address = one.urls.published;
  return (
    <Entry
      href={`${addresses.home(org)}/sites/${one.id}`}
      lead={<Globe />}
      title={one.title}
      note={address && one.published ? address.replace(/^https?:\/\//, "") : "Not published"}
      end={address && one.published ? <a className="link" href={address}>Open</a> : null}
    />
  );
}

/** Who stands before an empty organization is told what to do, in the order in which it helps. */
function Welcome({ mayCreate, onNew, onImport }: { mayCreate: boolean; onNew: () => void; onImport: () => void }) {
  return (
    <Empty
      icon={<Sparkles />}
      title={mayCreate ? "Begin with a space" : "Nothing is here for you yet"}
      action={
        mayCreate && (
          <>
            <Button look="primary" icon={<Plus />} onPress={onNew}>Write in a new space</Button>
            <Button icon={<FolderInput />} onPress={onImport}>Import what you have</Button>
          </>
        )
      }
    >
      {mayCreate
        ? "A space holds the pages of one subject. Make one and write, or bring what you have: a zip, a Word document, a Git repository, a website. Then a site publishes it."
        : "Once somebody gives you a role on a space, it is listed here."}
    </Empty>
  );
}

function NewSpace({ org, parent, open, onClose }: { org: string; parent?: string; open: boolean; onClose: () => void }) {
  const [title, setTitle] = useState("");
  const queries = useQueryClient();
  const [, go] = useLocation();
  const make = useMutation({
    mutationFn: () => must(api.POST("/v1/orgs/{organizationId}/spaces", { params: { path: { organizationId: org } }, body: { title: title.trim(), parent, empty: true } })),
    onSuccess: async (made) => {
      await queries.invalidateQueries({ queryKey: ["spaces", org] });
      setTitle("");
      onClose();
      go(addresses.space(org, made.id));
    },
  });
  return (
    <Dialog title="New space" open={open} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (title.trim()) make.mutate();
        }}
      >
        <Field label="Title" value={title} onChange={setTitle} autoFocus help="What it is about, such as Handbook or API." wrong={only(make.error, "title")} />
        <Actions>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" type="submit" isDisabled={!title.trim()} isPending={make.isPending}>Make space</Button>
        </Actions>
      </form>
    </Dialog>
  );
}
