/** The side of an organization's screens: what is everywhere, and its spaces and collections as a tree. */
import { useQuery } from "@tanstack/react-query";
import { Bell, BookOpen, FolderClosed, GitPullRequest, Globe, House, Settings } from "lucide-react";
import { useMemo, useState } from "react";
import { useLocation } from "wouter";
import * as addresses from "../../api/addresses";
import { type Collection, collections, notifications, type Space, spaces } from "../../api/queries";
import { emoji } from "../../parts/emoji";
import { Nav } from "../../parts/nav";
import { type Branch, Tree } from "../../parts/tree";

export function Side({ org }: { org: string }) {
  const [place, go] = useLocation();
  const home = addresses.home(org);
  const unread = useQuery(notifications("unread")).data?.unread;
  const known = useQuery(spaces(org)).data;
  const shelves = useQuery(collections(org)).data;
  const branches = useMemo(() => grown(known ?? [], shelves ?? []), [known, shelves]);
  const [open, setOpen] = useState<Set<string> | null>(null);
  const all = useMemo(() => new Set((shelves ?? []).map((one) => `c/${one.id}`)), [shelves]);
  return (
    <>
      <Nav
        label="Organization"
        links={[
          { href: home, words: "Home", icon: <House />, here: place === home },
          { href: `${home}/~/changes`, words: "Change requests", icon: <GitPullRequest />, here: place.startsWith(`${home}/~/changes`) },
          { href: `${home}/~/notifications`, words: "Notifications", icon: <Bell />, here: place.startsWith(`${home}/~/notifications`), count: unread },
          { href: addresses.manage(org, "sites"), words: "Sites", icon: <Globe />, here: false },
          { href: addresses.manage(org, "members"), words: "People and settings", icon: <Settings />, here: false },
        ]}
      />
      <p className="side-name">Spaces</p>
      <div className="side-tree">
        {branches.length > 0 && (
          <Tree
            label="Spaces and collections"
            branches={branches}
            here={place.startsWith(`${home}/`) ? place.slice(home.length + 1) : undefined}
            open={open ?? all}
            onOpen={setOpen}
            onGo={(id) => go(`${home}/${id}`)}
          />
        )}
      </div>
    </>
  );
}

/** Spaces below their collections, and these below theirs; what stands in none stands at the top, as does what is in one that is not seen. */
export function grown(known: Pick<Space, "id" | "title" | "emoji" | "parent">[], shelves: Pick<Collection, "id" | "title" | "parent">[]): Branch[] {
  const below = new Map<string, Branch[]>();
  const seen = new Set(shelves.map((one) => one.id));
  const put = (parent: string | undefined, branch: Branch) => {
    const key = parent && seen.has(parent) ? parent : "";
    below.set(key, [...(below.get(key) ?? []), branch]);
  };
  const made = shelves.map((one) => [one, { id: `c/${one.id}`, words: one.title || "Untitled collection", icon: <FolderClosed />, below: [] as Branch[] }] as const);
  for (const [one, branch] of made) put(one.parent, branch);
  for (const one of known) put(one.parent, { id: `s/${one.id}`, words: one.title || "Untitled space", icon: emoji(one.emoji) || <BookOpen />, below: [] });
  for (const [one, branch] of made) branch.below.push(...(below.get(one.id) ?? []));
  return below.get("") ?? [];
}
