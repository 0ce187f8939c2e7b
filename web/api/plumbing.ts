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
export const tried = (spaceId: string, body: Schemas["TryGit"]) => must(api.POST(`${GIT}/try`, { params: { path: { spaceId } }, body }));
export const disconnect = (spaceId: string) => must(api.DELETE(`${GIT}/connection`, { params: { path: { spaceId } } }));
export const sync = (spaceId: string) => must(api.POST(`${GIT}/sync`, { params: { path: { spaceId } } }));
export const newKey = (spaceId: string) => must(api.POST(`${GIT}/connection/deploy-key`, { params: { path: { spaceId } } }));
export const hook = (spaceId: string) => must(api.POST(`${GIT}/connection/webhook`, { params: { path: { spaceId } } }));
export const unhook = (spaceId: string) => must(api.DELETE(`${GIT}/connection/webhook`, { params: { path: { spaceId } } }));

/** The change request that holds what a branch has, where it contradicts the space. */
export const held = (spaceId: string, changeRequestId: string) =>
  queryOptions({
    queryKey: ["git", spaceId, "held", changeRequestId],
    queryFn: () => must(api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}", { params: { path: { spaceId, changeRequestId } } })),
  });

/** A signed address at which the change request of a branch is read as its site would show it. */
export const ahead = (spaceId: string, changeRequestId: string) =>
  queryOptions({
    queryKey: ["git", spaceId, "ahead", changeRequestId],
    queryFn: () => must(api.GET("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/preview", { params: { path: { spaceId, changeRequestId } } })),
    retry: false,
  });

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

export type Branch = Schemas["GitBranchView"];
/** Other branches of the repository that change requests follow. */
export const branches = (spaceId: string) =>
  queryOptions({
    queryKey: ["git", spaceId, "branches"],
    queryFn: () => all((page) => must(api.GET(`${GIT}/branches`, { params: { path: { spaceId }, query: { page, limit: 200 } } }))),
  });

const SITE_GIT = "/v1/orgs/{organizationId}/sites/{siteId}/git";
type OfSite = { org: string; site: string };
const ofSite = (at: OfSite) => ({ organizationId: at.org, siteId: at.site });
export type SiteOperation = Schemas["GitSiteOperationView"];

/** Null where the site follows no branch. */
export const siteConnection = (at: OfSite) =>
  queryOptions({
    queryKey: ["git", at.site, "connection"],
    queryFn: () =>
      must(api.GET(`${SITE_GIT}/connection`, { params: { path: ofSite(at) } })).catch((error: unknown) => {
        if (error instanceof Refusal && error.status === 404) return null;
        throw error;
      }),
  });
export const connectSite = (at: OfSite, body: Schemas["ConnectGit"]) => must(api.PUT(`${SITE_GIT}/connection`, { params: { path: ofSite(at) }, body }));
export const disconnectSite = (at: OfSite) => must(api.DELETE(`${SITE_GIT}/connection`, { params: { path: ofSite(at) } }));
export const siteHook = (at: OfSite) => must(api.POST(`${SITE_GIT}/connection/webhook`, { params: { path: ofSite(at) } }));
export const siteUnhook = (at: OfSite) => must(api.DELETE(`${SITE_GIT}/connection/webhook`, { params: { path: ofSite(at) } }));
export const syncSite = (at: OfSite, keep?: "git" | "site") => must(api.POST(`${SITE_GIT}/sync`, { params: { path: ofSite(at) }, body: { keep } }));
export const siteOperations = (at: OfSite) =>
  queryOptions({
    queryKey: ["git", at.site, "operations"],
    queryFn: () => must(api.GET(`${SITE_GIT}/operations`, { params: { path: ofSite(at), query: { limit: 20 } } })),
    refetchInterval: (query) => (query.state.data?.items.some(busy) ? SOON : false),
  });
export const siteOperation = (at: OfSite, operationId: string) =>
  queryOptions({
    queryKey: ["git", at.site, "operation", operationId],
    queryFn: () => must(api.GET(`${SITE_GIT}/operations/{operationId}`, { params: { path: { ...ofSite(at), operationId } } })),
    refetchInterval: (query) => (query.state.data && busy(query.state.data) ? SOON : false),
  });

export const exportSpace = (spaceId: string) => must(api.POST("/v1/spaces/{spaceId}/content/export", { params: { path: { spaceId } } }));

export const changeCollection = (collectionId: string, body: Schemas["UpdateCollection"]) => must(api.PATCH("/v1/collections/{collectionId}", { params: { path: { collectionId } }, body }));
export const removeCollection = (collectionId: string) => must(api.DELETE("/v1/collections/{collectionId}", { params: { path: { collectionId } } }));
export const makeCollection = (organizationId: string, body: Schemas["CreateCollection"]) => must(api.POST(`${ORG}/collections`, { params: { path: { organizationId } }, body }));
export const moveCollection = (collectionId: string, parent: string | null) => must(api.POST("/v1/collections/{collectionId}/move", { params: { path: { collectionId } }, body: { parent } }));

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
    // Asked while somebody looks at it: what has just happened is told within moments.
    refetchInterval: SOON * 2,
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
/** The description itself, as JSON. */
export const specOf = async (organizationId: string, specSlug: string, versionId: string): Promise<unknown> =>
  (await must(api.GET(`${ORG}/openapi/{specSlug}/versions/{versionId}/content`, { params: { path: { organizationId, specSlug, versionId } } }))).filesystem[0]?.specification;
export const versionText = (organizationId: string, specSlug: string, versionId: string) =>
  queryOptions({
    queryKey: ["specs", organizationId, specSlug, "text", versionId],
    queryFn: () => must(api.GET(`${ORG}/openapi/{specSlug}/versions/{versionId}/content`, { params: { path: { organizationId, specSlug, versionId } } })),
    staleTime: Infinity,
  });
export const versions = (organizationId: string, specSlug: string) =>
  queryOptions({
    queryKey: ["specs", organizationId, specSlug, "versions"],
    queryFn: () => must(api.GET(`${ORG}/openapi/{specSlug}/versions`, { params: { path: { organizationId, specSlug }, query: { limit: 50 } } })),
  });
