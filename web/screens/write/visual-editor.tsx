/** A page as its readers see it, written into: the text, and around it what can be done with it. */
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { sentence } from "../../api/client";
import { rendered, upload, type Written } from "../../api/writing";
import type { Json } from "../../editor/visual/document";
import type { Taken } from "../../editor/visual/taken";
import type { Shown, Visual } from "../../editor/visual/view";
import { toast } from "../../parts/toast";
import { whileReading } from "../../parts/trusted";
import { Bar } from "./bar";
import { BlockComment } from "./block-comment";
import { choicesOf, Handle } from "./handle";
import { LinkDialog } from "./link-dialog";
import { useLook } from "./look";
import { Preview } from "./preview";
import type { Begun, Held, Wire } from "./saver";
import { type Mode, type Of, useSaving } from "./saving";
import { Bubble, Inserting, Settings, Tools } from "./tools";

const REST = 300;
const IMAGES = "image/*";

type Props = Of & { id: string; begun: Begun<Written>; wire: Wire<Written>; change: (mode: Mode, revision: string) => void };

export function VisualEditor({ org, space, number, page, id, begun, wire, change }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const editor = useRef<Visual | null>(null);
  const held = useRef<Held<Written> | null>(null);
  const [title, setTitle] = useState(begun.content.title);
  const [description, setDescription] = useState(begun.content.description);
  const head = useRef({ title, description });
  const [shown, setShown] = useState<Shown | null>(null);
  const [linking, setLinking] = useState(false);
  const [asked, setAsked] = useState<Taken | null>(null);
  const [commented, setCommented] = useState<Taken | null>(null);
  const [wanted, setWanted] = useState<{ choose: boolean } | null>(null);
  const [preview, setPreview] = useState(false);
  const [version, setVersion] = useState(0);
  const queries = useQueryClient();
  const look = useLook(org, space, number, page, () => editor.current?.refresh());
  const saving = useSaving({ space, id, begun, held, wire });
  const { saver, left } = saving;
  const { changed } = saver;
  head.current = { title, description };

  const give = useCallback(
    async (file: File, progress: (part: number) => void) => {
      const made = await upload(org, space, number, file, progress);
      await queries.invalidateQueries({ queryKey: ["files", space, number] });
      return { ref: { kind: "file", file: made }, name: file.name, image: file.type.startsWith("image/") };
    },
    [org, space, number, queries],
  );

  /** Also for what is sent after this was taken off the screen. */
  const top = useCallback((now: Partial<{ title: string; description: string }>) => {
    head.current = { ...head.current, ...now };
    setTitle(head.current.title);
    setDescription(head.current.description);
  }, []);

  useEffect(() => {
    const element = host.current;
    if (!element) return;
    let closed = false;
    let rest = 0;
    saver.come();
    void import("../../editor/visual/view").then(({ openVisual }) => {
      if (closed) return;
      const one = openVisual(element, {
        document: begun.content.document as Json,
        label: "Text of the page",
        styles: document.querySelector<HTMLMetaElement>("meta[name=octavo-page-styles]")?.content ?? "",
        look,
        changed: () => {
          clearTimeout(rest);
          rest = window.setTimeout(() => setVersion((was) => was + 1), REST);
          changed();
        },
        save: () => void saver.save(),
        show: setShown,
        link: () => setLinking(true),
        block: setAsked,
        settings: (choose) => {
          // They are drawn after this.
          setWanted({ choose: choose ?? false });
        },
        reading: whileReading,
        upload: give,
        parse: async (markdown) => (await rendered(space, number, page, { markdown, withDocument: true })).document as Json,
        choose: (kind) => {
          if (!picker.current) return;
          picker.current.accept = kind === "image" ? IMAGES : "";
          picker.current.click();
        },
        failed: (error) => toast(sentence(error), { tone: "danger" }),
      });
      editor.current = one;
      held.current = {
        content: () => ({ ...head.current, document: one.document() as Written["document"] }),
        mark: one.mark,
        arriving: one.arriving,
        join: (sent, joined) => {
          one.join(joined.document as Json);
          // A title is sent without the spaces around it, and an empty one is not: only another one is somebody else's.
          const wanted = sent.title.trim();
          if (wanted && joined.title !== wanted && head.current.title.trim() === wanted) top({ title: joined.title });
          if (joined.description !== sent.description && head.current.description === sent.description) top({ description: joined.description });
        },
      };
      one.focus();
      if (begun.before) changed();
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
  }, [begun, changed, give, left, look, number, page, saver, space, top]);

  useEffect(() => {
    if (!wanted) return;
    const first = document.querySelector<HTMLElement>(".writing-settings :is(input, textarea, select, [data-choose])");
    first?.focus();
    if (first instanceof HTMLInputElement || first instanceof HTMLTextAreaElement) first.select();
    else if (wanted.choose && first?.dataset["choose"] !== undefined) first.click();
    setWanted(null);
  }, [wanted]);
  const blockChoices = (of: Taken | null) => (of ? choicesOf(editor, of, setCommented) : []);
  const replace = () => {
    top(begun.stored);
    editor.current?.replace(begun.stored.document as Json);
  };
  return (
    <>
      <Bar
        {...{ org, space, number, page, preview, saving, replace }}
        title={title || "Page"}
        mode="visual"
        onPreview={() => setPreview(!preview)}
        onMode={(mode) => mode !== "visual" && void saver.flush().then((done) => done && change(mode, saver.revision()))}
        restored={begun.before ?? false}
      />
      <div className={preview ? "writing-both previews" : "writing-both"}>
        <section className="writing-source" aria-label="Page">
          <Tools shown={shown} editor={editor} onLink={() => setLinking(true)} blockChoices={() => blockChoices(editor.current?.blocks.selected() ?? null)} />
          <div ref={sheet} className="writing-sheet">
            <div className="writing-page">
              <textarea
                className="writing-title"
                aria-label="Title"
                placeholder="Title"
                rows={1}
                value={title}
                onKeyDown={(event) => {
                  if (event.key !== "Enter") return;
                  event.preventDefault();
                  editor.current?.focus();
                }}
                onChange={(event) => {
                  setTitle(event.target.value.replaceAll("\n", " "));
                  changed();
                }}
                onBlur={() => !title.trim() && setTitle(saver.base().title)}
              />
              <textarea
                className="writing-lead"
                aria-label="Description"
                placeholder="Description"
                rows={1}
                value={description}
                onChange={(event) => {
                  setDescription(event.target.value.replaceAll("\n", " "));
                  changed();
                }}
              />
              <div ref={host} className="visual" />
            </div>
          </div>
          <Settings shown={shown} editor={editor} look={look} />
        </section>
        {preview && (
          <section className="writing-preview" aria-label="Preview" tabIndex={0}>
            <Preview {...{ space, number, page }} title={title} of={version} body={{ document: (editor.current?.document() ?? begun.content.document) as Written["document"] }} />
          </section>
        )}
      </div>
      <Bubble shown={shown} editor={editor} onLink={() => setLinking(true)} />
      <Inserting shown={shown} editor={editor} />
      <Handle {...{ editor, sheet, asked }} onDone={() => setAsked(null)} onComment={setCommented} />
      {commented && <BlockComment {...{ org, space, number, page }} block={commented} where={(of) => editor.current?.blocks.where(of) ?? null} flush={saver.flush} revision={saver.revision} onClose={() => setCommented(null)} />}
      <input
        ref={picker}
        type="file"
        hidden
        multiple
        aria-label="Files"
        onChange={(event) => {
          editor.current?.give([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
      />
      {linking && (
        <LinkDialog
          look={look}
          link={shown?.link?.["ref"] as Record<string, unknown> | undefined}
          onClose={() => {
            setLinking(false);
            editor.current?.focus();
          }}
          onChoose={(ref, name) => {
            setLinking(false);
            editor.current?.link(ref, name);
          }}
        />
      )}
    </>
  );
}
