/** Files that are pasted or dropped: a place that fills while they travel, then the picture or the file itself. */
import { Plugin, PluginKey } from "prosemirror-state";
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view";
import { type Data, schema } from "./schema";

type Stored = { ref: Data; name: string; image: boolean };
type Options = { upload: (file: File, progress: (part: number) => void) => Promise<Stored>; failed: (error: unknown) => void };
type Said = { add?: { id: object; at: number; dom: HTMLElement }; gone?: object };

const key = new PluginKey<DecorationSet>("uploads");

export function uploads(options: Options) {
  const travelling = new Set<Promise<void>>();
  const give = (view: EditorView, files: File[], at: number) => {
    for (const file of files) {
      const going = one(view, file, at, options).finally(() => travelling.delete(going));
      travelling.add(going);
    }
  };
  return {
    give,
    arriving: () => (travelling.size > 0 ? Promise.all(travelling) : null),
    plugin: new Plugin<DecorationSet>({
      key,
      state: {
        init: () => DecorationSet.empty,
        apply: (tr, before) => {
          const said = tr.getMeta(key) as Said | undefined;
          let now = before.map(tr.mapping, tr.doc);
          if (said?.add) now = now.add(tr.doc, [Decoration.widget(said.add.at, said.add.dom, { id: said.add.id, side: 1 })]);
          if (said?.gone) now = now.remove(now.find(undefined, undefined, (spec) => spec["id"] === said.gone));
          return now;
        },
      },
      props: { decorations: (state) => key.getState(state) },
    }),
    paste: (view: EditorView, event: ClipboardEvent): boolean => {
      const files = [...(event.clipboardData?.files ?? [])];
      give(view, files, view.state.selection.from);
      return files.length > 0;
    },
    drop: (view: EditorView, event: DragEvent): boolean => {
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return false;
      event.preventDefault();
      give(view, files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? view.state.selection.from);
      return true;
    },
  };
}

async function one(view: EditorView, file: File, at: number, options: Options): Promise<void> {
  const id = {};
  const dom = document.createElement("div");
  dom.className = "uploading";
  const bar = document.createElement("progress");
  bar.max = 1;
  bar.setAttribute("aria-label", `Sending ${file.name}`);
  dom.append(`${file.name} `, bar);
  view.dispatch(view.state.tr.setMeta(key, { add: { id, at: outside(view, at), dom } }));
  try {
    const stored = await options.upload(file, (part) => void (bar.value = part));
    if (view.isDestroyed) return;
    const place = key.getState(view.state)?.find(undefined, undefined, (spec) => spec["id"] === id)[0]?.from ?? view.state.doc.content.size;
    const tr = view.state.tr.setMeta(key, { gone: id }).insert(outside(view, place), made(stored));
    // Whoever gave it may have left the page: there is nothing to scroll then.
    view.dispatch(view.dom.isConnected ? tr.scrollIntoView() : tr);
  } catch (error) {
    if (!view.isDestroyed) view.dispatch(view.state.tr.setMeta(key, { gone: id }));
    options.failed(error);
  }
}

function made({ ref, image }: Stored) {
  if (!image) return schema.nodes["file"]!.create({ data: { ref } });
  return schema.nodes["images"]!.create({ data: {} }, schema.nodes["image"]!.create({ data: { ref } }));
}

/** The nearest place behind where a block may stand. */
function outside(view: EditorView, at: number): number {
  const place = view.state.doc.resolve(Math.min(at, view.state.doc.content.size));
  for (let depth = place.depth; depth > 0; depth--) {
    const parent = place.node(depth - 1);
    const index = place.indexAfter(depth - 1);
    if (parent.canReplaceWith(index, index, schema.nodes["images"]!)) return place.after(depth);
  }
  return view.state.doc.content.size;
}
