/** Where rows of a tree stand. Who rushes through thousands of them reads none: they are drawn as soon as that slows down, so that
 * scrolling keeps up with the hand; until then lines say that there are some. */
import { type Key, type LayoutInfo, ListLayout, type Rect } from "react-aria-components";

/** Pixels from one event of scrolling to the next: a wheel and a key that is pressed once stay below, or take longer. */
const RUSH = 300;
const BRIEF = 150;
const REST = 90;

export class Rows extends ListLayout<object> {
  private last = { y: 0, at: 0 };
  private drawn: Rect | null = null;
  private timer = 0;

  constructor(private readonly rushes: (now: boolean) => void) {
    super();
  }

  override update(context: Parameters<ListLayout<object>["update"]>[0]): void {
    if (this.virtualizer) remembered(this.virtualizer.collection);
    super.update(context);
  }

  override getVisibleLayoutInfos(rect: Rect): LayoutInfo[] {
    const now = performance.now();
    const { y, at } = this.last;
    this.last = { y: rect.y, at: now };
    const moved = Math.abs(rect.y - y);
    clearTimeout(this.timer);
    if (this.drawn && moved > RUSH && now - at < BRIEF) {
      this.rushes(true);
      this.timer = window.setTimeout(() => this.virtualizer?.invalidate({}), REST);
      return super.getVisibleLayoutInfos(this.drawn);
    }
    this.rushes(false);
    this.drawn = rect;
    return super.getVisibleLayoutInfos(rect);
  }
}

type Shown = NonNullable<ListLayout<object>["virtualizer"]>["collection"];

/** Each row that is drawn asks for all that stand beside it, to say how many those are, and a collection walks through them anew for
 * each: of 500 pages below one that is most of what a row costs. A collection never changes once it is shown, so its answers are kept. */
export function remembered(collection: Shown): void {
  const ask = collection.getChildren?.bind(collection);
  if (!ask || Object.hasOwn(collection, "getChildren")) return;
  const kept = new Map<Key, ReturnType<typeof ask>>();
  collection.getChildren = (key) => {
    let found = kept.get(key);
    if (!found) kept.set(key, (found = [...ask(key)]));
    return found;
  };
}
