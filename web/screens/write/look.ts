/** What the visual editor is told of the world: pages, people and files by their names, pictures by their addresses, blocks as readers see them. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef } from "react";
import { sentence } from "../../api/client";
import { files, flat, pages } from "../../api/content";
import { specs } from "../../api/plumbing";
import { members } from "../../api/queries";
import { known as theRest, rendered } from "../../api/writing";
import type { Found, Kind, Look } from "../../editor/visual/look";
import type { Json } from "../../editor/visual/model";
import { blockFrame } from "../../parts/block-frame";
import { diagram } from "../../parts/diagram";
import { useTheme } from "../../parts/theme";
import { formulas } from "./formulas";

const MOST = 12;
const DARK = "(prefers-color-scheme: dark)";

type Names = Map<string, string>;
type Known = { pages: Names; files: Map<string, { name: string; url: string }>; people: Names; reusable: Names; specs: Names; variables: string[] };

/** The same `look` all the time; `refresh` is called when more is known. */
export function useLook(org: string, space: string, number: number, page: string, refresh: () => void): Look {
  const list = useQuery(pages({ org, space, request: number })).data;
  const stored = useQuery(files(space, number)).data;
  const people = useQuery(members(org)).data;
  const rest = useQuery(theRest(space, number)).data;
  const described = useQuery({ ...specs(org), refetchInterval: false, staleTime: 60_000 }).data;
  const known = useRef<Known>({ pages: new Map(), files: new Map(), people: new Map(), reusable: new Map(), specs: new Map(), variables: [] });
  const asked = useRef(refresh);
  asked.current = refresh;
  useEffect(() => {
    known.current = {
      pages: new Map(flat(list ?? []).map(({ page: one }) => [one.id, one.title])),
      files: new Map((stored ?? []).map((file) => [file.id, { name: file.name, url: near(file.downloadURL) }])),
      people: new Map((people ?? []).map((one) => [one.user.id, one.user.displayName])),
      reusable: new Map((rest?.reusable ?? []).map((one) => [one.id, one.title])),
      specs: new Map((described ?? []).map((one) => [one.slug, one.slug])),
      variables: rest?.variables ?? [],
    };
    asked.current();
  }, [list, stored, people, rest, described]);
  const theme = useTheme();
  useEffect(() => {
    const dark = matchMedia(DARK);
    const changed = () => asked.current();
    changed();
    dark.addEventListener("change", changed);
    return () => dark.removeEventListener("change", changed);
  }, [theme]);
  return useMemo<Look>(() => {
    const shows = (nodes: Json[]) => rendered(space, number, page, { document: { object: "document", data: { schemaVersion: 1 }, nodes } as never }).then((found) => found.html);
    const set = formulas(shows);
    return {
      image: (ref) => (ref["kind"] === "file" ? known.current.files.get(String(ref["file"]))?.url : /^https:/.test(String(ref["url"])) ? String(ref["url"]) : undefined),
      name: (ref) => {
        const title = named(known.current, ref);
        return title && (ref["anchor"] ? `${title}#${String(ref["anchor"])}` : title);
      },
      find: (kind, words) =>
        [...{ page: known.current.pages, person: known.current.people, reusable: known.current.reusable, spec: known.current.specs, file: names(known.current.files) }[kind]]
          .filter(([, title]) => title.toLowerCase().includes(words.toLowerCase().trim()))
          .slice(0, MOST)
          .map(([id, title]) => ({ title, note: NOTES[kind], ref: refTo(kind, id) })),
      variables: () => known.current.variables.map((name) => `space.vars.${name}`),
      formula: set,
      diagram: (source) => {
        const chosen = document.documentElement.dataset["theme"];
        return diagram(source, chosen ? chosen === "dark" : matchMedia(DARK).matches);
      },
      preview: (json) => {
        let now = json;
        const frame = blockFrame("Block as readers see it", () => shows([now]), sentence);
        return { ...frame, again: (next) => ((now = next), frame.again()) };
      },
    };
  }, [space, number, page]);
}

function named(known: Known, ref: Record<string, unknown>): string | undefined {
  if (ref["kind"] === "page" || ref["kind"] === "anchor") return known.pages.get(String(ref["page"]));
  if (ref["kind"] === "file") return known.files.get(String(ref["file"]))?.name;
  if (ref["kind"] === "reusable-content") return known.reusable.get(String(ref["reusableContent"]));
  return ref["kind"] === "user" ? known.people.get(String(ref["user"])) : undefined;
}

const NOTES: Record<Kind, string> = { page: "Page", person: "Person", reusable: "Reusable content", spec: "Specification", file: "File" };

const names = (files: Known["files"]): Names => new Map([...files].map(([id, { name }]) => [id, name]));

function refTo(kind: Kind, id: string): Found["ref"] {
  switch (kind) {
    case "page":
      return { kind: "page", page: id };
    case "person":
      return { kind: "user", user: id };
    case "reusable":
      return { kind: "reusable-content", reusableContent: id };
    case "file":
      return { kind: "file", file: id };
    case "spec":
      return { kind: "openapi", spec: id };
  }
}

/** Files are had from where this page came from, whatever the installation calls itself. */
function near(address: string): string {
  const { pathname, search } = new URL(address, location.origin);
  return pathname + search;
}
