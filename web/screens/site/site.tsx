/** A site: what it is, and the screens by which it is built, styled, published and looked at. */
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, ChartNoAxesColumn, CornerUpRight, GitBranch, Globe, LayoutList, LockKeyhole, Palette, SearchX, Settings, Signpost, Users } from "lucide-react";
import { Suspense } from "react";
import { Link } from "wouter";
import * as addresses from "../../api/addresses";
import { Refusal, sentence } from "../../api/client";
import { site, type Site } from "../../api/queries";
import { Asked } from "../../parts/asked";
import { ButtonLink } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { Nav } from "../../parts/nav";
import { screen } from "../../parts/screen";
import { Shell } from "../../parts/shell";
import { Waiting } from "../../parts/waiting";
import type { At } from "./at";

const Overview = screen(() => import("./overview"));
const Structure = screen(() => import("./structure"));
const Audience = screen(() => import("./audience"));
const Look = screen(() => import("./look"));
const Address = screen(() => import("./address"));
const Redirects = screen(() => import("./redirects"));
const Insights = screen(() => import("./insights"));
const People = screen(() => import("./people"));
const Git = screen(() => import("./git"));
const Danger = screen(() => import("./settings"));

const PARTS = [
  { part: "", words: "Overview", icon: <Globe />, screen: Overview },
  { part: "structure", words: "Structure", icon: <LayoutList />, screen: Structure },
  { part: "audience", words: "Audience", icon: <LockKeyhole />, screen: Audience },
  { part: "look", words: "Look", icon: <Palette />, screen: Look },
  { part: "address", words: "Address", icon: <Signpost />, screen: Address },
  { part: "redirects", words: "Redirects", icon: <CornerUpRight />, screen: Redirects },
  { part: "insights", words: "Insights", icon: <ChartNoAxesColumn />, screen: Insights },
  { part: "people", words: "People", icon: <Users />, screen: People },
  { part: "git", words: "Git", icon: <GitBranch />, screen: Git },
  { part: "settings", words: "Settings", icon: <Settings />, screen: Danger },
];

export default function SiteScreen({ org, id, part = "" }: { org: string; id: string; part?: string }) {
  const asked = useQuery(site(org, id));
  if (asked.error instanceof Refusal && asked.error.status === 404)
    return (
      <main id="content" className="place">
        <Empty icon={<SearchX />} title="There is no such site" action={<ButtonLink href={addresses.manage(org, "sites")}>All sites</ButtonLink>}>
          It was deleted, or nobody has given you a role on it.
        </Empty>
      </main>
    );
  const at: At = { org, site: id };
  const here = PARTS.find((one) => one.part === part) ?? PARTS[0]!;
  const Screen = here.screen;
  return (
    <Shell side={<Side at={at} one={asked.data} part={here.part} />} sideName="Site" title={`${here.words} · ${asked.data?.title ?? "Site"}`}>
      <Asked of={asked} say={sentence}>
        {(one) => (
          <Suspense fallback={<Waiting />}>
            <Screen at={at} site={one} />
          </Suspense>
        )}
      </Asked>
    </Shell>
  );
}

function Side({ at, one, part }: { at: At; one?: Site; part: string }) {
  return (
    <>
      <Link href={addresses.manage(at.org, "sites")} className="side-back"><ArrowLeft aria-hidden="true" />All sites</Link>
      <p className="side-title">{one?.title ?? ""}</p>
      <Nav label="Site" links={PARTS.map(({ part: name, words, icon }) => ({ href: addresses.site(at.org, at.site, name), words, icon, here: name === part }))} />
    </>
  );
}
