/** What can be done with an entry of the table of contents. */
import { ArrowDown, ArrowLeft, ArrowRight, ArrowUp, Eye, EyeOff, FilePlus2, Link2, Pencil, Settings2, Trash2 } from "lucide-react";
import type { At } from "../../api/addresses";
import * as addresses from "../../api/addresses";
import type { Page } from "../../api/content";
import type { Choice } from "../../parts/menu";
import type { Arranging } from "./arrange";

export type Asked = { kind: "page" | "link"; into: string | null } | { kind: "group" } | { kind: "settings"; page: Page };

type About = { at: At; page: Page; arranging: Arranging; ask: (what: Asked) => void; go: (address: string) => void };

export function choicesOf({ at, page, arranging, ask, go }: About): Choice[] {
  const hidden = "hidden" in page && Boolean(page.hidden);
  const holds = page.type === "document" || page.type === "group";
  return [
    ...(page.type === "document" ? [{ id: "edit", words: "Edit", icon: <Pencil />, act: () => go(`${addresses.place(at)}/~/edit/${page.id}`) }] : []),
    { id: "settings", words: page.type === "document" ? "Page settings" : "Settings", icon: <Settings2 />, act: () => ask({ kind: "settings", page }) },
    ...(holds
      ? [
          { id: "below", words: "Add a page below", icon: <FilePlus2 />, act: () => ask({ kind: "page", into: page.id }) },
          { id: "link", words: "Add a link below", icon: <Link2 />, act: () => ask({ kind: "link", into: page.id }) },
        ]
      : []),
    { id: "hide", words: hidden ? "Show in the navigation" : "Hide from the navigation", icon: hidden ? <Eye /> : <EyeOff />, act: () => void arranging.hide(page, !hidden) },
    { id: "rule", rule: true },
    { id: "up", words: "Move up", note: "Alt ↑", icon: <ArrowUp />, act: () => void arranging.step(page.id, "up") },
    { id: "down", words: "Move down", note: "Alt ↓", icon: <ArrowDown />, act: () => void arranging.step(page.id, "down") },
    { id: "in", words: "Move below the one before", note: "Alt →", icon: <ArrowRight />, act: () => void arranging.step(page.id, "in") },
    { id: "out", words: "Move out", note: "Alt ←", icon: <ArrowLeft />, act: () => void arranging.step(page.id, "out") },
    { id: "rule2", rule: true },
    { id: "delete", words: "Delete", icon: <Trash2 />, danger: true, act: () => void arranging.remove(page) },
  ];
}
