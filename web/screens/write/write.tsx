/** Writing a page in a change request: its source, and beside it what readers will see. Nothing that was typed is ever lost. */
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Bold, Code, Eye, Heading2, Info, Italic, Link as LinkIcon, List as ListIcon, Pencil } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { Link } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { changeRequest, find, pages } from "../../api/content";
import { source } from "../../api/writing";
import { hint, link, prefix, wrap } from "../../editor/format";
import { kept, type Kept } from "../../editor/kept";
import type { Source } from "../../editor/source";
import { Asked } from "../../parts/asked";
import { Button, ButtonLink } from "../../parts/button";
import { Notice } from "../../parts/notice";
import { Preview } from "./preview";
import { type State, useSaving } from "./saving";
import "./write.css";

type Props = { org: string; space: string; number: number; page: string };

export default function Write(props: Props) {
  const asked = useQuery({ ...changeRequest(props.space, props.number), staleTime: Infinity, gcTime: 0 });
  return (
    <main id="content" className="writing" tabIndex={-1}>
      <Asked of={asked} say={sentence}>
        {(one) =>
          one.status === "merged" || one.status === "archived" ? (
            <div className="inner">
              <Notice tone="warning" action={<ButtonLink small href={addresses.request(props.org, props.space, props.number)}>Go to it</ButtonLink>}>
                Change request #{props.number} is {one.status}, and is not written any more.
              </Notice>
            </div>
          ) : (
            <Begin {...props} revision={one.revision} />
          )
        }
      </Asked>
    </main>
  );
}

/** The text that the change request has, or what was typed here before and did not get there. */
function Begin(props: Props & { revision: string }) {
  const key = `${props.space}/${props.number}/${props.page}`;
  const asked = useQuery({
    queryKey: ["writing", key, props.revision],
    queryFn: async () => {
      const [text, before] = await Promise.all([source(props.space, props.revision, props.page), kept(key).catch(() => undefined)]);
      const found: { text: string; revision: string; before?: Kept } = before && before.text !== text ? { text: before.text, revision: before.revision, before } : { text, revision: props.revision };
      return { ...found, stored: text };
    },
    staleTime: Infinity,
    gcTime: 0,
  });
  return (
    <Asked of={asked} say={sentence}>
      {(begun) => <Editor {...props} id={key} begun={begun} />}
    </Asked>
  );
}

const PREVIEWED_AFTER = 300;

type Begun = { text: string; revision: string; before?: Kept; stored: string };

function Editor({ org, space, number, page, id, begun }: Props & { id: string; begun: Begun }) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Source | null>(null);
  const [text, setText] = useState(begun.text);
  const [restored, setRestored] = useState(begun.before);
  const [side, setSide] = useState<"source" | "preview">("source");
  const list = useQuery(pages({ org, space, request: number })).data;
  const title = list ? find(list, page)?.page.title : undefined;
  const saving = useSaving({ space, number, page, id, begun, editor });
  const { changed, save } = saving;

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let closed = false;
    let rest = 0;
    void import("../../editor/source").then(({ openSource }) => {
      if (closed) return;
      editor.current = openSource(element, {
        text: begun.text,
        label: "Source of the page, in Markdown",
        changed: () => {
          // A key draws nothing but itself: the preview hears of the text when the typing rests.
          clearTimeout(rest);
          rest = window.setTimeout(() => setText(editor.current?.text() ?? ""), PREVIEWED_AFTER);
          changed();
        },
        save,
      });
      editor.current.focus();
      if (begun.before) changed();
    });
    return () => {
      closed = true;
      clearTimeout(rest);
      editor.current?.close();
      editor.current = null;
    };
  }, [begun, changed, save]);

  useEffect(() => {
    document.title = `Editing ${title ?? "a page"} · Octavo`;
  }, [title]);

  const here = addresses.request(org, space, number);
  const buttons = useMemo(
    () =>
      [
        { words: "Bold", icon: <Bold />, how: (all: string, from: number, to: number) => wrap(all, from, to, "**") },
        { words: "Italic", icon: <Italic />, how: (all: string, from: number, to: number) => wrap(all, from, to, "*") },
        { words: "Code", icon: <Code />, how: (all: string, from: number, to: number) => wrap(all, from, to, "`") },
        { words: "Link", icon: <LinkIcon />, how: link },
        { words: "Heading", icon: <Heading2 />, how: (all: string, from: number, to: number) => prefix(all, from, to, "## ") },
        { words: "List", icon: <ListIcon />, how: (all: string, from: number, to: number) => prefix(all, from, to, "* ") },
        { words: "Hint", icon: <Info />, how: hint },
      ] as const,
    [],
  );
  return (
    <>
      <header className="writing-bar">
        <Link className="writing-back" href={here}><ArrowLeft aria-hidden="true" />#{number}</Link>
        <h1 className="grow clip">{title ?? "Page"}</h1>
        <Said state={saving.state} />
        <div className="writing-sides" role="group" aria-label="What is shown">
          <Button small look="quiet" icon={<Pencil />} aria-label="Source" aria-pressed={side === "source"} onPress={() => setSide("source")} />
          <Button small look="quiet" icon={<Eye />} aria-label="Preview" aria-pressed={side === "preview"} onPress={() => setSide("preview")} />
        </div>
        <Button small isDisabled={saving.state.kind === "saved"} onPress={save}>Save</Button>
        <ButtonLink small look="primary" href={`${here}/~/changes`}>Done</ButtonLink>
      </header>
      {restored && (
        <Notice
          tone="warning"
          action={
            <>
              <Button small onPress={() => setRestored(undefined)}>Keep it</Button>
              <Button small look="quiet" onPress={() => { editor.current?.replace(begun.stored); setRestored(undefined); }}>Discard it</Button>
            </>
          }
        >
          What you typed here before was not saved. It is here again.
        </Notice>
      )}
      {saving.state.kind === "refused" && (
        <Notice tone="danger" action={<Button small onPress={save}>Try again</Button>}>
          {saving.state.sentence} What you typed is kept in this browser.
        </Notice>
      )}
      {saving.conflict && (
        <Notice tone="warning">Somebody else changed the same lines. Both versions are in the text: keep one, and remove the condition around it.</Notice>
      )}
      <div className={`writing-both shows-${side}`}>
        <section className="writing-source" aria-label="Source">
          <div className="writing-tools" role="toolbar" aria-label="Format">
            {buttons.map((one) => (
              <Button key={one.words} small look="quiet" aria-label={one.words} icon={one.icon} onPress={() => editor.current?.format(one.how)} />
            ))}
          </div>
          <div ref={host} className="source" />
        </section>
        <section className="writing-preview" aria-label="Preview" tabIndex={0}>
          <Preview space={space} number={number} page={page} title={title ?? "Page"} text={text} />
        </section>
      </div>
    </>
  );
}

const WORDS = { saved: "Saved", typed: "Not saved yet", saving: "Saving…", waiting: "Not saved: trying again", refused: "Not saved" } as const;

function Said({ state }: { state: State }) {
  return (
    <span className={`writing-said note ${state.kind}`} role="status">
      {WORDS[state.kind]}
    </span>
  );
}
