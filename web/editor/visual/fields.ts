/** A field with which something of a block is set. */
import type { Kind } from "./look";

/** `of` is the attribute that has it, `find` what a reference may lead to, `live` = each letter counts; "value" is that of a cell. */
export type Field = { name: string; label: string; kind: "text" | "long" | "check" | "number" | "ref" | "date" | "list" | "tags" | "percent"; choices?: string[]; of?: "view" | "column" | "value"; find?: Kind; live?: boolean; suggest?: "variables" };
