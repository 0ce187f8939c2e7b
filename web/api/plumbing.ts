/** What carries content in and out: Git, webhooks, API descriptions, the trash. */
import { queryOptions } from "@tanstack/react-query";
import { all, api, must, Refusal, type Schemas } from "./client";

export type Connection = Schemas["GitConnectionView"];
export type Operation = Schemas["GitOperationView"];
export type Webhook = Schemas["Webhook"];
export type Delivery = Schemas["WebhookDelivery"];
export type Spec = Schemas["OpenAPISpec"];

const GIT = "/v1/spaces/{spaceId}/git";
const ORG = "/v1/orgs/{organizationId}";

/** Null where the space follows no branch. */
export const connection = (spaceId: string) =>
  queryOptions({
    queryKey: ["git", spaceId, "connection"],
    queryFn: () =>
      must(api.GET(`${GIT}/connection`, { params: { path: { spaceId } } })).catch((error: unknown) => {
        if (error instanceof Refusal && error.status === 404) return null;
        throw error;
      }),
  });
export const connect = (spaceId: string, body: Schemas["ConnectGit"]) => must(api.PUT(`${GIT}/connection`, { params: { path: { spaceId } }, body }));
export const disconnect = (spaceId: string) => must(api.DELETE(`${GIT}/connection`, { params: { path: { spaceId } } }));
export const sync = (spaceId: string) => must(api.POST(`${GIT}/sync`, { params: { path: { spaceId } } }));
export const newKey = (spaceId: string) => must(api.POST(`${GIT}/connection/deploy-key`, { params: { path: { spaceId } } }));
export const hook = (spaceId: string) => must(api.POST(`${GIT}/connection/webhook`, { params: { path: { spaceId } } }));
export const unhook = (spaceId: string) => must(api.DELETE(`${GIT}/connection/webhook`, { params: { path: { spaceId } } }));

const busy = (one: { state: string }) => one.state === "queued" || one.state === "running";
const SOON = 1500;

export const operations = (spaceId: string) =>
  queryOptions({
    queryKey: ["git", spaceId, "operations"],
    queryFn: () => must(api.GET(`${GIT}/operations`, { params: { path: { spaceId }, query: { limit: 20 } } })),
    refetchInterval: (query) => (query.state.data?.items.some(busy) ? SOON : false),
  });
export const operation = (spaceId: string, operationId: string) =>
  queryOptions({
    queryKey: ["git", spaceId, "operation", operationId],
    queryFn: () => must(api.GET(`${GIT}/operations/{operationId}`, { params: { path: { spaceId, operationId } } })),
    refetchInterval: (query) => (query.state.data && busy(query.state.data) ? SOON : false),
  });

export const changeSpace = (spaceId: string, body: Schemas["UpdateSpace"]) => must(api.PATCH("/v1/spaces/{spaceId}", { params: { path: { spaceId } }, body }));
export const removeSpace = (spaceId: string) => must(api.DELETE("/v1/spaces/{spaceId}", { params: { path: { spaceId } } }));
export const restoreSpace = (spaceId: string) => must(api.POST("/v1/spaces/{spaceId}/restore", { params: { path: { spaceId } } }));
export const duplicateSpace = (spaceId: string) => must(api.POST("/v1/spaces/{spaceId}/duplicate", { params: { path: { spaceId } } }));
export const trash = (organizationId: string) =>
  queryOptions({
    queryKey: ["trash", organizationId],
    queryFn: () => all((page) => must(api.GET(`${ORG}/spaces`, { params: { path: { organizationId }, query: { page, limit: 200, deleted: true } } }))),
  });

export const webhooks = (organizationId: string) =>
  queryOptions({ queryKey: ["webhooks", organizationId], queryFn: () => all((page) => must(api.GET(`${ORG}/webhooks`, { params: { path: { organizationId }, query: { page, limit: 100 } } }))) });
export const makeWebhook = (organizationId: string, body: Schemas["CreateWebhook"]) => must(api.POST(`${ORG}/webhooks`, { params: { path: { organizationId } }, body }));
export const changeWebhook = (organizationId: string, webhookId: string, body: Schemas["UpdateWebhook"]) => must(api.PATCH(`${ORG}/webhooks/{webhookId}`, { params: { path: { organizationId, webhookId } }, body }));
export const removeWebhook = (organizationId: string, webhookId: string) => must(api.DELETE(`${ORG}/webhooks/{webhookId}`, { params: { path: { organizationId, webhookId } } }));
export const deliveries = (organizationId: string, webhookId: string) =>
  queryOptions({
    queryKey: ["webhooks", organizationId, webhookId, "deliveries"],
    queryFn: () => must(api.GET(`${ORG}/webhooks/{webhookId}/deliveries`, { params: { path: { organizationId, webhookId }, query: { limit: 50 } } })),
    refetchInterval: (query) => (query.state.data?.items.some((one) => one.state === "waiting") ? SOON * 2 : false),
  });
export const replay = (organizationId: string, webhookId: string, deliveryId: string) =>
  must(api.POST(`${ORG}/webhooks/{webhookId}/deliveries/{deliveryId}/replay`, { params: { path: { organizationId, webhookId, deliveryId } } }));

export const specs = (organizationId: string) =>
  queryOptions({
    queryKey: ["specs", organizationId],
    queryFn: () => all((page) => must(api.GET(`${ORG}/openapi`, { params: { path: { organizationId }, query: { page, limit: 100 } } }))),
    refetchInterval: (query) => (query.state.data?.some((one) => one.processingState !== "complete") ? SOON : false),
  });
export const putSpec = (organizationId: string, specSlug: string, source: Schemas["PutSpec"]["source"]) => must(api.PUT(`${ORG}/openapi/{specSlug}`, { params: { path: { organizationId, specSlug } }, body: { source } }));
export const addSpec = (organizationId: string, body: Schemas["CreateSpec"]) => must(api.POST(`${ORG}/openapi`, { params: { path: { organizationId } }, body }));
export const removeSpec = (organizationId: string, specSlug: string) => must(api.DELETE(`${ORG}/openapi/{specSlug}`, { params: { path: { organizationId, specSlug } } }));
export const versions = (organizationId: string, specSlug: string) =>
  queryOptions({
    queryKey: ["specs", organizationId, specSlug, "versions"],
    queryFn: () => must(api.GET(`${ORG}/openapi/{specSlug}/versions`, { params: { path: { organizationId, specSlug }, query: { limit: 50 } } })),
  });
