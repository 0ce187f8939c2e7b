/** What the visual editor is told of the world: pages, people and files by their names, pictures by their addresses. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { files, flat, pages } from "../../api/content";
import { members } from "../../api/queries";
import type { Found, Look } from "../../editor/visual/look";

const MOST = 12;

type Known = { pages: Map<string, string>; files: Map<string, { name: string; url: string }>; people: Map<string, string> };

/** The same `look` all the time; `refresh` is called when more is known. */
export function useLook(org: string, space: string, number: number, refresh: () => void): Look {
  const list = useQuery(pages({ org, space, request: number })).data;
  const stored = useQuery(files(space, number)).data;
  const people = useQuery(members(org)).data;
  const known = useRef<Known>({ pages: new Map(), files: new Map(), people: new Map() });
  const asked = useRef(refresh);
  asked.current = refresh;
  useEffect(() => {
    known.current = {
      pages: new Map(flat(list ?? []).map(({ page }) => [page.id, page.title])),
      files: new Map((stored ?? []).map((file) => [file.id, { name: file.name, url: near(file.downloadURL) }])),
      people: new Map((people ?? []).map((one) => [one.user.id, one.user.displayName])),
    };
    asked.current();
  }, [list, stored, people]);
  return useMemo<Look>(
    () => ({
      image: (ref) => (ref["kind"] === "file" ? known.current.files.get(String(ref["file"]))?.url : /^https:/.test(String(ref["url"])) ? String(ref["url"]) : undefined),
      name: (ref) => {
        const title = named(known.current, ref);
        return title && (ref["anchor"] ? `${title}#${String(ref["anchor"])}` : title);
      },
      find: (kind, words) => {
        if (kind === "reusable") return [];
        const from = kind === "page" ? known.current.pages : known.current.people;
        return [...from].filter(([, title]) => title.toLowerCase().includes(words.toLowerCase().trim())).slice(0, MOST).map(([id, title]) => found(kind, id, title));
      },
    }),
    [],
  );
}

function named(known: Known, ref: Record<string, unknown>): string | undefined {
  if (ref["kind"] === "page" || ref["kind"] === "anchor") return known.pages.get(String(ref["page"]));
  if (ref["kind"] === "file") return known.files.get(String(ref["file"]))?.name;
  return ref["kind"] === "user" ? known.people.get(String(ref["user"])) : undefined;
}

const found = (kind: "page" | "person", id: string, title: string): Found => ({ title, note: kind === "page" ? "Page" : "Person", ref: kind === "page" ? { kind: "page", page: id } : { kind: "user", user: id } });

/** Files are had from where this page came from, whatever the installation calls itself. */
function near(address: string): string {
  const { pathname, search } = new URL(address, location.origin);
  return pathname + search;
}
