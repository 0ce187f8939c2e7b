/** Why somebody has a role, in words. */
import type { Why } from "./access";

export function said(why: Why, place: string): string {
  switch (why.kind) {
    case "granted":
      return `It was given to them on this ${place}.`;
    case "team":
      return `Through the team ${why.titles.join(" and ")}.`;
    case "level":
      return `Everybody in the organization has it on this ${place}.`;
    case "further":
      return place === "space" ? "Of a site, a collection or the organization." : place === "collection" ? "Of a collection above or the organization." : "Of the organization.";
  }
}
