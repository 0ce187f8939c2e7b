/** What the editor is told of the world around the page: names and pictures behind references, what can be referred to. */
import type { Json } from "./model";
import type { Data } from "./schema";

export type Found = { ref: Data; title: string; note?: string };

export type Look = {
  /** Where a picture is to be had. */
  image: (ref: Data) => string | undefined;
  /** What a reference is called. */
  name: (ref: Data) => string | undefined;
  /** Pages, people, reusable contents or specifications whose name has the words. */
  find: (kind: Kind, words: string) => Found[];
  /** Expressions that stand for a variable of the space. */
  variables: () => string[];
  /** A formula as readers see it. */
  formula: (tex: string, display: boolean) => Promise<Element>;
  /** A diagram as a picture. */
  diagram: (source: string) => Promise<{ image: string; width: number; height: number } | { error: string }>;
  /** A block as readers see it, in a place of its own; `again` shows another one there. */
  preview: (json: Json) => { dom: HTMLElement; again: (json: Json) => void; close: () => void };
};

export type Kind = "page" | "person" | "reusable" | "spec" | "file";

export const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** A reference in words, whatever is known of it. */
export function said(look: Look, ref: unknown): string {
  if (!ref || typeof ref !== "object") return "";
  const one = ref as Data;
  return look.name(one) ?? (text(one["url"]) || text(one["anchor"]) || text(one["page"]) || text(one["file"]) || text(one["user"]) || text(one["spec"]) || unnamed(one));
}

/** One that has a place of its own by its kind alone; an address that nobody typed yet has none. */
const unnamed = (one: Data): string => (one["kind"] === "url" ? "" : text(one["kind"]));

/** An address as somebody types it; a page is chosen, not typed. */
export function refOf(address: string): Data {
  const words = address.trim();
  if (/^[^\s/:@]+@[^\s/:@]+\.[a-z]+$/i.test(words)) return { kind: "url", url: `mailto:${words}` };
  if (/^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}(\/\S*)?$/i.test(words) && !/\.md$/i.test(words)) return { kind: "url", url: `https://${words}` };
  return { kind: "url", url: words };
}
