/** The application: its addresses, and the screens that are loaded when somebody is there. */
import { QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { I18nProvider, RouterProvider } from "react-aria-components";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { Answers } from "./api/answers";
import { LIVE } from "./api/live";
import "./parts/tokens.css";
import { loadAhead, screen } from "./parts/screen";
import { Trouble } from "./parts/trouble";
import { Waiting } from "./parts/waiting";
import { Toasts } from "./parts/toast";
import { allowEmptying } from "./parts/trusted";
import { Frame } from "./screens/frame/frame";
import { Start } from "./screens/frame/start";

const Home = screen(() => import("./screens/organization/home"));
const Requests = screen(() => import("./screens/organization/requests"));
const Notifications = screen(() => import("./screens/organization/notifications"));
const Named = screen(() => import("./screens/organization/named"));
const Space = screen(() => import("./screens/space/space"));
const Write = screen(() => import("./screens/write/write"));
const New = screen(() => import("./screens/write/new"));
const SiteScreen = screen(() => import("./screens/site/site"));
const Manage = screen(() => import("./screens/manage/manage"));
const SpaceSettings = screen(() => import("./screens/settings/settings"));
const Account = screen(() => import("./screens/account/account"));
const Installation = screen(() => import("./screens/installation/installation"));
const Gallery = screen(() => import("./screens/parts/gallery"));

allowEmptying();
loadAhead();

const queries = new Answers();

function Routed({ children }: { children: ReactNode }) {
  const [, go] = useLocation();
  return <RouterProvider navigate={go}>{children}</RouterProvider>;
}

function Places() {
  return (
    <Switch>
      <Route path="/app">{() => <Start />}</Route>
      <Route path="/app/~/parts">{() => <Gallery />}</Route>
      <Route path="/app/~/account">{() => <Account />}</Route>
      <Route path="/app/~/account/:part">{({ part }) => <Account part={part} />}</Route>
      <Route path="/app/~/installation">{() => <Installation />}</Route>
      <Route path="/app/~/installation/:part">{({ part }) => <Installation part={part} />}</Route>
      <Route path="/app/o/:org">{({ org }) => <Home org={org} />}</Route>
      <Route path="/app/o/:org/~/changes">{({ org }) => <Requests org={org} />}</Route>
      <Route path="/app/o/:org/~/notifications">{({ org }) => <Notifications org={org} />}</Route>
      <Route path="/app/o/:org/~/:part">{({ org, part }) => <Manage org={org} part={part} />}</Route>
      <Route path="/app/o/:org/~/:part/:id">{({ org, part, id }) => <Manage org={org} part={part} id={id} />}</Route>
      <Route path="/app/o/:org/sites/:id">{({ org, id }) => <SiteScreen key={id} org={org} id={id} />}</Route>
      <Route path="/app/o/:org/sites/:id/~/:part">{({ org, id, part }) => <SiteScreen key={id} org={org} id={id} part={part} />}</Route>
      <Route path="/app/o/:org/c/:id">{({ org, id }) => <Home org={org} collection={id} />}</Route>
      <Route path="/app/o/:org/:kind/:id">{({ org, kind, id }) => (kind === "s" ? <Space org={org} id={id} rest="" /> : <Named org={org} kind={kind} id={id} />)}</Route>
      <Route path="/app/o/:org/s/:id/~/changes/:number/~/edit/:page">
        {(at) => <Write key={`${at.number} ${at.page}`} org={at.org} space={at.id} number={Number(at.number)} page={at.page} />}
      </Route>
      <Route path="/app/o/:org/s/:id/~/changes/:number/~/new">{(at) => <New org={at.org} space={at.id} number={Number(at.number)} />}</Route>
      <Route path="/app/o/:org/s/:id/~/edit/:page">{(at) => <Write key={at.page} org={at.org} space={at.id} number={LIVE} page={at.page} />}</Route>
      <Route path="/app/o/:org/s/:id/~/new">{(at) => <New org={at.org} space={at.id} number={LIVE} />}</Route>
      <Route path="/app/o/:org/s/:id/~/settings">{({ org, id }) => <SpaceSettings org={org} id={id} />}</Route>
      <Route path="/app/o/:org/s/:id/~/settings/:part">{({ org, id, part }) => <SpaceSettings org={org} id={id} part={part} />}</Route>
      <Route path="/app/o/:org/s/:id/*">{(found) => <Space org={found.org} id={found.id} rest={found["*"]} />}</Route>
      <Route>{() => <Redirect to="/app" replace />}</Route>
    </Switch>
  );
}

createRoot(document.getElementById("app")!).render(
  <StrictMode>
    <I18nProvider locale="en">
      <QueryClientProvider client={queries}>
        <Routed>
          <Trouble>
            <Frame>
              <Suspense fallback={<main id="content" className="place"><Waiting /></main>}>
                <Places />
              </Suspense>
            </Frame>
            <Toasts />
          </Trouble>
        </Routed>
      </QueryClientProvider>
    </I18nProvider>
  </StrictMode>,
);
