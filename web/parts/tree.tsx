/** A tree of links, by mouse, keyboard and screen reader; only what is seen of it is drawn, however large it is. */
import { ChevronRight } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { Button, Collection, ListLayout, Tree as AriaTree, TreeItem, TreeItemContent, Virtualizer } from "react-aria-components";
import "./tree.css";

export type Branch = { id: string; words: string; icon?: ReactNode; end?: ReactNode; heading?: boolean; below: Branch[] };

type Props = {
  label: string;
  branches: Branch[];
  here?: string;
  open: ReadonlySet<string>;
  onOpen: (open: Set<string>) => void;
  onGo: (id: string) => void;
};

const ROW = 34;

export function Tree({ label, branches, here, open, onOpen, onGo }: Props) {
  const chosen = useMemo(() => new Set(here ? [here] : []), [here]);
  return (
    <Virtualizer layout={ListLayout} layoutOptions={{ rowSize: ROW }}>
      <AriaTree
        className="tree"
        aria-label={label}
        items={branches}
        selectionMode="single"
        selectionBehavior="replace"
        selectedKeys={chosen}
        expandedKeys={open}
        onExpandedChange={(keys) => onOpen(new Set([...keys].map(String)))}
        onAction={(key) => onGo(String(key))}
        dependencies={[open, here]}
      >
        {(one) => <Row one={one} open={open} />}
      </AriaTree>
    </Virtualizer>
  );
}

function Row({ one, open }: { one: Branch; open: ReadonlySet<string> }) {
  const within = one.below.length > 0;
  return (
    <TreeItem id={one.id} textValue={one.words} hasChildItems={within} className={one.heading ? "tree-row heading" : "tree-row"}>
      <TreeItemContent>
        {({ level }) => (
          <div className={`tree-line level-${Math.min(level, 8)}`}>
            {within ? (
              <Button slot="chevron" className="tree-chevron" aria-label={`Open or close ${one.words}`}>
                <ChevronRight />
              </Button>
            ) : (
              <span className="tree-chevron" />
            )}
            {one.icon && <span className="tree-icon">{one.icon}</span>}
            <span className="clip grow">{one.words}</span>
            {one.end}
          </div>
        )}
      </TreeItemContent>
      {/* What is closed is not built either: of 10,000 pages only those on the way to this one are there. */}
      <Collection items={open.has(one.id) ? one.below : []}>{(child) => <Row one={child} open={open} />}</Collection>
    </TreeItem>
  );
}
