/** The screens by which an organization is run; each is loaded when somebody is there. */
import { Suspense } from "react";
import { Redirect } from "wouter";
import * as addresses from "../../api/addresses";
import { screen } from "../../parts/screen";
import { Waiting } from "../../parts/waiting";

const SCREENS: Record<string, React.ComponentType<{ org: string; id?: string }>> = {
  sites: screen(() => import("./sites")),
  "sites/new": screen(() => import("./new-site")),
  members: screen(() => import("./members")),
  invitations: screen(() => import("./invitations")),
  teams: screen(() => import("./teams")),
  sso: screen(() => import("./sso")),
  directory: screen(() => import("./directory")),
  audit: screen(() => import("./audit")),
  openapi: screen(() => import("./openapi")),
  translations: screen(() => import("./translations")),
  integrations: screen(() => import("./integrations")),
  collections: screen(() => import("./collections")),
  webhooks: screen(() => import("./webhooks")),
  trash: screen(() => import("./trash")),
  settings: screen(() => import("./settings")),
};

export default function Manage({ org, part, id }: { org: string; part: string; id?: string }) {
  const Screen = (id && SCREENS[`${part}/${id}`]) || SCREENS[part];
  if (!Screen) return <Redirect to={addresses.manage(org, "sites")} replace />;
  return (
    <Suspense fallback={<main id="content" className="place"><Waiting /></main>}>
      <Screen org={org} id={id} />
    </Suspense>
  );
}
