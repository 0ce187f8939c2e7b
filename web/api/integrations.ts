/** Integrations: those there are, those that are installed, where, how they are configured, and what they were told. */
import { queryOptions } from "@tanstack/react-query";
import { all, api, must, Refusal, type Schemas } from "./client";

export type Integration = Schemas["Integration"];
export type Installation = Schemas["IntegrationInstallation"];
export type Event = Schemas["IntegrationEvent"];
export type Level = "account" | "space" | "site";
export type Values = Record<string, unknown>;
/** Where an integration is configured: for all of the organization, or on one space or site. */
export type Where = { level: Level; org: string; id: string };
/** On a space or a site. */
export type Placement = { id: string; status: Installation["status"]; configuration: Values };

const ONE = "/v1/integrations/{integrationName}";
const INSTALLED = `${ONE}/installations/{installationId}` as const;
const of = (integrationName: string, installationId: string) => ({ integrationName, installationId });

export const integrations = (organizationId: string) =>
  queryOptions({ queryKey: ["integrations", organizationId], queryFn: () => all((page) => must(api.GET("/v1/integrations", { params: { query: { page, limit: 100 } } }))) });
export const installations = (organizationId: string) =>
  queryOptions({ queryKey: ["installations", organizationId], queryFn: () => all((page) => must(api.GET("/v1/orgs/{organizationId}/installations", { params: { path: { organizationId }, query: { page, limit: 100 } } }))) });
export const integration = (integrationName: string) => queryOptions({ queryKey: ["integration", integrationName], queryFn: () => must(api.GET(ONE, { params: { path: { integrationName } } })) });

export const install = (integrationName: string, organization: string) => must(api.POST(`${ONE}/installations`, { params: { path: { integrationName } }, body: { organization } }));
export const uninstall = (name: string, id: string) => must(api.DELETE(INSTALLED, { params: { path: of(name, id) } }));
export const update = (name: string, id: string, body: Schemas["UpdateInstallation"]) => must(api.PATCH(INSTALLED, { params: { path: of(name, id) }, body }));

export const placements = (name: string, id: string, level: "space" | "site") =>
  queryOptions({
    queryKey: ["placements", name, id, level],
    queryFn: async (): Promise<Placement[]> => {
      if (level === "space") {
        const found = await all((page) => must(api.GET(`${INSTALLED}/spaces`, { params: { path: of(name, id), query: { page, limit: 100 } } })));
        return found.map((one) => ({ ...one, configuration: one.configuration as Values, id: typeof one.space === "string" ? one.space : one.space.id }));
      }
      const found = await all((page) => must(api.GET(`${INSTALLED}/sites`, { params: { path: of(name, id), query: { page, limit: 100 } } })));
      return found.map((one) => ({ ...one, configuration: one.configuration as Values, id: typeof one.site === "string" ? one.site : one.site.id }));
    },
  });
export async function place(name: string, id: string, level: "space" | "site", what: string): Promise<void> {
  if (level === "space") await must(api.POST(`${INSTALLED}/spaces`, { params: { path: of(name, id) }, body: { space: what } }));
  else await must(api.POST(`${INSTALLED}/sites`, { params: { path: of(name, id) }, body: { siteId: what } }));
}
export async function unplace(name: string, id: string, level: "space" | "site", what: string): Promise<void> {
  if (level === "space") await must(api.DELETE(`${INSTALLED}/spaces/{spaceId}`, { params: { path: { ...of(name, id), spaceId: what } } }));
  else await must(api.DELETE(`${INSTALLED}/sites/{siteId}`, { params: { path: { ...of(name, id), siteId: what } } }));
}
export async function configure(name: string, id: string, at: Where, configuration: Values): Promise<void> {
  const body = { configuration };
  if (at.level === "account") await must(api.PATCH(INSTALLED, { params: { path: of(name, id) }, body }));
  else if (at.level === "space") await must(api.PATCH(`${INSTALLED}/spaces/{spaceId}`, { params: { path: { ...of(name, id), spaceId: at.id } }, body }));
  else await must(api.PATCH(`${INSTALLED}/sites/{siteId}`, { params: { path: { ...of(name, id), siteId: at.id } }, body }));
}

/** What the integration's own screen shows, as its script draws it; `action` says what was pressed in it. */
export async function draw(integrationName: string, componentId: string, at: Where, props: Values, state?: Values, action?: Values): Promise<Values> {
  const named = at.level === "account" ? { organizationId: at.org } : at.level === "space" ? { spaceId: at.id } : { siteId: at.id };
  const context = { type: `configuration_${at.level}` as const, theme: "light" as const, ...named };
  return (await must(api.POST(`${ONE}/render`, { params: { path: { integrationName } }, body: { componentId, props, context, state, action } }))) as Values;
}

/** What it was told lately; null for who may not see that. */
export const events = (integrationName: string) =>
  queryOptions({
    queryKey: ["integration", integrationName, "events"],
    queryFn: () =>
      must(api.GET(`${ONE}/events`, { params: { path: { integrationName }, query: { limit: 30 } } })).then(
        (found) => found.items,
        (error: unknown) => {
          if (error instanceof Refusal && (error.status === 403 || error.status === 404)) return null;
          throw error;
        },
      ),
  });
export const traced = (integrationName: string, eventId: string) =>
  queryOptions({ queryKey: ["integration", integrationName, "events", eventId], queryFn: () => must(api.GET(`${ONE}/events/{eventId}`, { params: { path: { integrationName, eventId } } })) });
