/** What each scope of a token lets a program do, in words. */
import type { Schemas } from "./client";

export type Scope = NonNullable<Schemas["CreateUserAPIToken"]["scopes"]>[number];

/** All of them: one that the API gains does not compile until it has its words. */
export const SCOPES: Record<Scope, { group: string; words: string }> = {
  "space:read": { group: "Content", words: "Read spaces, pages, files, change requests and comments" },
  "space:write": { group: "Content", words: "Change content: spaces, pages, change requests, reviews, comments, Git" },
  "change-request:merge": { group: "Content", words: "Merge change requests" },
  "space:permissions:read": { group: "Content", words: "See who may what on spaces and collections" },
  "space:permissions:write": { group: "Content", words: "Give and take roles on spaces and collections" },
  "openapi:read": { group: "Content", words: "Read OpenAPI specifications" },
  "openapi:write": { group: "Content", words: "Put OpenAPI specifications" },
  "site:read": { group: "Sites", words: "Read sites, their structure and look" },
  "site:write": { group: "Sites", words: "Change sites, their structure and look" },
  "site:publish": { group: "Sites", words: "Publish sites and take them back" },
  "site:permissions:read": { group: "Sites", words: "See who may what on sites" },
  "site:permissions:write": { group: "Sites", words: "Give and take roles on sites" },
  "site:auth:read": { group: "Sites", words: "Read share links and the key of visitors’ log-in" },
  "site:auth:write": { group: "Sites", words: "Change share links and the log-in of visitors" },
  "site:insights:read": { group: "Sites", words: "Read what readers do" },
  "site:ask": { group: "Sites", words: "Ask a site questions" },
  "site:search": { group: "Sites", words: "Search sites" },
  "organization:read": { group: "Organization", words: "Read organizations and webhooks" },
  "organization:write": { group: "Organization", words: "Change organizations and webhooks" },
  "organization:members:read": { group: "Organization", words: "Read members, teams, invitations and the audit log" },
  "organization:members:write": { group: "Organization", words: "Invite, change and remove members and teams" },
  "organization:ask": { group: "Organization", words: "Ask an organization questions" },
  "organization:search": { group: "Organization", words: "Search an organization" },
  "user:read": { group: "Organization", words: "Read accounts, and list your tokens" },
  "integration:read": { group: "Integrations", words: "Read integrations" },
  "integration:installations:read": { group: "Integrations", words: "Read where integrations are installed" },
  "integration:installations:write": { group: "Integrations", words: "Install and configure integrations" },
  "integration:publish": { group: "Integrations", words: "Publish integrations" },
  "integration:delete": { group: "Integrations", words: "Take integrations back" },
};

export const GROUPS = [...new Set(Object.values(SCOPES).map((one) => one.group))];
