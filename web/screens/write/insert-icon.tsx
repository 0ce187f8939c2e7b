/** A small picture of each block that can be inserted, beside its name. */
import {
  ArrowRightLeft, Blocks, Bot, Braces, CalendarClock, ChevronDownSquare, CircleCheck, Code, Columns2, FileSymlink, Heading1, Heading2, Heading3, Image, Info, LayoutGrid, List, ListChecks,
  ListOrdered, type LucideIcon, Milestone, Minus, MonitorPlay, MousePointerClick, OctagonAlert, PanelTop, Paperclip, Pilcrow, Quote, Sigma, Split, SquareSigma, Star, Table, TriangleAlert, Variable,
  Webhook, Workflow,
} from "lucide-react";

const ICONS: Record<string, LucideIcon> = {
  text: Pilcrow, "heading-1": Heading1, "heading-2": Heading2, "heading-3": Heading3, list: List, numbers: ListOrdered, tasks: ListChecks, quote: Quote, code: Code,
  success: CircleCheck, danger: OctagonAlert, hint: Info, warning: TriangleAlert, image: Image, table: Table, cards: LayoutGrid, tabs: PanelTop, stepper: Milestone, expandable: ChevronDownSquare,
  columns: Columns2, divider: Minus, math: Sigma, mermaid: Workflow, embed: MonitorPlay, file: Paperclip, page: FileSymlink, updates: CalendarClock, condition: Split, prompt: Bot, reusable: Blocks,
  models: Braces, webhook: Webhook, operation: ArrowRightLeft, variable: Variable, "inline-math": SquareSigma, icon: Star, button: MousePointerClick,
};

/** Nothing for what is no block: pages, people and emoji. */
export function InsertIcon({ id }: { id: string }) {
  const Icon = ICONS[id];
  return Icon ? <Icon aria-hidden="true" /> : null;
}
