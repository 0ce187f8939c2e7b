/** The side of a space: what it has besides pages, and its pages as a tree, of primary content or of a change request. */
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, FileText, GitPullRequest, History, Link2, Plus, ScrollText } from "lucide-react";
import { useMemo, useState } from "react";
import { Link, useLocation } from "wouter";
import type { At } from "../../api/addresses";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { find, type Page, pages } from "../../api/content";
import type { Space } from "../../api/queries";
import { Asked } from "../../parts/asked";
import { ButtonLink } from "../../parts/button";
import { emoji } from "../../parts/emoji";
import { Nav } from "../../parts/nav";
import { type Branch, Tree } from "../../parts/tree";

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
        ]}
      />
      <p className="side-name">{at.request !== undefined ? `Pages of change request #${at.request}` : at.revision ? "Pages of this revision" : "Pages"}</p>
      {at.request !== undefined && space?.permissions.edit && (
        <div className="side-add">
          <ButtonLink small look="quiet" icon={<Plus />} href={`${addresses.place(at)}/~/new`}>Add a page</ButtonLink>
        </div>
      )}
      <PageTree at={at} />
    </>
  );
}

function PageTree({ at }: { at: At }) {
  const asked = useQuery(pages(at));
  const [place, go] = useLocation();
  const root = addresses.place(at);
  const list = asked.data;
  const word = place === root ? "" : place.startsWith(`${root}/`) ? decodeURIComponent(place.slice(root.length + 1)) : null;
  const here = useMemo(() => {
    if (!list || word === null || word.startsWith("~")) return undefined;
    return at.request !== undefined && word === "" ? undefined : find(list, word);
  }, [list, word, at.request]);
  const branches = useMemo(() => (list ?? []).map(grown), [list]);
  const [touched, setTouched] = useState<Set<string> | null>(null);
  const above = useMemo(() => new Set([...groups(list ?? []), ...(here?.above ?? []).map((one) => one.id), ...(here ? [here.page.id] : [])]), [list, here]);
  const open = useMemo(() => (touched ? new Set([...touched, ...(here?.above ?? []).map((one) => one.id)]) : above), [touched, above, here]);
  return (
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
            />
          )
        }
      </Asked>
    </div>
  );
}

function grown(page: Page): Branch {
  const mark = "emoji" in page ? emoji(page.emoji) : "";
  const icon = mark || (page.type === "link" ? <Link2 /> : page.type === "computed" ? <ScrollText /> : undefined);
  return { id: page.id, words: page.title || "Untitled", icon, heading: page.type === "group", below: "pages" in page ? page.pages.map(grown) : [] };
}

/** Groups stand open from the beginning, as on published pages. */
function groups(list: Page[]): string[] {
  return list.flatMap((page) => (page.type === "group" ? [page.id, ...groups(page.pages)] : []));
}
