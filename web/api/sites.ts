/** Sites: what they show and in which order, to whom, in which look, at which address. */
import { queryOptions } from "@tanstack/react-query";
import { all, api, must, type Schemas } from "./client";

export type SiteSpace = Schemas["SiteSpace"];
export type Section = Schemas["SiteSection"];
export type Group = Schemas["SiteSectionGroup"];
export type External = Schemas["SiteExternalLink"];
export type Top = Section | Group | External;
export type Structure = Schemas["Sectioned"] | Schemas["Flat"];
export type Customization = Schemas["ServedCustomization"];
export type ShareLink = Schemas["ShareLink"];
export type Redirect = Schemas["Redirect"];
export type Outcome = Schemas["Outcome"];
export type Pointer = Schemas["ItemPointer"];

const ONE = "/v1/orgs/{organizationId}/sites/{siteId}";
const path = (organizationId: string, siteId: string) => ({ organizationId, siteId });

export const structure = (org: string, siteId: string) =>
  queryOptions({ queryKey: ["site", siteId, "structure"], queryFn: () => must(api.GET(`${ONE}/structure`, { params: { path: path(org, siteId) } })) });

export const create = (organizationId: string, body: Schemas["CreateSite"]) =>
  must(api.POST("/v1/orgs/{organizationId}/sites", { params: { path: { organizationId } }, body }));

export const change = (org: string, siteId: string, body: Schemas["UpdateSite"]) => must(api.PATCH(ONE, { params: { path: path(org, siteId) }, body }));

export const remove = (org: string, siteId: string) => must(api.DELETE(ONE, { params: { path: path(org, siteId) } }));

export const published = (org: string, siteId: string, is: boolean) =>
  must(is ? api.POST(`${ONE}/publish`, { params: { path: path(org, siteId) } }) : api.POST(`${ONE}/unpublish`, { params: { path: path(org, siteId) } }));

export const sort = (org: string, siteId: string, body: Schemas["SortStructure"]) =>
  must(api.PATCH(`${ONE}/structure/sort`, { params: { path: path(org, siteId) }, body }));

export const addSection = (org: string, siteId: string, body: Schemas["AddSection"]) =>
  must(api.POST(`${ONE}/sections`, { params: { path: path(org, siteId) }, body }));

export const changeSection = (org: string, siteId: string, siteSectionId: string, body: Schemas["UpdateSection"]) =>
  must(api.PATCH(`${ONE}/sections/{siteSectionId}`, { params: { path: { ...path(org, siteId), siteSectionId } }, body }));

export const addGroup = (org: string, siteId: string, body: Schemas["CreateSectionGroup"]) =>
  must(api.POST(`${ONE}/section-groups`, { params: { path: path(org, siteId) }, body }));

export const changeGroup = (org: string, siteId: string, siteSectionGroupId: string, body: Schemas["UpdateSectionGroup"]) =>
  must(api.PATCH(`${ONE}/section-groups/{siteSectionGroupId}`, { params: { path: { ...path(org, siteId), siteSectionGroupId } }, body }));

export const addVariant = (org: string, siteId: string, body: Schemas["AddSpace"]) =>
  must(api.POST(`${ONE}/site-spaces`, { params: { path: path(org, siteId) }, body }));

export const changeVariant = (org: string, siteId: string, siteSpaceId: string, body: Schemas["UpdateSiteSpace"]) =>
  must(api.PATCH(`${ONE}/site-spaces/{siteSpaceId}`, { params: { path: { ...path(org, siteId), siteSpaceId } }, body }));

export const addExternal = (org: string, siteId: string, body: Schemas["AddExternalLink"]) =>
  must(api.POST(`${ONE}/external-links`, { params: { path: path(org, siteId) }, body }));

export const changeExternal = (org: string, siteId: string, externalLinkId: string, body: Schemas["UpdateExternalLink"]) =>
  must(api.PATCH(`${ONE}/external-links/{externalLinkId}`, { params: { path: { ...path(org, siteId), externalLinkId } }, body }));

/** Take something out of the structure; the space that it shows stays. */
export function removeItem(org: string, siteId: string, { type, id }: Pointer) {
  const own = path(org, siteId);
  switch (type) {
    case "site-section":
      return must(api.DELETE(`${ONE}/sections/{siteSectionId}`, { params: { path: { ...own, siteSectionId: id } } }));
    case "site-section-group":
      return must(api.DELETE(`${ONE}/section-groups/{siteSectionGroupId}`, { params: { path: { ...own, siteSectionGroupId: id } } }));
    case "site-space":
      return must(api.DELETE(`${ONE}/site-spaces/{siteSpaceId}`, { params: { path: { ...own, siteSpaceId: id } } }));
    case "site-external-link":
      return must(api.DELETE(`${ONE}/external-links/{externalLinkId}`, { params: { path: { ...own, externalLinkId: id } } }));
  }
}

export const customization = (org: string, siteId: string) =>
  queryOptions({
    queryKey: ["site", siteId, "customization"],
    queryFn: () => must(api.GET(`${ONE}/customization`, { params: { path: path(org, siteId) } })),
  });

export const setCustomization = (org: string, siteId: string, body: Schemas["UpdateCustomization"]) =>
  must(api.PUT(`${ONE}/customization`, { params: { path: path(org, siteId) }, body }));

/** What one variant has of its own, over that of the site. */
export const override = (org: string, siteId: string, siteSpaceId: string) =>
  queryOptions({
    queryKey: ["site", siteId, "customization", siteSpaceId],
    queryFn: () => must(api.GET(`${ONE}/site-spaces/{siteSpaceId}/customization`, { params: { path: { ...path(org, siteId), siteSpaceId } } })),
  });

export const setOverride = (org: string, siteId: string, siteSpaceId: string, body: Schemas["OverrideCustomization"]) =>
  must(api.PATCH(`${ONE}/site-spaces/{siteSpaceId}/customization`, { params: { path: { ...path(org, siteId), siteSpaceId } }, body }));

export const clearOverride = (org: string, siteId: string, siteSpaceId: string) =>
  must(api.DELETE(`${ONE}/site-spaces/{siteSpaceId}/customization`, { params: { path: { ...path(org, siteId), siteSpaceId } } }));

export const shareLinks = (org: string, siteId: string) =>
  queryOptions({
    queryKey: ["site", siteId, "share-links"],
    queryFn: () => all((page) => must(api.GET(`${ONE}/share-links`, { params: { path: path(org, siteId), query: { page, limit: 100 } } }))),
  });

export const addShareLink = (org: string, siteId: string, name: string) =>
  must(api.POST(`${ONE}/share-links`, { params: { path: path(org, siteId) }, body: { name } }));

export const changeShareLink = (org: string, siteId: string, linkId: string, body: Schemas["UpdateShareLink"]) =>
  must(api.PATCH(`${ONE}/share-links/{linkId}`, { params: { path: { ...path(org, siteId), linkId } }, body }));

export const removeShareLink = (org: string, siteId: string, linkId: string) =>
  must(api.DELETE(`${ONE}/share-links/{linkId}`, { params: { path: { ...path(org, siteId), linkId } } }));

export const auth = (org: string, siteId: string) =>
  queryOptions({ queryKey: ["site", siteId, "auth"], queryFn: () => must(api.GET(`${ONE}/publishing/auth`, { params: { path: path(org, siteId) } })) });

export const changeAuth = (org: string, siteId: string, body: Schemas["UpdatePublishingAuth"]) =>
  must(api.PATCH(`${ONE}/publishing/auth`, { params: { path: path(org, siteId) }, body }));

export const newKey = (org: string, siteId: string) => must(api.POST(`${ONE}/publishing/auth/regenerate`, { params: { path: path(org, siteId) } }));

export const schema = (org: string, siteId: string) =>
  queryOptions({
    queryKey: ["site", siteId, "schema"],
    queryFn: () =>
      must(api.GET(`${ONE}/adaptive-schema`, { params: { path: path(org, siteId) } })).catch((error: unknown) => {
        // None was written yet.
        if ((error as { status?: number }).status === 404) return null;
        throw error;
      }),
  });

export const setSchema = (org: string, siteId: string, jsonSchema: Schemas["JsonSchema"]) =>
  must(api.PUT(`${ONE}/adaptive-schema`, { params: { path: path(org, siteId) }, body: { jsonSchema } }));

export const conditions = (org: string, siteId: string) =>
  queryOptions({
    queryKey: ["site", siteId, "schema", "conditions"],
    queryFn: () => must(api.GET(`${ONE}/adaptive-schema/template-conditions`, { params: { path: path(org, siteId) } })),
  });

export type Shown = Schemas["SitePreview"];

/** An address that shows the site ahead of its readers, as a visitor with these claims would see it. */
export const preview = (org: string, siteId: string, query: { claims?: string; draft?: boolean; siteSpace?: string } = {}) =>
  must(api.GET(`${ONE}/publishing/preview`, { params: { path: path(org, siteId), query } }));

export const host = (hostnameId: string) =>
  queryOptions({
    queryKey: ["host", hostnameId],
    queryFn: () => must(api.GET("/v1/custom-hostnames/{hostnameId}", { params: { path: { hostnameId } } })),
    refetchInterval: 30_000,
  });

export const checkHost = (hostnameId: string) => must(api.PATCH("/v1/custom-hostnames/{hostnameId}", { params: { path: { hostnameId } } }));

export const redirects = (org: string, siteId: string, search: string) =>
  queryOptions({
    queryKey: ["site", siteId, "redirects", search],
    queryFn: () =>
      must(api.GET(`${ONE}/redirects`, { params: { path: path(org, siteId), query: { limit: 200, search: search || undefined, orderBy: "source" } } })),
  });

export const addRedirect = (org: string, siteId: string, body: Schemas["CreateRedirect"]) =>
  must(api.POST(`${ONE}/redirects`, { params: { path: path(org, siteId) }, body }));

export const removeRedirect = (org: string, siteId: string, redirectId: string) =>
  must(api.DELETE(`${ONE}/redirects/{redirectId}`, { params: { path: { ...path(org, siteId), redirectId } } }));

export const importRedirects = (org: string, siteId: string, csv: string) =>
  must(api.POST(`${ONE}/redirects/csv`, { params: { path: path(org, siteId) }, body: { csv } }));

export const exportRedirects = (org: string, siteId: string) =>
  must(api.GET(`${ONE}/redirects/csv`, { params: { path: path(org, siteId) }, parseAs: "text" }));
