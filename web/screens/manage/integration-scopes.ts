/** What the rights of an integration mean, in words. */
import type { Integration } from "../../api/integrations";

export const SCOPES: Record<Integration["scopes"][number], string> = {
  "space:metadata:read": "see spaces: their titles, addresses and blocks",
  "space:metadata:write": "change titles and settings of spaces",
  "space:content:read": "read the pages of spaces, and hear of changes",
  "space:content:write": "write into spaces",
  "space:git:sync": "bring spaces together with Git",
  "space:views:read": "hear of views of spaces",
  "space:script:inject": "run a script on the pages of spaces",
  "space:script:cookies": "set cookies by its script on spaces",
  "space:visitor:auth": "let visitors into spaces",
  "site:metadata:read": "see sites: their titles and addresses",
  "site:views:read": "hear of views of pages, and of segments of visitors",
  "site:script:inject": "run a script on the pages of sites",
  "site:script:cookies": "set cookies by its script on sites",
  "site:visitor:auth": "let visitors into sites",
  "site:visitor:claims": "say what is known of visitors",
  "site:adaptive:read": "read what is known of visitors, and the conditions on it",
  "site:adaptive:write": "change what is asked to be known of visitors",
  "page:feedback:read": "hear how readers rate pages",
  "openapi:read": "read the API specifications",
  "openapi:write": "change the API specifications",
  "conversations:ingest": "hand in conversations, of which Octavo keeps none",
};
