/** The side of a space: what it has besides pages, and its pages as a tree, of primary content or of a change request. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ArrowLeft, FileText, GitPullRequest, History, Link2, Link2Off, Paperclip, Pencil, Plus, Rows3, ScrollText, Settings } from "lucide-react";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import type { At } from "../../api/addresses";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { createChangeRequest, find, html, type Page, pages } from "../../api/content";
import type { Space } from "../../api/queries";
import { Asked } from "../../parts/asked";
import { Button } from "../../parts/button";
import { emoji } from "../../parts/emoji";
import { Menu } from "../../parts/menu";
import { Nav } from "../../parts/nav";
import { toast } from "../../parts/toast";
import { type Branch, Tree } from "../../parts/tree";
import { type Steps, useOrder } from "../../parts/tree-order";
import { AddEntry } from "./add-entry";
import { type Arranging, useArranging } from "./arrange";
import { type Asked as Wanted, choicesOf } from "./page-menu";
import { PageSettings } from "./page-settings";

export function Side({ at, space }: { at: At; space?: Space }) {
  const [place] = useLocation();
  const root = addresses.space(at.org, at.space);
  const open = (space?.changeRequestsOpen ?? 0) + (space?.changeRequestsDraft ?? 0);
  return (
    <>
      <Link href={addresses.home(at.org)} className="side-back"><ArrowLeft aria-hidden="true" />All spaces</Link>
      <p className="side-title">
        {space?.emoji && <span>{emoji(space.emoji)}</span>}
        {space?.title || (space ? "Untitled space" : "")}
      </p>
      <Nav
        label="Space"
        links={[
          { href: root, words: "Pages", icon: <FileText />, here: !place.startsWith(`${root}/~/`) },
          { href: `${root}/~/changes`, words: "Change requests", icon: <GitPullRequest />, here: place.startsWith(`${root}/~/changes`), count: open },
          { href: `${root}/~/history`, words: "History", icon: <History />, here: place.startsWith(`${root}/~/history`) },
          { href: `${addresses.place(at)}/~/files`, words: "Files", icon: <Paperclip />, here: place.endsWith("/~/files") },
          { href: `${root}/~/links`, words: "Broken links", icon: <Link2Off />, here: place === `${root}/~/links` },
          { href: addresses.settings(at.org, at.space), words: "Settings", icon: <Settings />, here: false },
        ]}
      />
      <p className="side-name">{at.request !== undefined ? `Pages of change request #${at.request}` : at.revision ? "Pages of this revision" : "Pages"}</p>
      <PageTree at={at} space={space} />
    </>
  );
}

/** What can be added; where pages are changed in a change request, the way into one. */
function Add({ at, space, arranging, ask }: { at: At; space?: Space; arranging: Arranging; ask: (what: Wanted) => void }) {
  const [place, go] = useLocation();
  const begin = useMutation({
    mutationFn: () => createChangeRequest(at.space, "Arrange pages"),
    onSuccess: (made) => go(addresses.request(at.org, at.space, made.number) + (place.includes("/~/") ? "" : place.slice(addresses.space(at.org, at.space).length))),
    onError: (error) => toast(sentence(error), { tone: "danger" }),
  });
  if (arranging.may)
    return (
      <div className="side-add">
        <Menu
          label="What is added"
          button={<Button small look="quiet" icon={<Plus />}>Add</Button>}
          choices={[
            { id: "page", words: "Page", icon: <FileText />, act: () => ask({ kind: "page", into: null }) },
            { id: "group", words: "Group", note: "A heading with pages below it", icon: <Rows3 />, act: () => ask({ kind: "group" }) },
            { id: "link", words: "Link", note: "To a page or an address", icon: <Link2 />, act: () => ask({ kind: "link", into: null }) },
          ]}
        />
      </div>
    );
  if (at.request === undefined && !at.revision && space?.permissions.edit)
    return (
      <div className="side-add">
        <Button small look="quiet" icon={<Pencil />} isPending={begin.isPending} onPress={() => begin.mutate()}>Add or arrange pages</Button>
      </div>
    );
  return null;
}

function PageTree({ at, space }: { at: At; space?: Space }) {
  const asked = useQuery(pages(at));
  const [place, go] = useLocation();
  const arranging = useArranging(at, space);
  const [wanted, ask] = useState<Wanted | null>(null);
  const root = addresses.place(at);
  const list = asked.data;
  const word = place === root ? "" : place.startsWith(`${root}/`) ? addresses.read(place.slice(root.length + 1)) : null;
  const here = useMemo(() => {
    if (!list || word === null || word.startsWith("~")) return undefined;
    return at.request !== undefined && word === "" ? undefined : find(list, word);
  }, [list, word, at.request]);
  const branches = useMemo(() => (list ?? []).map(grown), [list]);
  const [touched, setTouched] = useState<Set<string> | null>(null);
  const above = useMemo(() => new Set([...groups(list ?? []), ...(here?.above ?? []).map((one) => one.id), ...(here ? [here.page.id] : [])]), [list, here]);
  const open = touched ?? above;
  // The way to a page opens with it, and may be closed again.
  const way = here?.above.map((one) => one.id).join(" ");
  useEffect(() => {
    if (way) setTouched((was) => was && new Set([...was, ...way.split(" ")]));
  }, [way, here?.page.id]);
  const queries = useQueryClient();
  const near = useCallback(
    (id: string) => {
      if (list && find(list, id)?.page.type === "document") void queries.prefetchQuery({ ...html(at, id), staleTime: 60_000, retry: false });
    },
    [queries, list, root],
  );
  useFollow(at, list, here?.page, word);
  const steps = useMemo(() => (arranging.may ? ordering(arranging) : undefined), [arranging]);
  const order = useOrder(steps);
  const menu = ({ id }: Branch) => {
    const page = list && find(list, id)?.page;
    return page ? choicesOf({ at, page, arranging, ask, go }) : [];
  };
  return (
    <>
      <Add at={at} space={space} arranging={arranging} ask={ask} />
      <div className="side-tree">
        <Asked of={asked} say={sentence}>
          {(found) =>
            found.length === 0 ? (
              <p className="note side-none">No page yet.</p>
            ) : (
              <Tree
                label="Pages"
                branches={branches}
                here={here?.page.id}
                open={open}
                onOpen={setTouched}
                onGo={(id) => {
                  const one = find(found, id)?.page;
                  if (one) go(addresses.page(at, "path" in one && one.path ? one.path : one.id));
                }}
                onNear={near}
                menu={arranging.may ? menu : undefined}
                order={order}
              />
            )
          }
        </Asked>
      </div>
      <AddEntry at={at} what={wanted && wanted.kind !== "settings" ? wanted : null} list={list ?? []} arranging={arranging} onClose={() => ask(null)} />
      <PageSettings at={at} page={wanted?.kind === "settings" ? wanted.page : null} arranging={arranging} onClose={() => ask(null)} />
    </>
  );
}

function ordering(arranging: Arranging): Steps {
  return { may: arranging.mayDrop, drop: (id, target, where) => void arranging.drop(id, target, where), step: (id, way) => void arranging.step(id, way) };
}

/** Who looks at a page that gets another address goes along with it. */
function useFollow(at: At, list: Page[] | undefined, page: Page | undefined, word: string | null) {
  const [, go] = useLocation();
  const last = useRef<{ id: string; word: string }>(undefined);
  useEffect(() => {
    if (page && word !== null) last.current = { id: page.id, word };
    else if (list && word && last.current?.word === word) {
      const now = find(list, last.current.id)?.page;
      if (now) go(addresses.page(at, "path" in now && now.path ? now.path : now.id), { replace: true });
    }
  }, [list, page, word]);
}

function grown(page: Page): Branch {
  const mark = "emoji" in page ? emoji(page.emoji) : "";
  const icon = mark || (page.type === "link" ? <Link2 /> : page.type === "computed" ? <ScrollText /> : undefined);
  return { id: page.id, words: page.title || "Untitled", icon, heading: page.type === "group", faint: "hidden" in page && Boolean(page.hidden), below: "pages" in page ? page.pages.map(grown) : [] };
}

/** Groups stand open from the beginning, as on published pages. */
function groups(list: Page[]): string[] {
  return list.flatMap((page) => (page.type === "group" ? [page.id, ...groups(page.pages)] : []));
}
