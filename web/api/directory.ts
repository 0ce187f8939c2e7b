/** Where people come from: domains that an organization proves, and tokens for SCIM. */
import { queryOptions } from "@tanstack/react-query";
import { all, api, must, type Schemas } from "./client";

export type Domain = Schemas["Domain"];
export type ScimToken = Schemas["ScimToken"];

const ORG = "/v1/orgs/{organizationId}";
const path = (organizationId: string) => ({ organizationId });
/** Soon after somebody has asked for a look, the job has been there. */
const AGAIN = 5000;

export const domains = (org: string) =>
  queryOptions({
    queryKey: ["domains", org],
    queryFn: () => all((page) => must(api.GET(`${ORG}/domains`, { params: { path: path(org), query: { page, limit: 200 } } }))),
    refetchInterval: (query) => (query.state.data?.some((one) => one.status === "pending") ? AGAIN : false),
  });
export const claimDomain = (org: string, domain: string) => must(api.POST(`${ORG}/domains`, { params: { path: path(org) }, body: { domain } }));
export const checkDomain = (org: string, domainName: string) => must(api.POST(`${ORG}/domains/{domainName}/check`, { params: { path: { ...path(org), domainName } } }));
export const removeDomain = (org: string, domainName: string) => must(api.DELETE(`${ORG}/domains/{domainName}`, { params: { path: { ...path(org), domainName } } }));

export const scimTokens = (org: string) =>
  queryOptions({ queryKey: ["scim-tokens", org], queryFn: () => all((page) => must(api.GET(`${ORG}/scim/tokens`, { params: { path: path(org), query: { page, limit: 200 } } }))) });
export const makeScimToken = (org: string, label: string) => must(api.POST(`${ORG}/scim/tokens`, { params: { path: path(org) }, body: { label } }));
export const revokeScimToken = (org: string, scimTokenId: string) => must(api.DELETE(`${ORG}/scim/tokens/{scimTokenId}`, { params: { path: { ...path(org), scimTokenId } } }));
