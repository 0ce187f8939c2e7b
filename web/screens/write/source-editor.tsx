/** The source of a page, in Markdown, and beside it what readers will see. */
import { useQuery } from "@tanstack/react-query";
import { Bold, Code, Heading2, Info, Italic, Link as LinkIcon, List as ListIcon } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { find, pages } from "../../api/content";
import { hint, link, prefix, wrap } from "../../editor/format";
import type { Source } from "../../editor/source";
import { Button } from "../../parts/button";
import { Bar } from "./bar";
import { Preview } from "./preview";
import type { Begun, Held, Wire } from "./saver";
import { type Mode, type Of, useSaving } from "./saving";

const PREVIEWED_AFTER = 300;

const BUTTONS = [
  { words: "Bold", icon: <Bold />, how: (all: string, from: number, to: number) => wrap(all, from, to, "**") },
  { words: "Italic", icon: <Italic />, how: (all: string, from: number, to: number) => wrap(all, from, to, "*") },
  { words: "Code", icon: <Code />, how: (all: string, from: number, to: number) => wrap(all, from, to, "`") },
  { words: "Link", icon: <LinkIcon />, how: link },
  { words: "Heading", icon: <Heading2 />, how: (all: string, from: number, to: number) => prefix(all, from, to, "## ") },
  { words: "List", icon: <ListIcon />, how: (all: string, from: number, to: number) => prefix(all, from, to, "* ") },
  { words: "Hint", icon: <Info />, how: hint },
] as const;

type Props = Of & { id: string; begun: Begun<string>; wire: Wire<string>; change: (mode: Mode, revision: string) => void };

export function SourceEditor({ org, space, number, page, id, begun, wire, change }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Source | null>(null);
  const held = useRef<Held<string> | null>(null);
  const [text, setText] = useState(begun.content);
  const [preview, setPreview] = useState(() => matchMedia("(min-width: 900px)").matches);
  const list = useQuery(pages({ org, space, request: number })).data;
  const title = (list && find(list, page)?.page.title) ?? "Page";
  const saving = useSaving({ space, id, begun, held, wire });
  const { saver, left } = saving;

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let closed = false;
    let rest = 0;
    saver.come();
    void import("../../editor/source").then(({ openSource }) => {
      if (closed) return;
      const one = openSource(element, {
        text: begun.content,
        label: "Source of the page, in Markdown",
        changed: () => {
          // A key draws nothing but itself: the preview hears of the text when the typing rests.
          clearTimeout(rest);
          rest = window.setTimeout(() => setText(one.text()), PREVIEWED_AFTER);
          saver.changed();
        },
        save: () => void saver.save(),
      });
      editor.current = one;
      held.current = { content: one.text, mark: one.mark, join: one.join };
      one.focus();
      if (begun.before) saver.changed();
    });
    return () => {
      closed = true;
      clearTimeout(rest);
      const [one, mine] = [editor.current, held.current];
      left(() => {
        if (editor.current === one) editor.current = null;
        if (held.current === mine) held.current = null;
        one?.close();
      });
    };
  }, [begun, left, saver]);

  return (
    <>
      <Bar
        {...{ org, space, number, page, title, preview, saving }}
        mode="source"
        onPreview={() => setPreview(!preview)}
        onMode={(mode) => mode !== "source" && void saver.flush().then((done) => done && change(mode, saver.revision()))}
        restored={begun.before ?? false}
        replace={() => editor.current?.replace(begun.stored)}
      />
      <div className={preview ? "writing-both previews" : "writing-both"}>
        <section className="writing-source" aria-label="Source">
          <div className="writing-tools" role="toolbar" aria-label="Format">
            {BUTTONS.map((one) => (
              <Button key={one.words} small look="quiet" aria-label={one.words} icon={one.icon} onPress={() => editor.current?.format(one.how)} />
            ))}
          </div>
          <div ref={host} className="source" />
        </section>
        {preview && (
          <section className="writing-preview" aria-label="Preview" tabIndex={0}>
            <Preview {...{ space, number, page, title }} of={text} body={{ markdown: text }} />
          </section>
        )}
      </div>
    </>
  );
}
