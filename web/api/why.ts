/** Why somebody has a role, in words: the rule that decides, as the API names it. */
import type { Schemas } from "./client";

type Reason = Schemas["PermissionReason"];

/** `here` is the id of what the screen shows. */
export function said({ rule, on, teams, limitedBy }: Reason, here: string): string {
  const inherited = on.id !== here && on.object !== "organization";
  const where = place(on, here);
  const from = inherited ? ` It is inherited from there.` : "";
  const bound = limitedBy ? ` As a guest they have no more than ${place(limitedBy, here)} leaves to everybody.` : "";
  switch (rule) {
    case "organization-role":
      return "Their role in the organization.";
    case "user":
      return `It was given to them on ${where}.${from}${bound}`;
    case "team":
      return `Through the ${teams.length > 1 ? "teams" : "team"} ${teams.map((one) => one.title).join(" and ")}, on ${where}.${from}${bound}`;
    case "level":
      return `Everybody in the organization has it on ${where}.${from}`;
  }
}

function place({ object, id, title }: Reason["on"], here: string): string {
  if (id === here) return `this ${object}`;
  return title ? `the ${object} ${title}` : `a ${object} that you do not see`;
}
