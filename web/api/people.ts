/** The people of an organization: members and guests, invitations, teams, single sign-on, what they did. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { all, api, must, type Schemas } from "./client";
import type { Role } from "./access";

export type Member = Schemas["Member"];
export type Provider = Schemas["SamlProvider"];
export type Event = Schemas["AuditEvent"];

const ORG = "/v1/orgs/{organizationId}";
const path = (organizationId: string) => ({ organizationId });

export const ROLES: { value: Role; words: string; may: string }[] = [
  { value: "read", words: "Reader", may: "sees content" },
  { value: "comment", words: "Commenter", may: "also comments" },
  { value: "edit", words: "Editor", may: "also proposes changes" },
  { value: "review", words: "Reviewer", may: "also reviews and merges" },
  { value: "create", words: "Creator", may: "also makes spaces and sites" },
  { value: "admin", words: "Admin", may: "also changes settings and access" },
];
export const roleWords = (role: Role | null | undefined): string => ROLES.find((one) => one.value === role)?.words ?? "Guest";

export const people = (organizationId: string, of: { search: string; role: string; page?: string }) =>
  queryOptions({
    queryKey: ["members", organizationId, of],
    queryFn: () =>
      must(api.GET(`${ORG}/members`, { params: { path: path(organizationId), query: { search: of.search || undefined, role: (of.role || undefined) as Role | undefined, page: of.page, limit: 50, sort: "name" } } })),
  });

export const changeMember = (org: string, userId: string, role: Role | null) => must(api.PATCH(`${ORG}/members/{userId}`, { params: { path: { ...path(org), userId } }, body: { role } }));
export const removeMember = (org: string, userId: string) => must(api.DELETE(`${ORG}/members/{userId}`, { params: { path: { ...path(org), userId } } }));

export const memberSpaces = (org: string, userId: string) =>
  queryOptions({
    queryKey: ["member-spaces", org, userId],
    queryFn: () => all((page) => must(api.GET(`${ORG}/members/{userId}/spaces`, { params: { path: { ...path(org), userId }, query: { page, limit: 200 } } }))),
  });

export const invitations = (org: string) =>
  queryOptions({ queryKey: ["invitations", org], queryFn: () => all((page) => must(api.GET(`${ORG}/invites`, { params: { path: path(org), query: { page, limit: 200 } } }))) });
export const inviteLinks = (org: string) =>
  queryOptions({ queryKey: ["invite-links", org], queryFn: () => all((page) => must(api.GET(`${ORG}/link-invites`, { params: { path: path(org), query: { page, limit: 200 } } }))) });
export const invite = (org: string, emails: string[], role: Role | null) => must(api.POST(`${ORG}/invites`, { params: { path: path(org) }, body: { emails, role } }));
export const takeBack = (org: string, inviteId: string) => must(api.DELETE(`${ORG}/invites/{inviteId}`, { params: { path: { ...path(org), inviteId } } }));
export const makeLink = (org: string, body: Schemas["CreateInvite"]) => must(api.POST(`${ORG}/link-invites`, { params: { path: path(org) }, body }));
export const removeLink = (org: string, inviteId: string) => must(api.DELETE(`${ORG}/link-invites/{inviteId}`, { params: { path: { ...path(org), inviteId } } }));

export const teams = (org: string) =>
  queryOptions({ queryKey: ["teams", org], queryFn: () => all((page) => must(api.GET(`${ORG}/teams`, { params: { path: path(org), query: { page, limit: 200 } } }))) });
export const makeTeam = (org: string, title: string) => must(api.PUT(`${ORG}/teams`, { params: { path: path(org) }, body: { title } }));
export const renameTeam = (org: string, teamId: string, title: string) => must(api.PATCH(`${ORG}/teams/{teamId}`, { params: { path: { ...path(org), teamId } }, body: { title } }));
export const removeTeam = (org: string, teamId: string) => must(api.DELETE(`${ORG}/teams/{teamId}`, { params: { path: { ...path(org), teamId } } }));
export const teamMembers = (org: string, teamId: string) =>
  queryOptions({
    queryKey: ["teams", org, teamId],
    queryFn: () => all((page) => must(api.GET(`${ORG}/teams/{teamId}/members`, { params: { path: { ...path(org), teamId }, query: { page, limit: 200 } } }))),
  });
export const putInTeam = (org: string, teamId: string, userId: string, role: "member" | "owner") =>
  must(api.PUT(`${ORG}/teams/{teamId}/members/{userId}`, { params: { path: { ...path(org), teamId, userId } }, body: { role } }));
export const takeFromTeam = (org: string, teamId: string, userId: string) => must(api.DELETE(`${ORG}/teams/{teamId}/members/{userId}`, { params: { path: { ...path(org), teamId, userId } } }));

export const providers = (org: string) =>
  queryOptions({ queryKey: ["saml", org], queryFn: () => all((page) => must(api.GET(`${ORG}/saml`, { params: { path: path(org), query: { page, limit: 100 } } }))) });
export const addProvider = (org: string, label: string) => must(api.POST(`${ORG}/saml`, { params: { path: path(org) }, body: { label } }));
export const changeProvider = (org: string, providerId: string, body: Schemas["UpdateSamlProvider"]) => must(api.PATCH(`${ORG}/saml/{providerId}`, { params: { path: { ...path(org), providerId } }, body }));
export const removeProvider = (org: string, providerId: string) => must(api.DELETE(`${ORG}/saml/{providerId}`, { params: { path: { ...path(org), providerId } } }));

export type Openid = Schemas["OidcProvider"];
export const openids = (org: string) =>
  queryOptions({ queryKey: ["oidc", org], queryFn: () => all((page) => must(api.GET(`${ORG}/oidc`, { params: { path: path(org), query: { page, limit: 100 } } }))) });
export const addOpenid = (org: string, label: string) => must(api.POST(`${ORG}/oidc`, { params: { path: path(org) }, body: { label } }));
export const changeOpenid = (org: string, oidcProviderId: string, body: Schemas["UpdateOidcProvider"]) => must(api.PATCH(`${ORG}/oidc/{oidcProviderId}`, { params: { path: { ...path(org), oidcProviderId } }, body }));
export const removeOpenid = (org: string, oidcProviderId: string) => must(api.DELETE(`${ORG}/oidc/{oidcProviderId}`, { params: { path: { ...path(org), oidcProviderId } } }));

export const changeOrganization = (org: string, body: Schemas["UpdateOrganization"]) => must(api.PATCH(ORG, { params: { path: path(org) }, body }));

export type Told = { action?: string; actor?: string; from?: string; to?: string };
export const audit = (org: string, of: Told) =>
  infiniteQueryOptions({
    queryKey: ["audit", org, of],
    queryFn: ({ pageParam }) => must(api.GET(`${ORG}/audit-events`, { params: { path: path(org), query: { ...of, limit: 50, page: pageParam } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next?.page,
  });
export const auditActions = (org: string) =>
  queryOptions({ queryKey: ["audit-actions", org], queryFn: () => must(api.GET(`${ORG}/audit-event-actions`, { params: { path: path(org) } })), staleTime: Infinity });
export const auditCSV = (org: string, of: Told) =>
  must(api.GET(`${ORG}/audit-events/export`, { params: { path: path(org), query: { ...of, format: "csv" } }, parseAs: "text" })) as Promise<unknown> as Promise<string>;
