/** The files of a space or of a change request: looked at, sent, replaced and deleted where they may be. */
import { useQuery } from "@tanstack/react-query";
import { Download, FileUp, MoreHorizontal, Paperclip, RefreshCw, Trash2 } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import type { At } from "../../api/addresses";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { type File_, files, shownBy, upload } from "../../api/files";
import type { Space } from "../../api/queries";
import { Asked } from "../../parts/asked";
import { Button, ButtonLink } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Menu } from "../../parts/menu";
import { Notice } from "../../parts/notice";
import { Help } from "../../parts/help";
import { Head } from "../../parts/shell";
import { Table } from "../../parts/table";
import { useArranging } from "./arrange";

/** As the upload of the API takes. */
const LARGEST = 256 << 20;
type Sending = { name: string; share: number; wrong?: string };

/** What people call a kind of file: how its name ends, if it says anything. */
const kind = (one: { name: string; contentType: string }) => /\.([a-z0-9]{1,5})$/i.exec(one.name)?.[1]?.toUpperCase() ?? one.contentType;

export default function Files({ at, space }: { at: At; space: Space }) {
  const asked = useQuery(files(at));
  const arranging = useArranging(at, space);
  const [words, setWords] = useState("");
  const [sending, setSending] = useState<Record<string, Sending>>({});
  const [gone, setGone] = useState<File_ | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const instead = useRef<File_ | null>(null);
  const note = (key: string, to: Sending | null) =>
    setSending((was) => {
      const { [key]: _, ...rest } = was;
      return to ? { ...rest, [key]: to } : rest;
    });
  const send = async (file: File, replaced: File_ | null) => {
    const key = `${Date.now()} ${file.name}`;
    if (file.size > LARGEST) return note(key, { name: file.name, share: 0, wrong: `It has ${size(file.size)}; a file may have ${size(LARGEST)}.` });
    note(key, { name: file.name, share: 0 });
    try {
      const uploaded = await upload(at.org, file, "organization_file", (share) => note(key, { name: file.name, share }));
      const bytes = { name: replaced?.name ?? file.name, contentType: file.type || undefined, key: uploaded };
      const done = await arranging.run([replaced ? { operation: "update_file", file: replaced.id, ...bytes } : { operation: "insert_files", files: [bytes] }]);
      note(key, done ? null : { name: file.name, share: 1, wrong: "It was sent, and not taken." });
    } catch (error) {
      note(key, { name: file.name, share: 0, wrong: sentence(error) });
    }
  };
  const all = (list: FileList | null, replaced: File_ | null) => [...(list ?? [])].forEach((file) => void send(file, replaced));
  const drop = (event: DragEvent) => {
    event.preventDefault();
    if (arranging.may) all(event.dataTransfer.files, null);
  };
  const choose = (one: File_ | null) => {
    instead.current = one;
    input.current?.click();
  };
  return (
    <div className="inner" onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <Head
        title="Files"
        note={at.request === undefined ? "Pictures and files that the pages show." : `As change request #${at.request} has them.`}
        actions={<><Help chapter="content/media" />{arranging.may && <Button look="primary" icon={<FileUp />} onPress={() => choose(null)}>Upload</Button>}</>}
      />
      <input ref={input} type="file" multiple hidden aria-label="Files to upload" onChange={(event) => { all(event.target.files, instead.current); event.target.value = ""; }} />
      {!arranging.may && !at.revision && space.permissions.edit && at.request === undefined && <Notice>Files are changed in a change request: open one, and choose Files there.</Notice>}
      {Object.entries(sending).map(([key, one]) => (
        <Notice key={key} tone={one.wrong ? "danger" : "info"} action={one.wrong && <Button small look="quiet" onPress={() => note(key, null)}>Close</Button>}>
          {one.name}: {one.wrong ?? <><progress value={one.share} aria-label={`Sending ${one.name}`} /> {Math.round(one.share * 100)} %</>}
        </Notice>
      ))}
      <Asked of={asked} say={sentence}>
        {(list) => {
          if (list.length === 0) return <Empty icon={<Paperclip />} title="No file yet">{arranging.may ? "Drop files here, or choose Upload. Pages show them by their name." : "What pages show is listed here."}</Empty>;
          const shown = list.filter((one) => one.name.toLowerCase().includes(words.trim().toLowerCase()));
          return (
            <>
              <Field label="Find a file" hush placeholder="Find by name" value={words} onChange={setWords} />
              <Table
                label="Files"
                rows={shown.slice(0, 300)}
                rowKey={(one) => one.id}
                columns={[
                  { name: "File", cell: (one) => <span className="file-name">{one.contentType.startsWith("image/") ? <img src={one.downloadURL} alt="" loading="lazy" /> : <Paperclip />}<span>{one.name}</span></span> },
                  { name: "Kind", cell: (one) => <span className="note" title={one.contentType}>{kind(one)}</span> },
                  { name: "Size", number: true, cell: (one) => size(one.size) },
                  {
                    name: "",
                    cell: (one) => (
                      <Menu
                        label={`What to do with ${one.name}`}
                        button={<Button small look="quiet" aria-label={`More about ${one.name}`} icon={<MoreHorizontal />} />}
                        choices={[
                          { id: "get", words: "Download", icon: <Download />, act: () => void open(one.downloadURL, "_blank", "noopener") },
                          ...(arranging.may
                            ? [
                                { id: "replace", words: "Replace", note: "Pages show the new one", icon: <RefreshCw />, act: () => choose(one) },
                                { id: "delete", words: "Delete", icon: <Trash2 />, danger: true, act: () => setGone(one) },
                              ]
                            : []),
                        ]}
                      />
                    ),
                  },
                ]}
              />
              {shown.length > 300 && <p className="note">{shown.length - 300} more: find them by name.</p>}
            </>
          );
        }}
      </Asked>
      <Confirm title={`Delete ${gone?.name ?? ""}?`} open={gone !== null} onClose={() => setGone(null)} yes="Delete" onYes={() => { if (gone) void arranging.run([{ operation: "delete_file", file: gone.id }]).then(() => setGone(null)); }}>
        {gone && <ShownBy at={at} file={gone} />}
      </Confirm>
    </div>
  );
}

function ShownBy({ at, file }: { at: At; file: File_ }) {
  const asked = useQuery(shownBy(at, file.id));
  return (
    <Asked of={asked} say={sentence} lines={1}>
      {(found) => {
        const pages = found.items.flatMap((one) => (one.page ? [one.page] : []));
        if (pages.length === 0) return <p>No page shows it. The history can bring it back.</p>;
        return (
          <>
            <p>{pages.length === 1 ? "One page shows it, and will have a broken link:" : `${found.count} pages show it, and will have broken links:`}</p>
            <ul>{pages.slice(0, 8).map((one) => <li key={one.id}><ButtonLink small look="quiet" href={addresses.page(at, one.path || one.id)}>{one.title}</ButtonLink></li>)}</ul>
          </>
        );
      }}
    </Asked>
  );
}

function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const units = ["KB", "MB", "GB"];
  let value = bytes / 1024;
  let at = 0;
  for (; value >= 1024 && at < units.length - 1; at++) value /= 1024;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[at]}`;
}
