/** What stands around every screen: where one is, search, what waits, who one is; and the word that the session is over. */
import { useQuery } from "@tanstack/react-query";
import { Bell, ChevronsUpDown, Monitor, Moon, Search, Sun } from "lucide-react";
import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { Link, useLocation } from "wouter";
import * as addresses from "../../api/addresses";
import { information } from "../../api/installation";
import { me, notifications, organizations } from "../../api/queries";
import { forget, session, token } from "../../api/token";
import { Avatar } from "../../parts/avatar";
import { Button } from "../../parts/button";
import { Actions, Dialog } from "../../parts/dialog";
import { last } from "../../parts/last";
import { type Choice, Menu } from "../../parts/menu";
import { choose, useTheme } from "../../parts/theme";
import { Palette } from "./palette";
import "./frame.css";

const THEMES = [
  { id: "system", words: "As the system", icon: <Monitor /> },
  { id: "light", words: "Light", icon: <Sun /> },
  { id: "dark", words: "Dark", icon: <Moon /> },
] as const;

export function Frame({ children }: { children: ReactNode }) {
  const [place] = useLocation();
  // The account belongs to no organization: around it stands the one that was open last.
  const org = /^\/app\/o\/([^/]+)/.exec(place)?.[1] ?? (place.startsWith(addresses.account()) ? (last() ?? undefined) : undefined);
  const [finding, setFinding] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      // An editor has its own use for some keys. It lies in a shadow, out of which a key seems to come from what holds it.
      if (event.defaultPrevented) return;
      const target = event.composedPath()[0];
      const typing = target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable=true]");
      const palette = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
      if (!palette && !(event.key === "/" && !typing)) return;
      event.preventDefault();
      setFinding(true);
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return (
    <>
      <a className="skip" href="#content">Skip to content</a>
      <header className="bar">
        <Brand org={org} />
        <button type="button" className="bar-search" onClick={() => setFinding(true)}>
          <Search aria-hidden="true" />
          <span className="grow">Search</span>
          <kbd>Ctrl K</kbd>
        </button>
        <div className="bar-end">
          <Waits org={org} />
          <Account />
        </div>
      </header>
      {children}
      <Palette org={org} open={finding} onClose={() => setFinding(false)} />
      <Over />
    </>
  );
}

function Brand({ org }: { org?: string }) {
  const [, go] = useLocation();
  const { data = [] } = useQuery(organizations);
  const here = data.find((one) => one.id === org);
  const mark = document.querySelector<HTMLLinkElement>("link[rel=icon]")?.href;
  return (
    <div className="bar-brand">
      <Link href={org ? addresses.home(org) : "/app"} className="brand" aria-label={here ? `Home of ${here.title}` : "Octavo"}>
        <img src={mark} alt="" width={26} height={26} />
        <span className="clip">{here?.title ?? "Octavo"}</span>
      </Link>
      {data.length > 1 && (
        <Menu
          label="Organizations"
          button={<Button small look="quiet" aria-label="Another organization" icon={<ChevronsUpDown />} />}
          choices={data.map((one) => ({ id: one.id, words: one.title, chosen: one.id === org, act: () => go(addresses.home(one.id)) }))}
        />
      )}
    </div>
  );
}

function Waits({ org }: { org?: string }) {
  const { data } = useQuery(notifications("unread"));
  if (!org) return null;
  const unread = data?.unread ?? 0;
  return (
    <Link href={`${addresses.home(org)}/~/notifications`} className="bar-bell" aria-label={unread ? `Notifications, ${unread} unread` : "Notifications"}>
      <Bell aria-hidden="true" />
      {unread > 0 && <span aria-hidden="true">{unread > 99 ? "99+" : unread}</span>}
    </Link>
  );
}

function Account() {
  const { data } = useQuery(me);
  const operates = useQuery(information).data?.permissions.operate;
  const [, go] = useLocation();
  const theme = useTheme();
  const choices: Choice[] = [
    ...THEMES.map((one) => ({ ...one, chosen: theme === one.id, act: () => choose(one.id) })),
    { id: "rule", rule: true },
    { id: "profile", words: "Profile", act: () => go(addresses.account()) },
    { id: "told", words: "What I am told of", act: () => go(addresses.account("notifications")) },
    { id: "tokens", words: "API tokens", act: () => go(addresses.account("tokens")) },
    ...(operates ? [{ id: "installation", words: "The installation", act: () => go(addresses.installation()) }] : []),
    { id: "rule2", rule: true },
    { id: "out", words: "Sign out", act: () => location.assign("/logout") },
  ];
  const name = data?.displayName ?? "You";
  return (
    <Menu
      label="Your account"
      head={data ? `${name} · ${data.email}` : "Your account"}
      button={<Button look="quiet" small aria-label={`Account of ${name}`} icon={<Avatar name={name} picture={data?.photoURL} />} />}
      choices={choices}
    />
  );
}

/** Nothing that was typed is lost: signing in happens in another tab, and this page goes on. */
function Over() {
  const over = useSyncExternalStore(session.watch, session.isOver);
  const [still, setStill] = useState(false);
  const again = async () => {
    forget();
    setStill(await token().then(() => false, () => true));
  };
  return (
    <Dialog title="Your session is over" open={over} onClose={() => undefined} urgent>
      <p>Sign in again in another tab, then go on here. What you typed is still on this page.</p>
      {still && <p className="wrong" role="alert">Nobody is signed in with this browser yet.</p>}
      <Actions>
        <a className="button plain" href="/login?next=/app" target="_blank" rel="noopener">Sign in</a>
        <Button look="primary" onPress={() => void again()}>Go on</Button>
      </Actions>
    </Dialog>
  );
}
