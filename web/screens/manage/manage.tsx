/** The screens by which an organization is run; each is loaded when somebody is there. */
import { lazy, Suspense } from "react";
import { Redirect } from "wouter";
import * as addresses from "../../api/addresses";
import { Waiting } from "../../parts/waiting";

const SCREENS: Record<string, ReturnType<typeof lazy<(props: { org: string; id?: string }) => React.ReactNode>>> = {
  sites: lazy(() => import("./sites")),
  "sites/new": lazy(() => import("./new-site")),
  members: lazy(() => import("./members")),
  invitations: lazy(() => import("./invitations")),
  teams: lazy(() => import("./teams")),
  sso: lazy(() => import("./sso")),
  directory: lazy(() => import("./directory")),
  audit: lazy(() => import("./audit")),
  openapi: lazy(() => import("./openapi")),
  translations: lazy(() => import("./translations")),
  integrations: lazy(() => import("./integrations")),
  collections: lazy(() => import("./collections")),
  webhooks: lazy(() => import("./webhooks")),
  trash: lazy(() => import("./trash")),
  settings: lazy(() => import("./settings")),
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
