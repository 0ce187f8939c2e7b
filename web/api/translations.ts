/** Translations of spaces: their languages, runs, pages, and the glossary that all share. */
import { queryOptions } from "@tanstack/react-query";
import { all, api, must, type Schemas } from "./client";

export type Translation = Schemas["Translation"];
export type Run = Schemas["Run"];
export type Page = Schemas["TranslatedPage"];
export type Entry = Schemas["GlossaryEntry"];
export type Language = Translation["languages"][number];

const LIST = "/v1/orgs/{organizationId}/translations";
const ONE = `${LIST}/{translationId}` as const;
const GLOSSARY = "/v1/orgs/{organizationId}/translations-glossary";
const SOON = 1500;
const at = (organizationId: string, translationId: string) => ({ organizationId, translationId });

export const translations = (organizationId: string) =>
  queryOptions({ queryKey: ["translations", organizationId], queryFn: () => all((page) => must(api.GET(LIST, { params: { path: { organizationId }, query: { page, limit: 100 } } }))) });
export const translation = (organizationId: string, translationId: string) =>
  queryOptions({
    queryKey: ["translations", organizationId, translationId],
    queryFn: () => must(api.GET(ONE, { params: { path: at(organizationId, translationId) } })),
    refetchInterval: (query) => (query.state.data && query.state.data.status !== "completed" ? SOON : false),
  });
export const make = (organizationId: string, body: Schemas["CreateTranslation"]) => must(api.POST(LIST, { params: { path: { organizationId } }, body }));
export const put = (organizationId: string, translationId: string, body: Schemas["UpdateTranslation"]) => must(api.PUT(ONE, { params: { path: at(organizationId, translationId) }, body }));
export const remove = (organizationId: string, translationId: string) => must(api.DELETE(ONE, { params: { path: at(organizationId, translationId) } }));
export const run = (organizationId: string, translationId: string) => must(api.POST(`${ONE}/run`, { params: { path: at(organizationId, translationId) } }));
export const cancel = (organizationId: string, translationId: string, translationRunId: string) =>
  must(api.POST(`${ONE}/runs/{translationRunId}/cancel`, { params: { path: { ...at(organizationId, translationId), translationRunId } } }));

export const over = (one: Run): boolean => one.status !== "pending" && one.status !== "running";
export const runs = (organizationId: string, translationId: string) =>
  queryOptions({
    queryKey: ["translations", organizationId, translationId, "runs"],
    queryFn: () => must(api.GET(`${ONE}/runs`, { params: { path: at(organizationId, translationId), query: { limit: 20 } } })),
    refetchInterval: (query) => (query.state.data?.items.some((one) => !over(one)) ? SOON : false),
  });
export const pages = (organizationId: string, translationId: string, translationLanguage: string) =>
  queryOptions({
    queryKey: ["translations", organizationId, translationId, "pages", translationLanguage],
    queryFn: () => all((page) => must(api.GET(`${ONE}/languages/{translationLanguage}/pages`, { params: { path: { ...at(organizationId, translationId), translationLanguage: translationLanguage as Language }, query: { page, limit: 200 } } }))),
  });
export const languages = (organizationId: string, translationId: string) =>
  queryOptions({
    queryKey: ["translations", organizationId, translationId, "languages"],
    queryFn: () => all((page) => must(api.GET(`${ONE}/languages`, { params: { path: at(organizationId, translationId), query: { page, limit: 100 } } }))),
  });

export const glossary = (organizationId: string) =>
  queryOptions({ queryKey: ["glossary", organizationId], queryFn: () => all((page) => must(api.GET(GLOSSARY, { params: { path: { organizationId }, query: { page, limit: 200 } } }))) });
export const changeGlossary = (organizationId: string, operations: Schemas["UpdateGlossary"]["operations"]) => must(api.PUT(GLOSSARY, { params: { path: { organizationId } }, body: { operations } }));

/** The words of a document, a line for each block: instructions are told as one. */
export function wordsOf(node: unknown): string {
  const one = node as { object?: string; leaves?: { text: string }[]; nodes?: unknown[] } | null;
  if (!one) return "";
  if (one.leaves) return one.leaves.map((leaf) => leaf.text).join("");
  return (one.nodes ?? []).map(wordsOf).join(one.object === "document" ? "\n\n" : "");
}
