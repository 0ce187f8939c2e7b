/** The account of who looks; each of its screens is loaded when somebody is there. */
import { ArrowLeft, Bell, KeyRound, ShieldCheck, UserRound } from "lucide-react";
import { Suspense } from "react";
import { Link, Redirect } from "wouter";
import * as addresses from "../../api/addresses";
import { last } from "../../parts/last";
import { Nav } from "../../parts/nav";
import { screen } from "../../parts/screen";
import { Shell } from "../../parts/shell";
import { Waiting } from "../../parts/waiting";

const SCREENS = {
  "": screen(() => import("./profile")),
  security: screen(() => import("./security")),
  notifications: screen(() => import("./preferences")),
  tokens: screen(() => import("./tokens")),
};
const PARTS = [
  { part: "", words: "Profile", icon: <UserRound /> },
  { part: "security", words: "Security", icon: <ShieldCheck /> },
  { part: "notifications", words: "Notifications", icon: <Bell /> },
  { part: "tokens", words: "API tokens", icon: <KeyRound /> },
];

export default function Account({ part = "" }: { part?: string }) {
  const Screen = SCREENS[part as keyof typeof SCREENS];
  if (!Screen) return <Redirect to={addresses.account()} replace />;
  const org = last();
  const side = (
    <>
      <Link href={org ? addresses.home(org) : "/app"} className="side-back"><ArrowLeft aria-hidden="true" />Home</Link>
      <p className="side-name">Your account</p>
      <Nav label="Your account" links={PARTS.map((one) => ({ href: addresses.account(one.part), words: one.words, icon: one.icon, here: one.part === part }))} />
    </>
  );
  return (
    <Shell side={side} sideName="Account" title={PARTS.find((one) => one.part === part)?.words ?? "Account"}>
      <Suspense fallback={<Waiting />}>
        <Screen />
      </Suspense>
    </Shell>
  );
}
