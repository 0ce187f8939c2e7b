/** Something new in the table of contents: a page, a group of pages, or a link. */
import { useState } from "react";
import { useLocation } from "wouter";
import type { At } from "../../api/addresses";
import * as addresses from "../../api/addresses";
import type { Change } from "../../api/arranging";
import { flat, type Page } from "../../api/content";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { Form } from "../../parts/form";
import { Select } from "../../parts/select";
import type { Arranging } from "./arrange";

export type New = { kind: "page" | "link"; into: string | null } | { kind: "group" };
const TITLES = { page: "Add a page", group: "Add a group", link: "Add a link" } as const;

export function AddEntry({ at, what, list, arranging, onClose }: { at: At; what: New | null; list: Page[]; arranging: Arranging; onClose: () => void }) {
  return (
    <Dialog title={what ? TITLES[what.kind] : ""} open={what !== null} onClose={onClose}>
      {what && <Inside at={at} what={what} list={list} arranging={arranging} onClose={onClose} />}
    </Dialog>
  );
}

function Inside({ at, what, list, arranging, onClose }: { at: At; what: New; list: Page[]; arranging: Arranging; onClose: () => void }) {
  const [title, setTitle] = useState("");
  const [url, setUrl] = useState("https://");
  const [page, setPage] = useState("");
  const [busy, setBusy] = useState(false);
  const [, go] = useLocation();
  const documents = flat(list).filter((one) => one.page.type === "document");
  const make = async () => {
    setBusy(true);
    const made = await arranging.run([changeFor(what, title.trim(), page ? { kind: "page", page } : { kind: "url", url: url.trim() })]);
    setBusy(false);
    if (!made) return;
    onClose();
    const id = made.pages[0];
    if (what.kind === "page" && id) go(`${addresses.place(at)}/~/edit/${id}`);
  };
  return (
    <Form save={what.kind === "page" ? "Add and write" : "Add"} onSubmit={() => void make()} isPending={busy} isDisabled={!title.trim()} also={<Button onPress={onClose}>Cancel</Button>}>
      <Field label="Title" autoFocus value={title} onChange={setTitle} help={what.kind === "group" ? "Groups stand at the top, with pages below them." : undefined} />
      {what.kind === "link" && (
        <>
          <Select label="Leads to" value={page} onChange={setPage} options={[{ value: "", words: "An address of the web" }, ...documents.map((one) => ({ value: one.page.id, words: [...one.above, one.page].map((each) => each.title).join(" › ") }))]} />
          {!page && <Field label="Address" value={url} onChange={setUrl} />}
        </>
      )}
    </Form>
  );
}

type Target = { kind: "page"; page: string } | { kind: "url"; url: string };

function changeFor(what: New, title: string, target: Target): Change {
  if (what.kind === "group") return { operation: "insert_group", title };
  if (what.kind === "link") return { operation: "insert_link", title, target, into: what.into ?? undefined };
  return { operation: "insert_page", title, document: { markdown: `# ${title}\n` }, into: what.into ?? undefined };
}
