/** The side of the screens for those who run the installation. */
import { Activity, ArrowLeft, Building2, ListChecks, Users } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import * as addresses from "../../api/addresses";
import { Nav } from "../../parts/nav";
import { Shell } from "../../parts/shell";

const PARTS = [
  { part: "", words: "Overview and health", icon: <Activity /> },
  { part: "jobs", words: "Jobs", icon: <ListChecks /> },
  { part: "organizations", words: "Organizations", icon: <Building2 /> },
  { part: "accounts", words: "Accounts", icon: <Users /> },
];

export function Side({ part, title, children }: { part: string; title: string; children: ReactNode }) {
  const side = (
    <>
      <Link href="/app" className="side-back"><ArrowLeft aria-hidden="true" />Home</Link>
      <p className="side-name">Installation</p>
      <Nav label="Installation" links={PARTS.map((one) => ({ href: addresses.installation(one.part), words: one.words, icon: one.icon, here: one.part === part }))} />
    </>
  );
  return <Shell side={side} sideName="Installation" title={title}>{children}</Shell>;
}
