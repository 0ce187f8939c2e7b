/** Which site a screen is about, and what each of its screens is given. */
import type { Site } from "../../api/queries";

export type At = { org: string; site: string };
export type Shown = { at: At; site: Site };

export const AUDIENCES: Record<Site["visibility"], { words: string; help: string }> = {
  public: { words: "Everybody", help: "Whoever has the address reads it, and search engines list it." },
  unlisted: { words: "Everybody with the address", help: "No account is asked for, and search engines are told not to list it." },
  "share-link": { words: "Whoever has a share link", help: "Each link can be given to somebody else, and switched off alone." },
  "visitor-auth": { words: "Who logs in at your service", help: "Your own service says who a visitor is, by a token that the key of this site signs." },
};
