/** The way from a screen to the page of the documentation that this installation serves: `chapter` is its file below docs/, without `.md`. */
import { BookOpenText } from "lucide-react";

export function Help({ chapter, children = "Documentation" }: { chapter: string; children?: string }) {
  return (
    <a className="button quiet small" href={`/docs/guides/${chapter}`} target="_blank" rel="noopener">
      <BookOpenText aria-hidden="true" />
      {children}
    </a>
  );
}
