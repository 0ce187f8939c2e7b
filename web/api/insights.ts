/** What readers of a site do, as reports: tables of columns, of a range and of as long a time before. */
import { queryOptions } from "@tanstack/react-query";
import { api, must, type Schemas } from "./client";

export type Report = Schemas["Report"];
export type Name = "traffic" | "pages" | "referrers" | "countries" | "devices" | "browsers" | "systems" | "languages" | "bots" | "searches" | "searches-without-result" | "feedback" | "comments" | "links" | "not-found";
export type Range = "last24Hours" | "last7Days" | "last30Days" | "last3Months" | "lastYear";
/** Moments, from the first and before the second, in place of a range that ends now. */
export type Span = { from: string; to: string };
export type Asked = { range: Range; span?: Span; compare: boolean };

const ONE = "/v1/orgs/{organizationId}/sites/{siteId}/insights/report";
const zone = () => Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";

export const report = (organizationId: string, siteId: string, name: Name, { range, span, compare }: Asked) =>
  queryOptions({
    queryKey: ["site", siteId, "insights", name, range, span?.from, span?.to, compare],
    queryFn: () => must(api.GET(ONE, { params: { path: { organizationId, siteId }, query: { report: name, range, ...span, compare, timeZone: zone(), limit: 50 } } })) as Promise<Report>,
    staleTime: 60_000,
  });

export const asCSV = (organizationId: string, siteId: string, name: Name, { range, span, compare }: Asked) =>
  must(api.GET(ONE, { params: { path: { organizationId, siteId }, query: { report: name, range, ...span, compare, timeZone: zone(), limit: 1000, format: "csv" } }, parseAs: "text" })) as Promise<string>;

export const segments = (organizationId: string, siteId: string) =>
  queryOptions({
    queryKey: ["site", siteId, "insights", "segments"],
    queryFn: () => must(api.GET("/v1/orgs/{organizationId}/sites/{siteId}/insights/visitor-segments", { params: { path: { organizationId, siteId } } })),
    staleTime: 60_000,
  });

type Table = Report["table"];
export type Row = Record<string, string | number | null>;

/** The columns of a table as rows. */
export function rows(table: Table): Row[] {
  const long = table.columns[0]?.values.length ?? 0;
  return Array.from({ length: long }, (_, at) => Object.fromEntries(table.columns.map((one) => [one.column, (one.values[at] ?? null) as Row[string]])));
}

export const total = (table: Table | undefined, column: string): number =>
  (table?.columns.find((one) => one.column === column)?.values ?? []).reduce<number>((sum, value) => sum + (typeof value === "number" ? value : 0), 0);

/** How much more it is than before, in per cent; null where there was nothing to compare with. */
export const growth = (now: number, before: number): number | null => (before === 0 ? null : Math.round(((now - before) / before) * 100));
