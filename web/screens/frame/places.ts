/** Where the palette leads besides what is found by its words, and what it does everywhere. */
import * as addresses from "../../api/addresses";
import { choose } from "../../parts/theme";

export type Doing = { id: string; words: string; to?: string; act?: () => void };
type May = { createContent: boolean; admin: boolean };

/** First of the space that is shown, then of the organization, then of who looks. */
export function places(org: string, place: string, may: May | undefined): Doing[] {
  const home = addresses.home(org);
  const space = new RegExp(`^${home}/s/([^/]+)`).exec(place)?.[1];
  const root = space ? addresses.space(org, space) : "";
  const within: Doing[] = space
    ? [
        { id: "a space-changes", words: "Change requests of this space", to: `${root}/~/changes` },
        { id: "a space-history", words: "History of this space", to: `${root}/~/history` },
        { id: "a space-files", words: "Files of this space", to: `${root}/~/files` },
        { id: "a space-links", words: "Broken links of this space", to: `${root}/~/links` },
        { id: "a space-settings", words: "Settings of this space", to: addresses.settings(org, space) },
      ]
    : [];
  const makes: Doing[] = may?.createContent
    ? [
        { id: "a new", words: "Make a new space", to: `${home}?new` },
        { id: "a import", words: "Import a file, a repository or a website", to: `${home}?import` },
        { id: "a site", words: "Make a new site", to: `${addresses.manage(org, "sites")}/new` },
      ]
    : [];
  return [
    ...within,
    { id: "a home", words: "Go to the home of the organization", to: home },
    { id: "a changes", words: "Look at change requests", to: `${home}/~/changes` },
    { id: "a told", words: "Look at notifications", to: `${home}/~/notifications` },
    ...makes,
    { id: "a sites", words: "Sites", to: addresses.manage(org, "sites") },
    { id: "a members", words: "Members of the organization", to: addresses.manage(org, "members") },
    ...(may?.admin ? [{ id: "a invite", words: "Invite people", to: addresses.manage(org, "invitations") }] : []),
    { id: "a settings", words: "Settings of the organization", to: addresses.manage(org, "settings") },
    { id: "a profile", words: "My profile", to: addresses.account() },
    { id: "a security", words: "My password and browsers", to: addresses.account("security") },
    { id: "a preferences", words: "What I am told of", to: addresses.account("notifications") },
    { id: "a tokens", words: "My API tokens", to: addresses.account("tokens") },
    { id: "a out", words: "Sign out", to: "/logout" },
  ];
}

export const themes: Doing[] = [
  { id: "t light", words: "Light theme", act: () => choose("light") },
  { id: "t dark", words: "Dark theme", act: () => choose("dark") },
  { id: "t system", words: "Theme of the system", act: () => choose("system") },
];
