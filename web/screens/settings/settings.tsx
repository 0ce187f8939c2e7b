/** The settings of a space: what it is, who may what, the branch that it follows. */
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, GitBranch, SearchX, Settings, Users } from "lucide-react";
import { Suspense } from "react";
import { Link } from "wouter";
import * as addresses from "../../api/addresses";
import { Refusal, sentence } from "../../api/client";
import { space } from "../../api/content";
import { useAccess } from "../../api/use-access";
import { Access } from "../../parts/access";
import { Asked } from "../../parts/asked";
import { ButtonLink } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { Help } from "../../parts/help";
import { Nav } from "../../parts/nav";
import { screen } from "../../parts/screen";
import { Head, Shell } from "../../parts/shell";
import { fail } from "../../parts/toast";
import { Waiting } from "../../parts/waiting";
import type { Shown } from "./at";

const General = screen(() => import("./general"));
const Git = screen(() => import("./git"));

const PARTS = [
  { part: "", words: "General", icon: <Settings />, screen: General },
  { part: "people", words: "People", icon: <Users />, screen: People },
  { part: "git", words: "Git", icon: <GitBranch />, screen: Git },
];

export default function SpaceSettings({ org, id, part = "" }: { org: string; id: string; part?: string }) {
  const asked = useQuery(space(id));
  if (asked.error instanceof Refusal && asked.error.status === 404)
    return (
      <main id="content" className="place">
        <Empty icon={<SearchX />} title="There is no such space" action={<ButtonLink href={addresses.home(org)}>Go home</ButtonLink>}>It was deleted, or nobody has given you a role on it.</Empty>
      </main>
    );
  const here = PARTS.find((one) => one.part === part) ?? PARTS[0]!;
  const Screen = here.screen;
  const side = (
    <>
      <Link href={addresses.space(org, id)} className="side-back"><ArrowLeft aria-hidden="true" />Pages</Link>
      <p className="side-title">{asked.data?.title ?? ""}</p>
      <Nav label="Settings" links={PARTS.map((one) => ({ href: addresses.settings(org, id, one.part), words: one.words, icon: one.icon, here: one === here }))} />
    </>
  );
  return (
    <Shell side={side} sideName="Settings" title={`${here.words} · ${asked.data?.title ?? "Space"}`}>
      <Asked of={asked} say={sentence}>{(one) => <Suspense fallback={<Waiting />}><Screen org={org} space={one} /></Suspense>}</Asked>
    </Shell>
  );
}

function People({ org, space: one }: Shown) {
  const { asked, props } = useAccess(org, { kind: "space", id: one.id }, one.defaultLevel, fail);
  return (
    <>
      <Head title="People" note="Who may what with this space, and the rule that says so." actions={<Help chapter="reference/roles" />} />
      <Asked of={asked} say={sentence}>{() => props && <Access {...props} mayEdit={one.permissions.admin} />}</Asked>
    </>
  );
}
