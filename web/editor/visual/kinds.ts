/** What blocks can be turned into. It loads nothing, so that a menu has it before there is an editor. */
/** What a block can be made of: names are those of what `/` inserts. */
export const KINDS = [
  { id: "text", words: "Text" },
  { id: "heading-1", words: "Heading 1" },
  { id: "heading-2", words: "Heading 2" },
  { id: "heading-3", words: "Heading 3" },
  { id: "list", words: "List" },
  { id: "numbers", words: "Numbered list" },
  { id: "tasks", words: "Task list" },
  { id: "quote", words: "Quote" },
  { id: "hint", words: "Hint" },
  { id: "expandable", words: "Expandable" },
  { id: "code", words: "Code" },
] as const;
export type Kind = (typeof KINDS)[number]["id"];
