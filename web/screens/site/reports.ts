/** The reports of a site: what each is called, and how its columns are read. */
import type { Name } from "../../api/insights";

type Value = string | number | null | object;
export type Column = { column: string; words: string; number?: boolean; show: (value: Value) => string };

export const REPORTS: { name: Name; words: string; note: string; nothing: string }[] = [
  { name: "pages", words: "Pages", note: "The pages that were read most.", nothing: "Pages are counted when somebody sees them." },
  { name: "referrers", words: "Came from", note: "The sites that led here.", nothing: "Nobody came by a link of another site." },
  { name: "searches", words: "Searches", note: "What was looked for; 0 results were none.", nothing: "Nobody searched." },
  { name: "searches-without-result", words: "Not found by search", note: "What was looked for in vain: pages to write, or words to use.", nothing: "Every search found something." },
  { name: "feedback", words: "Ratings", note: "Whether pages were helpful.", nothing: "Ask readers: the look of the site has a switch for it." },
  { name: "comments", words: "Comments", note: "What readers wrote with their rating.", nothing: "Nobody wrote anything." },
  { name: "not-found", words: "Broken links", note: "Addresses at which nothing is, and what led there; a redirect mends them.", nothing: "Nobody came to a page that is not there." },
  { name: "links", words: "Links followed", note: "Where readers went from here.", nothing: "Nobody followed a link to elsewhere." },
  { name: "countries", words: "Countries", note: "Where readers are, as their address says.", nothing: "No country is known. Whoever runs this installation can name a database of countries." },
  { name: "devices", words: "Devices", note: "What readers hold.", nothing: "Nobody was here." },
  { name: "browsers", words: "Browsers", note: "With what they read.", nothing: "Nobody was here." },
  { name: "languages", words: "Languages", note: "What their browsers ask for.", nothing: "Nobody was here." },
  { name: "bots", words: "Bots", note: "Programs that read the site; they count nowhere else.", nothing: "No program was here." },
];

const WORDS: Record<string, string> = {
  datetime: "When",
  urlPath: "Page",
  page: "Page",
  referrer: "From",
  referrerDomain: "Site",
  visitorGeoCountry: "Country",
  visitorDevice: "Device",
  visitorBrowser: "Browser",
  visitorOS: "System",
  visitorLanguage: "Language",
  visitorBot: "Bot",
  eventSearchQuery: "Searched for",
  eventSearchResults: "Results",
  pageFeedbackRating: "Rating",
  eventPageFeedbackRating: "Rating",
  eventPageFeedbackComment: "Comment",
  eventLinkTargetValue: "Link",
  eventLinkTargetDomain: "Link",
  eventLinkPosition: "Where",
  eventsCount: "Times",
  visitorsCount: "Visitors",
  sessionsCount: "Sessions",
};
const NUMBERS = new Set(["eventsCount", "visitorsCount", "sessionsCount", "eventSearchResults"]);
const regions = new Intl.DisplayNames("en", { type: "region", fallback: "code" });
const moment = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short" });

/** The columns that people read; the id of a page stands beside its address and says nothing more. */
export function columnsOf(name: Name, columns: string[]): Column[] {
  return columns
    .filter((one) => !(one === "page" && columns.includes("urlPath")))
    .map((column) => ({ column, words: column === "eventsCount" && (name === "pages" || name === "traffic") ? "Views" : (WORDS[column] ?? column), number: NUMBERS.has(column), show: showing(column) }));
}

function showing(column: string): (value: Value) => string {
  return (value) => {
    if (value === null || value === "") return column === "referrerDomain" || column === "referrer" ? "Directly" : "—";
    // How often each rating was given.
    if (typeof value === "object") return Object.entries(value as Record<string, number>).filter(([, times]) => times > 0).map(([rating, times]) => `${rating.charAt(0).toUpperCase()}${rating.slice(1)} ${times}`).join(", ") || "—";
    if (typeof value === "number") return value.toLocaleString("en");
    if (column === "visitorGeoCountry") return /^[A-Z]{2}$/.test(value) ? (regions.of(value) ?? value) : value;
    if (column === "datetime") return moment.format(new Date(value));
    if (column === "visitorDevice" || column.endsWith("Rating")) return value.charAt(0).toUpperCase() + value.slice(1);
    return value;
  };
}

const TICKS: Record<string, Intl.DateTimeFormatOptions> = {
  hour: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  day: { month: "short", day: "numeric" },
  week: { month: "short", day: "numeric" },
  month: { month: "short", year: "numeric" },
};

export function tickOf(interval: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat("en", TICKS[interval] ?? TICKS["day"]);
  return (at) => format.format(at);
}
