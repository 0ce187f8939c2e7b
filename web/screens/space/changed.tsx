/** What differs between two revisions, in words: pages first, then files and what else a space has. */
import { FileDiff, FileMinus2, FilePlus2, MoveRight, Tags } from "lucide-react";
import type { ReactNode } from "react";
import type { Change } from "../../api/content";

export type Told = { key: string; icon: ReactNode; words: string; page?: string; path?: string; text: boolean; note?: string };

export function told(changes: Change[]): Told[] {
  return changes.map((one, at) => {
    const key = String(at);
    switch (one.type) {
      case "page_created":
        return { key, icon: <FilePlus2 />, words: `Added ${one.page.title}`, page: one.page.id, path: one.page.path, text: true };
      case "page_deleted":
        return { key, icon: <FileMinus2 />, words: `Removed ${one.page.title}`, page: one.page.id, text: true };
      case "page_edited": {
        const names = Object.keys(one.attributes);
        const others = names.filter((name) => name !== "document");
        return { key, icon: <FileDiff />, words: `Edited ${one.page.title}`, page: one.page.id, path: one.page.path, text: names.includes("document"), note: others.length ? others.join(", ") : undefined };
      }
      case "page_moved":
        return { key, icon: <MoveRight />, words: `Moved ${one.page.title}`, page: one.page.id, path: one.page.path, text: false };
      case "file_created":
        return { key, icon: <FilePlus2 />, words: `Added the file ${one.file.name}`, text: false };
      case "file_deleted":
        return { key, icon: <FileMinus2 />, words: `Removed the file ${one.file.name}`, text: false };
      case "file_edited":
        return { key, icon: <FileDiff />, words: `Changed the file ${one.file.name}`, text: false };
      default:
        return { key, icon: <Tags />, words: one.type.replaceAll("_", " ").replace(/^./, (first) => first.toUpperCase()), text: false };
    }
  });
}
