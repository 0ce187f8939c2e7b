/** One page on its way to the server: what was typed is sent after a rest, one save at a time, and joined with what others wrote. */
import type { Saved } from "../../api/writing";

export type State = { kind: "saved" | "typed" | "saving" | "waiting" | "over" } | { kind: "refused"; sentence: string; status: number };

/** What an editor of either kind does. */
export type Held<C> = {
  content: () => C;
  /** Where what was typed from now on is counted from. */
  mark: () => void;
  /** Put what the server has into the text: `sent` is what was sent to it, `joined` what became of that. What was typed since stays. */
  join: (sent: C, joined: C) => void;
  /** When what was put into it and is still on its way is there; null where nothing is. */
  arriving?: () => Promise<unknown> | null;
};

/** How content of one kind gets to the server, and back; `above` is the revision that one was made from. */
export type Wire<C> = {
  read: (revision: string) => Promise<C>;
  send: (now: C, began: C, revision: string) => Promise<Saved>;
  same: (a: C, b: C) => boolean;
  /** The same words, whatever the server made of their spaces and names. */
  alike: (a: C, b: C) => boolean;
  head: () => Promise<string>;
  above: (revision: string) => Promise<string>;
};

/** What an editor begins with: `base` is what `revision` has, `stored` what is there now. */
export type Begun<C> = { content: C; revision: string; base: C; stored: C; before?: boolean };

export type Outside<C> = {
  wire: Wire<C>;
  /** Keep in the browser what was typed, from what, and what of it was sent already without a word about it. */
  keep: (text: C, base: C, revision: string, sent?: C) => Promise<unknown>;
  drop: () => Promise<unknown>;
  /** What is to be said of a save that failed, and whether it may have arrived all the same; what is refused is not tried again by itself. */
  failed: (error: unknown) => Promise<{ state: State; unheard: boolean }>;
  told: (state: State) => void;
  arrived: (conflict: boolean) => void;
};

/** Who types without a rest is saved all the same, so that others see it. */
const REST = 700;
const MOST = 1000;
const KEPT_AFTER = 200;
const AGAIN = 4000;

export class Saver<C> {
  #base: { content: C; revision: string };
  /** What is on its way, and what was said of it. Without an answer it is sent again as it was: to be merged with itself does no harm to a
   * text that is the same, and what was typed since goes after it. */
  #way?: { sent: C; saved?: Saved };
  /** Whether it begins with what was typed in an earlier visit; the newest revision before the first save of that, and the save. */
  readonly #restored: boolean;
  #stood?: string;
  #first?: { content: C; revision: string };
  #running: Promise<boolean> | null = null;
  #dirty = false;
  #gone = false;
  #since = 0;
  #keeping?: number;
  #saving?: number;
  #state: State;

  constructor(
    begun: Begun<C>,
    private readonly held: { current: Held<C> | null },
    private readonly outside: Outside<C>,
  ) {
    this.#base = { content: begun.base, revision: begun.revision };
    this.#restored = begun.before ?? false;
    this.#state = { kind: begun.before ? "typed" : "saved" };
  }

  readonly revision = (): string => this.#base.revision;
  readonly base = (): C => this.#base.content;
  readonly content = (): C | undefined => this.held.current?.content();
  readonly isOpen = (): boolean => this.#dirty || this.#running !== null || this.#way !== undefined;
  readonly arriving = (): Promise<unknown> | null => this.held.current?.arriving?.() ?? null;

  /** Somebody typed. */
  readonly changed = (): void => {
    if (!this.#dirty) this.#since = Date.now();
    this.#dirty = true;
    if (this.#state.kind === "saved" || this.#state.kind === "saving") this.#tell({ kind: "typed" });
    clearTimeout(this.#keeping);
    this.#keeping = window.setTimeout(this.store, KEPT_AFTER);
    this.#soon();
  };

  /** A browser that keeps nothing is no reason not to write; leaving the page is asked about then, as always. */
  readonly store = (): void => {
    if (this.#dirty || this.#way) void this.#keep().catch(() => undefined);
  };

  /** Whether everything is there; false also while something is on its way, which goes on by itself. */
  readonly save = async (): Promise<boolean> => {
    if (!this.held.current || this.#running) return false;
    if (!this.isOpen()) return true;
    clearTimeout(this.#saving);
    const done = await this.#alone(() => this.#send());
    if (done && this.#dirty) this.#soon();
    return done && !this.#dirty;
  };

  /** Everything, behind what is on its way; false where it cannot be sent. */
  readonly flush = async (): Promise<boolean> => {
    for (;;) {
      while (this.#running) await this.#running;
      if (!this.isOpen()) return true;
      if (!this.held.current || !(await this.#alone(() => this.#send()))) return false;
    }
  };

  /** What others saved comes in while nothing of ours is on its way. */
  readonly listen = async (): Promise<void> => {
    const from = this.#base.revision;
    const idle = () => !this.isOpen() && !this.#gone && this.held.current !== null && this.#base.revision === from;
    if (!idle()) return;
    const now = await this.outside.wire.head().catch(() => from);
    // Meanwhile somebody may have typed, or a save may be on its way.
    if (now === from || !idle()) return;
    await this.#alone(() => this.#hear(now));
    if (this.#dirty) this.#soon();
  };

  /** What is typed is kept, and goes elsewhere by `work`; where that fails, everything is as before. */
  readonly leave = async (work: () => Promise<boolean>): Promise<void> => {
    if (this.held.current) await this.#keep();
    const before = [this.#dirty, this.#way] as const;
    [this.#dirty, this.#way] = [false, undefined];
    this.#stop();
    if (!(await work())) [this.#dirty, this.#way] = before;
  };

  /** The editor is there, perhaps again. */
  readonly come = (): void => {
    this.#gone = false;
  };

  /** Another place of the application: what was typed last goes along, and is kept until it is there, and so do files that are still on
   * their way. Ends when nothing more can be sent. */
  readonly left = async (): Promise<void> => {
    this.#gone = true;
    this.#stop();
    this.store();
    await this.flush();
    for (let more = this.arriving(); more; more = this.arriving()) {
      await more;
      await this.flush();
    }
  };

  /** Take back what was typed in an earlier visit; what others wrote meanwhile, and what was typed since, stays. False where nothing of
   * it was sent yet. */
  readonly discard = async (): Promise<boolean> => {
    while (this.#running) await this.#running;
    const first = this.#first;
    if (!first) return false;
    const { wire } = this.outside;
    const before = await wire.read(await wire.above(first.revision));
    await wire.send(before, first.content, first.revision);
    await this.listen();
    return true;
  };

  async #send(): Promise<boolean> {
    const { wire } = this.outside;
    this.#tell({ kind: "saving" });
    try {
      const way = (this.#way ??= this.#begin());
      if (this.#restored) this.#stood ??= await wire.head();
      way.saved ??= await wire.send(way.sent, this.#base.content, this.#base.revision);
      const joined = await wire.read(way.saved.revision);
      // Before it counts as what is there: what could not be brought in must not look as if it had been taken out.
      this.#join(way.sent, joined);
      this.#base = { content: joined, revision: way.saved.revision };
      // A save that changes nothing makes no revision: the newest one is somebody else's.
      if (this.#restored && way.saved.revision !== this.#stood) this.#first ??= this.#base;
      this.#way = undefined;
      if (!this.#dirty) await this.outside.drop().catch(() => undefined);
      this.#tell({ kind: this.#dirty ? "typed" : "saved" });
      this.outside.arrived(way.saved.conflict);
      return true;
    } catch (error) {
      await this.#failed(error);
      return false;
    }
  }

  /** What there is now goes on its way. */
  #begin(): { sent: C; saved?: Saved } {
    const one = this.held.current!;
    const sent = one.content();
    one.mark();
    this.#dirty = false;
    return { sent };
  }

  async #failed(error: unknown): Promise<void> {
    this.store();
    const { state, unheard } = await this.outside.failed(error);
    // What did not arrive may be written otherwise before it is sent again.
    if (!unheard && this.#way && !this.#way.saved) [this.#dirty, this.#way] = [true, undefined];
    if (state.kind !== "refused" && !this.#gone) this.#saving = window.setTimeout(() => void this.save(), AGAIN);
    this.#tell(state);
  }

  async #hear(now: string): Promise<boolean> {
    try {
      this.held.current?.mark();
      const joined = await this.outside.wire.read(now);
      this.#join(this.#base.content, joined);
      this.#base = { content: joined, revision: now };
      return true;
    } catch {
      // Nobody typed: it is asked again in a moment.
      return false;
    }
  }

  #join(sent: C, joined: C): void {
    if (!this.outside.wire.same(joined, sent)) this.held.current?.join(sent, joined);
  }

  /** One thing at a time is between the text and the server. */
  #alone(work: () => Promise<boolean>): Promise<boolean> {
    this.#running = work().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  /** From the base, even where more of it arrived: only what the base has, and the text has not, was taken out by somebody here. */
  async #keep(): Promise<void> {
    const text = this.content();
    if (text !== undefined) await this.outside.keep(text, this.#base.content, this.#base.revision, this.#way?.sent);
  }

  #soon(): void {
    clearTimeout(this.#saving);
    if (!this.#gone) this.#saving = window.setTimeout(() => void this.save(), Math.max(0, Math.min(REST, this.#since + MOST - Date.now())));
  }

  #stop(): void {
    clearTimeout(this.#keeping);
    clearTimeout(this.#saving);
  }

  #tell(state: State): void {
    this.#state = state;
    this.outside.told(state);
  }
}
