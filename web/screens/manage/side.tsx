/** The side of the screens by which an organization is run. */
import { ArrowLeft, AtSign, Braces, Building2, FolderClosed, Globe, KeyRound, Languages, Puzzle, ScrollText, Trash2, UserPlus, Users, UsersRound, Webhook } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import * as addresses from "../../api/addresses";
import { Nav } from "../../parts/nav";
import { Shell } from "../../parts/shell";

const GROUPS = [
  { name: "Publish", parts: [{ part: "sites", words: "Sites", icon: <Globe /> }] },
  {
    name: "People",
    parts: [
      { part: "members", words: "Members", icon: <Users /> },
      { part: "invitations", words: "Invitations", icon: <UserPlus /> },
      { part: "teams", words: "Teams", icon: <UsersRound /> },
      { part: "sso", words: "Single sign-on", icon: <KeyRound /> },
      { part: "directory", words: "Domains and SCIM", icon: <AtSign /> },
      { part: "audit", words: "Audit log", icon: <ScrollText /> },
    ],
  },
  {
    name: "Content",
    parts: [
      { part: "openapi", words: "OpenAPI", icon: <Braces /> },
      { part: "collections", words: "Collections", icon: <FolderClosed /> },
      { part: "translations", words: "Translations", icon: <Languages /> },
      { part: "integrations", words: "Integrations", icon: <Puzzle /> },
      { part: "webhooks", words: "Webhooks", icon: <Webhook /> },
      { part: "trash", words: "Trash", icon: <Trash2 /> },
    ],
  },
  { name: "Organization", parts: [{ part: "settings", words: "Settings", icon: <Building2 /> }] },
];

export function Manage({ org, part, title, children }: { org: string; part: string; title: string; children: ReactNode }) {
  const side = (
    <>
      <Link href={addresses.home(org)} className="side-back"><ArrowLeft aria-hidden="true" />Home</Link>
      {GROUPS.map(({ name, parts }) => (
        <div key={name}>
          <p className="side-name">{name}</p>
          <Nav label={name} links={parts.map((one) => ({ href: addresses.manage(org, one.part), words: one.words, icon: one.icon, here: one.part === part }))} />
        </div>
      ))}
    </>
  );
  return <Shell side={side} sideName="Manage" title={title}>{children}</Shell>;
}
