/** The way from a screen to the chapter of the documentation that this installation serves. */
import { BookOpenText } from "lucide-react";

export function Help({ chapter, children = "Documentation" }: { chapter: string; children?: string }) {
  return (
    <a className="button quiet small" href={`/docs/${chapter}`} target="_blank" rel="noopener">
      <BookOpenText aria-hidden="true" />
      {children}
    </a>
  );
}
