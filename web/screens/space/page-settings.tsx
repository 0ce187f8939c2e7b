/** What a page is beside its text: its title, address, icon and cover, what of it is shown, and who finds it. */
import { ImagePlus, Trash2 } from "lucide-react";
import { useRef, useState } from "react";
import type { At } from "../../api/addresses";
import { altered, type Change } from "../../api/arranging";
import { sentence } from "../../api/client";
import type { Page } from "../../api/content";
import { upload } from "../../api/files";
import { Button } from "../../parts/button";
import { Check } from "../../parts/check";
import { Dialog } from "../../parts/dialog";
import { emoji } from "../../parts/emoji";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Select } from "../../parts/select";
import { toast } from "../../parts/toast";
import type { Arranging } from "./arrange";

type Props = { at: At; page: Page | null; arranging: Arranging; onClose: () => void };

export function PageSettings({ at, page, arranging, onClose }: Props) {
  return (
    <Dialog title={page ? `Settings of ${page.title}` : ""} open={page !== null} onClose={onClose} wide>
      {page && <Inside at={at} page={page} arranging={arranging} onClose={onClose} />}
    </Dialog>
  );
}

const PARTS = [
  ["title", "Title"],
  ["description", "Description"],
  ["cover", "Cover"],
  ["tableOfContents", "Navigation at the side"],
  ["outline", "Outline of the page"],
  ["pagination", "The pages before and behind it"],
  ["metadata", "When it was changed"],
  ["tags", "Tags"],
  ["actions", "Actions of the page"],
] as const;

function stored(page: Page) {
  const layout = "layout" in page ? page.layout : undefined;
  return {
    title: page.title,
    slug: "slug" in page ? page.slug : "",
    description: "description" in page ? (page.description ?? "") : "",
    emoji: "emoji" in page ? emoji(page.emoji) : "",
    icon: "icon" in page ? (page.icon ?? "") : "",
    hidden: "hidden" in page ? Boolean(page.hidden) : false,
    noIndex: "noIndex" in page ? Boolean(page.noIndex) : false,
    noRobotsIndex: "noRobotsIndex" in page ? Boolean(page.noRobotsIndex) : false,
    ...Object.fromEntries(PARTS.map(([name]) => [name === "title" || name === "description" ? `shows ${name}` : name, layout?.[name] ?? true])),
    width: layout?.width ?? "default",
    coverSize: layout?.coverSize ?? "hero",
  } as Record<string, string | boolean>;
}

function Inside({ at, page, arranging, onClose }: { at: At; page: Page; arranging: Arranging; onClose: () => void }) {
  const draft = useDraft(stored(page));
  const [busy, setBusy] = useState(false);
  const whole = page.type === "document";
  const text = (name: string) => ({ value: String(draft.value[name] ?? ""), onChange: (to: string) => draft.put({ [name]: to }) });
  const flag = (name: string) => ({ value: Boolean(draft.value[name]), onChange: (to: boolean) => draft.put({ [name]: to }) });
  const save = async () => {
    setBusy(true);
    const fields = changed(draft.changes);
    const change: Change = { operation: "update_page", page: page.id, ...fields };
    const done = !draft.changed || (await arranging.run([change], (list) => altered(list, page.id, (one) => ({ ...one, title: fields.title ?? one.title }) as Page)));
    setBusy(false);
    if (done) onClose();
  };
  return (
    <Form save="Save" onSubmit={() => void save()} isPending={busy} isDisabled={!String(draft.value["title"]).trim()} also={<Button onPress={onClose}>Cancel</Button>}>
      <Field label="Title" {...text("title")} />
      {whole && <Field label="Description" lines={2} help="A sentence or two, below the title and in search results." {...text("description")} />}
      <div className="pair">
        {page.type !== "link" && <Field label="Word in its address" help="The old address goes on leading here." {...text("slug")} />}
        <Field label="Emoji" {...text("emoji")} />
        <Field label="Icon" help="A name of an icon, such as feather." {...text("icon")} />
      </div>
      {whole && <Cover at={at} page={page} arranging={arranging} />}
      <fieldset className="choices">
        <legend>Who finds it</legend>
        <Check label="Hidden from the navigation" help="Its address answers all the same." {...flag("hidden")} />
        {whole && <Check label="Left out of the site's search" {...flag("noIndex")} />}
        {whole && <Check label="Search engines are asked to leave it out" {...flag("noRobotsIndex")} />}
      </fieldset>
      {whole && (
        <details className="layout-options">
          <summary>What of it is shown</summary>
          <div className="stack">
            {PARTS.map(([name, words]) => (
              <Check key={name} label={words} {...flag(name === "title" || name === "description" ? `shows ${name}` : name)} />
            ))}
            <Select label="Width" options={[{ value: "default", words: "As other pages" }, { value: "wide", words: "Wide" }]} {...text("width")} />
            <Select label="Size of the cover" options={[{ value: "hero", words: "Above the text" }, { value: "full", words: "Over the whole width" }, { value: "background", words: "Behind the title" }]} {...text("coverSize")} />
          </div>
        </details>
      )}
    </Form>
  );
}

type Fields = Omit<Extract<Change, { operation: "update_page" }>, "operation" | "page">;

/** The fields of the change: what of the layout was named so is put together again. */
function changed(changes: Partial<Record<string, string | boolean>>): Fields {
  const layout: Record<string, string | boolean> = {};
  const fields: Record<string, unknown> = {};
  const parts = new Set<string>(["width", "coverSize", ...PARTS.map(([name]) => name).filter((name) => name !== "title" && name !== "description")]);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) continue;
    if (name.startsWith("shows ")) layout[name.slice(6)] = value;
    else if (parts.has(name)) layout[name] = value;
    else fields[name] = typeof value === "string" ? value.trim() : value;
  }
  if (Object.keys(layout).length > 0) fields["layout"] = layout;
  return fields as Fields;
}

function Cover({ at, page, arranging }: { at: At; page: Page; arranging: Arranging }) {
  const input = useRef<HTMLInputElement>(null);
  const [share, setShare] = useState<number>();
  const [has, setHas] = useState("cover" in page && Boolean(page.cover));
  const send = async (file: File) => {
    setShare(0);
    try {
      const key = await upload(at.org, file, "organization_file", setShare);
      if (await arranging.cover(page, { key, name: file.name, type: file.type })) setHas(true);
    } catch (error) {
      toast(sentence(error), { tone: "danger" });
    } finally {
      setShare(undefined);
    }
  };
  return (
    <div className="row wrap">
      <span className="grow">{has ? "It has a cover." : "It has no cover."}</span>
      <input ref={input} type="file" accept="image/*" hidden aria-label="Picture for the cover" onChange={(event) => event.target.files?.[0] && void send(event.target.files[0])} />
      <Button small icon={<ImagePlus />} isPending={share !== undefined} onPress={() => input.current?.click()}>
        {share !== undefined ? `Sending, ${Math.round(share * 100)} %` : has ? "Another cover" : "Choose a cover"}
      </Button>
      {has && <Button small look="quiet" icon={<Trash2 />} onPress={() => void arranging.cover(page, null).then((done) => done && setHas(false))}>Take it away</Button>}
    </div>
  );
}
