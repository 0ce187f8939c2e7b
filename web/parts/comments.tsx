/** Comments beside a text: threads with replies, resolved ones folded away, and a place to write. */
import { Check, MessageSquarePlus, Reply, RotateCcw, SmilePlus } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Ago } from "./ago";
import { Avatar } from "./avatar";
import { Button } from "./button";
import { Field } from "./field";
import { fitting, named, naming, type Person } from "./mentions";
import { Menu } from "./menu";
import "./comments.css";

export type Reacted = { emoji: string; count: number; mine: boolean };
export type Said = { id: string; by: string; picture?: string; at: string; text: ReactNode; reactions?: Reacted[] };
export type Thread = Said & { about?: string; toAbout?: () => void; outdated?: boolean; on?: ReactNode; resolved: boolean; replies: number; mayReply: boolean; mayResolve: boolean };

type Props = {
  threads: Thread[];
  mayWrite: boolean;
  write: (text: string) => Promise<unknown>;
  resolve: (id: string, to: boolean) => Promise<unknown>;
  thread: (id: string) => ReactNode;
  say: (error: unknown) => string;
  people?: Person[];
  react?: (id: string, emoji: string, on: boolean) => void;
};

export function Comments({ threads, mayWrite, write, resolve, thread, say, people, react }: Props) {
  const [all, setAll] = useState(false);
  const open = threads.filter((one) => !one.resolved);
  const done = threads.length - open.length;
  const shown = all ? threads : open;
  const here = useRef<HTMLDivElement>(null);
  const before = useRef(shown.length);
  useEffect(() => {
    // The button that was pressed went with its thread: keys still belong to whoever shows these comments.
    if (shown.length < before.current && document.activeElement === document.body) here.current?.focus();
    before.current = shown.length;
  }, [shown.length]);
  return (
    <div className="comments" ref={here} tabIndex={-1}>
      {shown.length === 0 && <p className="note">{done ? "Everything is resolved." : "Nobody has said anything yet."}</p>}
      <ul className="plain">
        {shown.map((one) => (
          <li key={one.id} className={one.resolved ? "thread resolved" : "thread"}>
            {one.on && <div className="thread-on note">{one.on}</div>}
            {one.about && (
              <blockquote className="thread-about">
                {one.toAbout && !one.resolved ? <button type="button" onClick={one.toAbout}>{one.about}</button> : one.about}
              </blockquote>
            )}
            {one.outdated && <p className="note">The text has changed since.</p>}
            <Words said={one} react={mayWrite && react ? (emoji, on) => react(one.id, emoji, on) : undefined} />
            {(one.replies > 0 || one.mayReply) && thread(one.id)}
            {one.mayResolve && (
              <Button
                small
                look="quiet"
                icon={one.resolved ? <RotateCcw /> : <Check />}
                onPress={() => void resolve(one.id, !one.resolved)}
              >
                {one.resolved ? "Open again" : "Resolve"}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {done > 0 && (
        <Button small look="quiet" onPress={() => setAll(!all)}>
          {all ? "Hide what is resolved" : `Show ${done} resolved`}
        </Button>
      )}
      {mayWrite && <Write label="Comment" placeholder="Say what you think. Markdown works." words="Comment" write={write} say={say} people={people} />}
    </div>
  );
}

export function Words({ said, react }: { said: Said; react?: (emoji: string, on: boolean) => void }) {
  return (
    <div className="said">
      <Avatar name={said.by} picture={said.picture} size="small" />
      <div className="grow">
        <div className="said-head">
          <span className="strong">{said.by}</span>
          <span className="note"><Ago at={said.at} /></span>
        </div>
        <div className="said-text">{said.text}</div>
        {(react || Boolean(said.reactions?.length)) && <Reactions list={said.reactions ?? []} react={react} />}
      </div>
    </div>
  );
}

const OFFERED = ["👍", "❤️", "🎉", "🤔", "👀", "🚀"];

function Reactions({ list, react }: { list: Reacted[]; react?: (emoji: string, on: boolean) => void }) {
  return (
    <div className="reactions">
      {list.map((one) => (
        <button key={one.emoji} type="button" className="reaction" aria-pressed={one.mine} disabled={!react} aria-label={`${one.emoji} ${one.count}`} onClick={() => react?.(one.emoji, !one.mine)}>
          {one.emoji} {one.count}
        </button>
      ))}
      {react && (
        <Menu
          label="Reactions"
          button={<Button small look="quiet" aria-label="React" icon={<SmilePlus />} />}
          choices={OFFERED.map((words) => ({ id: words, words, act: () => react(words, true) }))}
        />
      )}
    </div>
  );
}

type WriteProps = { folded?: boolean; label: string; placeholder: string; words: string; write: (text: string) => Promise<unknown>; say: (error: unknown) => string; people?: Person[] };

/** What was typed stays until the server has it. */
export function Write({ folded, label, placeholder, words, write, say, people }: WriteProps) {
  const [unfolded, setUnfolded] = useState(!folded);
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState("");
  const [pending, setPending] = useState(false);
  const field = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  const caret = field.current?.selectionStart ?? text.length;
  const typed = people && naming(text, caret);
  const found = typed === null || typed === undefined ? [] : fitting(people ?? [], typed);
  const take = (person: Person) => {
    const made = named(text, caret, typed ?? "", person);
    setText(made.text);
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(made.caret, made.caret);
    });
  };
  const send = async () => {
    setPending(true);
    setWrong("");
    try {
      await write(text.trim());
      setText("");
      setUnfolded(!folded);
    } catch (error) {
      setWrong(say(error));
    } finally {
      setPending(false);
    }
  };
  if (!unfolded) return <Button small look="quiet" icon={<Reply />} aria-label={label} onPress={() => setUnfolded(true)}>{words}</Button>;
  return (
    <form
      className="write"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim()) void send();
      }}
    >
      <Field label={label} hush lines={2} value={text} onChange={setText} placeholder={placeholder} wrong={wrong} field={field} autoFocus={folded} />
      {found.length > 0 && (
        <ul className="plain naming" aria-label="People to mention">
          {found.map((one) => (
            <li key={one.id}><Button small look="quiet" icon={<Avatar name={one.name} size="small" />} onPress={() => take(one)}>{one.name}</Button></li>
          ))}
        </ul>
      )}
      {(text.trim() || folded) && (
        <Button small look="primary" isDisabled={!text.trim()} type="submit" icon={<MessageSquarePlus />} isPending={pending}>
          {words}
        </Button>
      )}
    </form>
  );
}
