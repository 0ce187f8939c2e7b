/** All that a screen of access needs: who has which role and why, who could get one, and the deeds. */
import { useQuery } from "@tanstack/react-query";
import { access, change, grant, type Level, type Place, type Role, setLevel } from "./access";
import { useDeed } from "./deed";
import { ROLES, roleWords, teams } from "./people";
import { members } from "./queries";
import { said } from "./why";

type Whom = { user: string } | { team: string };

export function useAccess(org: string, at: Place, level: Level | undefined, failed: (sentence: string) => void) {
  const asked = useQuery(access(org, at));
  const people = useQuery(members(org)).data ?? [];
  const groups = useQuery(teams(org)).data ?? [];
  const stale = [["access", at.kind, at.id], [at.kind, at.id]];
  const give = useDeed(({ whom, role }: { whom: Whom; role: Role }) => grant(at, "user" in whom ? { role, users: [whom.user] } : { role, teams: [whom.team] }), { stale, failed });
  const put = useDeed(({ whom, role }: { whom: Whom; role: Role | null }) => change(at, whom, role), { stale, failed });
  const levelled = useDeed((to: Level) => setLevel(at, to), { stale, failed });
  const roles = ROLES.map((one) => ({ value: one.value as string, words: `${one.words}: ${one.may}` }));
  const place = at.kind;
  const props = asked.data && {
    everybody: asked.data.everybody.map(({ user, permission, because }) => {
      const member = people.find((one) => one.user.id === user.id);
      const admin = member?.role === "admin";
      return { id: user.id, name: user.displayName, note: user.email, picture: user.photoURL, role: permission, granted: because?.rule === "user" && because.on.id === at.id, why: admin ? "An admin of the organization is admin of everything in it." : because && said(because, at.id) };
    }),
    teams: asked.data.teams.map(({ team, permission, members: within }) => ({ id: team.id, name: team.title, note: within.length === 1 ? "1 person" : `${within.length} people`, role: permission as string, granted: true })),
    roles,
    levels: [
      { value: "inherit", words: place === "site" ? "As in the organization" : "As further out: site, collection, organization" },
      ...ROLES.map((one) => ({ value: one.value as string, words: `${roleWords(one.value)}: ${one.may}` })),
      { value: "none", words: "Nobody but admins and whom a role is given here" },
    ],
    level: level === null ? "none" : (level ?? "inherit"),
    onLevel: (to: string) => levelled.mutate(to === "none" ? null : (to as Level)),
    candidates: { users: people.map((one) => ({ value: one.user.id, words: one.user.displayName })), teams: groups.map((one) => ({ value: one.id, words: one.title })) },
    onGive: (whom: Whom, role: string) => give.mutate({ whom, role: role as Role }),
    onChange: (whom: Whom, role: string | null) => put.mutate({ whom, role: role as Role | null }),
  };
  return { asked, props };
}
