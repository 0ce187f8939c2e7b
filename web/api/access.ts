/** Who has access to a space, a collection or a site, and which rule gives each person the role. */
import { queryOptions } from "@tanstack/react-query";
import { all, api, must, type Schemas } from "./client";

export type Role = Schemas["UserPermission"]["permission"];
export type Place = { kind: "space"; id: string } | { kind: "collection"; id: string } | { kind: "site"; id: string; org: string };
export type Level = Role | "inherit" | null;
export type Team = Schemas["Team"];
type Person = Schemas["UserPermission"];
type Granted = { everybody: Person[]; users: Person[]; teams: (Schemas["TeamPermission"] & { members: string[] })[] };

const SPACE = "/v1/spaces/{spaceId}/permissions";
const COLLECTION = "/v1/collections/{collectionId}/permissions";
const SITE = "/v1/orgs/{organizationId}/sites/{siteId}/permissions";

const site = (at: { id: string; org: string }) => ({ organizationId: at.org, siteId: at.id });
const paged = (page: string | undefined) => ({ page, limit: 200 });

function lists(at: Place) {
  if (at.kind === "space") {
    const path = { spaceId: at.id };
    return {
      everybody: () => all((page) => must(api.GET(`${SPACE}/aggregate`, { params: { path, query: paged(page) } }))),
      users: () => all((page) => must(api.GET(`${SPACE}/users`, { params: { path, query: paged(page) } }))),
      teams: () => all((page) => must(api.GET(`${SPACE}/teams`, { params: { path, query: paged(page) } }))),
    };
  }
  if (at.kind === "collection") {
    const path = { collectionId: at.id };
    return {
      everybody: () => all((page) => must(api.GET(`${COLLECTION}/aggregate`, { params: { path, query: paged(page) } }))),
      users: () => all((page) => must(api.GET(`${COLLECTION}/users`, { params: { path, query: paged(page) } }))),
      teams: () => all((page) => must(api.GET(`${COLLECTION}/teams`, { params: { path, query: paged(page) } }))),
    };
  }
  const path = site(at);
  return {
    everybody: () => all((page) => must(api.GET(`${SITE}/aggregate`, { params: { path, query: paged(page) } }))),
    users: () => all((page) => must(api.GET(`${SITE}/users`, { params: { path, query: paged(page) } }))),
    teams: () => all((page) => must(api.GET(`${SITE}/teams`, { params: { path, query: paged(page) } }))),
  };
}

const MOST_TEAMS = 20;

export const access = (org: string, at: Place) =>
  queryOptions({
    queryKey: ["access", at.kind, at.id],
    queryFn: async (): Promise<Granted> => {
      const ask = lists(at);
      const [everybody, users, teams] = await Promise.all([ask.everybody(), ask.users(), ask.teams()]);
      const within = await Promise.all(teams.slice(0, MOST_TEAMS).map((one) => teamMembers(org, one.team.id)));
      return { everybody, users, teams: teams.map((one, index) => ({ ...one, members: within[index] ?? [] })) };
    },
  });

const teamMembers = async (organizationId: string, teamId: string) =>
  (await all((page) => must(api.GET("/v1/orgs/{organizationId}/teams/{teamId}/members", { params: { path: { organizationId, teamId }, query: paged(page) } })))).map((one) => one.organization.user.id);

export function grant(at: Place, body: Schemas["InvitePeople"]): Promise<unknown> {
  if (at.kind === "space") return must(api.POST(SPACE, { params: { path: { spaceId: at.id } }, body }));
  if (at.kind === "collection") return must(api.POST(COLLECTION, { params: { path: { collectionId: at.id } }, body }));
  return must(api.POST(SITE, { params: { path: site(at) }, body }));
}

type Whom = { user: string } | { team: string };

/** Another role; null takes the grant back. */
export function change(at: Place, whom: Whom, role: Role | null): Promise<unknown> {
  return "user" in whom ? changeUser(at, whom.user, role) : changeTeam(at, whom.team, role);
}

function changeUser(at: Place, userId: string, role: Role | null): Promise<unknown> {
  if (at.kind === "space") {
    const path = { spaceId: at.id, userId };
    return must(role ? api.PATCH(`${SPACE}/users/{userId}`, { params: { path }, body: { role } }) : api.DELETE(`${SPACE}/users/{userId}`, { params: { path } }));
  }
  if (at.kind === "collection") {
    const path = { collectionId: at.id, userId };
    return must(role ? api.PATCH(`${COLLECTION}/users/{userId}`, { params: { path }, body: { role } }) : api.DELETE(`${COLLECTION}/users/{userId}`, { params: { path } }));
  }
  const path = { ...site(at), userId };
  return must(role ? api.PATCH(`${SITE}/users/{userId}`, { params: { path }, body: { role } }) : api.DELETE(`${SITE}/users/{userId}`, { params: { path } }));
}

function changeTeam(at: Place, teamId: string, role: Role | null): Promise<unknown> {
  if (at.kind === "space") {
    const path = { spaceId: at.id, teamId };
    return must(role ? api.PATCH(`${SPACE}/teams/{teamId}`, { params: { path }, body: { role } }) : api.DELETE(`${SPACE}/teams/{teamId}`, { params: { path } }));
  }
  if (at.kind === "collection") {
    const path = { collectionId: at.id, teamId };
    return must(role ? api.PATCH(`${COLLECTION}/teams/{teamId}`, { params: { path }, body: { role } }) : api.DELETE(`${COLLECTION}/teams/{teamId}`, { params: { path } }));
  }
  const path = { ...site(at), teamId };
  return must(role ? api.PATCH(`${SITE}/teams/{teamId}`, { params: { path }, body: { role } }) : api.DELETE(`${SITE}/teams/{teamId}`, { params: { path } }));
}

export function setLevel(at: Place, defaultLevel: Level): Promise<unknown> {
  if (at.kind === "space") return must(api.PATCH("/v1/spaces/{spaceId}", { params: { path: { spaceId: at.id } }, body: { defaultLevel } }));
  if (at.kind === "collection") return must(api.PATCH("/v1/collections/{collectionId}", { params: { path: { collectionId: at.id } }, body: { defaultLevel } }));
  return must(api.PATCH("/v1/orgs/{organizationId}/sites/{siteId}", { params: { path: site(at) }, body: { defaultLevel } }));
}
