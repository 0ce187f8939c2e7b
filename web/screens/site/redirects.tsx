/** Old addresses of a site that lead on: found, added, taken away, many at once as CSV. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CornerUpRight, Download, MoreHorizontal, Plus, Upload } from "lucide-react";
import { useDeferredValue, useState } from "react";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { wrongs } from "../../api/refused";
import * as sites from "../../api/sites";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Check } from "../../parts/check";
import { Dialog } from "../../parts/dialog";
import { download } from "../../parts/download";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { Menu } from "../../parts/menu";
import { Head } from "../../parts/shell";
import { Select } from "../../parts/select";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";
import type { At, Shown } from "./at";
import { variantsOf } from "./order";

export default function Redirects({ at, site }: Shown) {
  const [typed, setTyped] = useState("");
  const words = useDeferredValue(typed.trim());
  const asked = useQuery({ ...sites.redirects(at.org, at.site, words), placeholderData: keepPreviousData });
  const shape = useQuery(sites.structure(at.org, at.site)).data;
  const [adding, setAdding] = useState(false);
  const [many, setMany] = useState(false);
  const save = useDeed(() => sites.exportRedirects(at.org, at.site), { stale: [], failed: fail, done: (text) => download("redirects.csv", String(text), "text/csv") });
  const mayEdit = site.permissions.edit;
  const titles = new Map(shape ? variantsOf(shape).map((one) => [one.id, one.title]) : []);
  return (
    <>
      <Head title="Redirects" note="Addresses that pages had elsewhere or before, and where they lead. Moved pages of a space need none." actions={<><Help chapter="running/addresses" />{mayEdit && <Button look="primary" icon={<Plus />} onPress={() => setAdding(true)}>Add</Button>}</>} />
      <div className="stack">
        <div className="toolbar">
          <Field label="Find by address" hush placeholder="Find by address" value={typed} onChange={setTyped} type="search" />
          <Button icon={<Download />} isPending={save.isPending} onPress={() => save.mutate()}>CSV</Button>
          {mayEdit && <Button icon={<Upload />} onPress={() => setMany(true)}>Add many</Button>}
        </div>
        <Asked of={asked} say={sentence}>
          {(found) =>
            found.items.length === 0 ? (
              <Empty icon={<CornerUpRight />} title={words ? "No redirect has these words" : "No redirect yet"}>{!words && "Where did people find this before? Add the old paths, and links go on working."}</Empty>
            ) : (
              <>
                <Table
                  label="Redirects"
                  rows={found.items}
                  rowKey={(one) => one.id}
                  columns={[
                    { name: "From", cell: (one) => <><code>{one.source}</code>{one.captureWildcard && <> <Badge>and below</Badge></>}</> },
                    { name: "To", cell: (one) => led(one, titles) },
                    { name: "Kind", cell: (one) => (one.draft ? <Badge>Draft</Badge> : one.permanent ? "For good (308)" : "For now (307)") },
                    { name: "", cell: (one) => mayEdit && <Deeds at={at} one={one} /> },
                  ]}
                />
                {(found.count ?? 0) > found.items.length && <p className="note">{found.items.length} of {found.count}. Search for the others.</p>}
              </>
            )
          }
        </Asked>
      </div>
      {adding && <Adding at={at} variants={shape ? variantsOf(shape) : []} onClose={() => setAdding(false)} />}
      {many && <Many at={at} onClose={() => setMany(false)} />}
    </>
  );
}

function led(one: sites.Redirect, titles: Map<string, string>) {
  const to = one.destination;
  if (to.kind === "external") return to.url;
  if (to.kind === "site-section") return "A section";
  return `${to.kind === "site-page" ? "A page of " : ""}${titles.get(to.siteSpaceId) ?? "a space"}`;
}

function Deeds({ at, one }: { at: At; one: sites.Redirect }) {
  const stale = [["site", at.site, "redirects"]];
  const back = useDeed(() => sites.addRedirect(at.org, at.site, { source: one.source, destination: one.destination, captureWildcard: one.captureWildcard, draft: one.draft, permanent: one.permanent }), { stale, failed: fail });
  const remove = useDeed(() => sites.removeRedirect(at.org, at.site, one.id), {
    stale,
    failed: fail,
    done: () => toast(`${one.source} leads nowhere now.`, { undo: () => back.mutate() }),
  });
  return <Menu label={`Redirect from ${one.source}`} button={<Button small look="quiet" aria-label={`More of ${one.source}`} icon={<MoreHorizontal />} />} choices={[{ id: "delete", words: "Delete", danger: true, act: () => remove.mutate() }]} />;
}

function Adding({ at, variants, onClose }: { at: At; variants: sites.SiteSpace[]; onClose: () => void }) {
  const { value: it, set } = useDraft({ source: "", to: "external", url: "", path: "", captureWildcard: false, permanent: false });
  const space = variants.find((one) => one.id === it.to);
  const deed = useDeed(
    () => {
      const { source, captureWildcard, permanent } = it;
      const destination = !space
        ? { kind: "external" as const, url: it.url }
        : it.path.trim()
          ? { kind: "path" as const, spaceId: space.space.id, path: it.path.trim() }
          : { kind: "site-space" as const, siteSpaceId: space.id };
      return sites.addRedirect(at.org, at.site, { source, destination, captureWildcard, permanent });
    },
    { stale: [["site", at.site, "redirects"]], done: onClose },
  );
  const wrong = wrongs(deed.error, ["source", "destination"]);
  return (
    <Dialog title="Add a redirect" open onClose={onClose}>
      <Form save="Add" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!it.source} wrong={wrong.rest} also={<Button onPress={onClose}>Cancel</Button>}>
        <Field label="From" value={it.source} onChange={set("source")} autoFocus placeholder="/old/path" wrong={wrong.at("source")} help="A path of this site." />
        <Select label="To" value={it.to} onChange={set("to")} options={[...variants.map((one) => ({ value: one.id, words: one.title })), { value: "external", words: "An address elsewhere" }]} />
        {space ? (
          <Field label="Page" value={it.path} onChange={set("path")} placeholder="getting-started/install" wrong={wrong.at("destination")} help="Its path in the space; without one, the first page." />
        ) : (
          <Field label="Address" value={it.url} onChange={set("url")} type="url" placeholder="https://" wrong={wrong.at("destination")} />
        )}
        <Check label="Everything below it too" help="What follows the path goes along." value={it.captureWildcard} onChange={set("captureWildcard")} />
        <Check label="For good" help="Browsers and search engines remember it." value={it.permanent} onChange={set("permanent")} />
      </Form>
    </Dialog>
  );
}

function Many({ at, onClose }: { at: At; onClose: () => void }) {
  const [text, setText] = useState("");
  const deed = useDeed(() => sites.importRedirects(at.org, at.site, text), { stale: [["site", at.site, "redirects"]] });
  const wrong = wrongs(deed.error, ["csv"]);
  const results = deed.data?.results;
  const refused = results?.filter((one) => one.status === "error") ?? [];
  return (
    <Dialog title="Add many redirects" open wide onClose={onClose}>
      {results ? (
        <>
          <p>{results.length - refused.length} of {results.length} lines were taken.</p>
          {refused.length > 0 && <Table label="Lines that were refused" rows={refused} rowKey={(one) => one.source} columns={[{ name: "From", cell: (one) => <code>{one.source}</code> }, { name: "Why not", cell: (one) => one.error }]} />}
          <div className="form-end"><Button look="primary" onPress={onClose}>Done</Button></div>
        </>
      ) : (
        <Form save="Add them" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!text.trim()} wrong={wrong.rest} also={<Button onPress={onClose}>Cancel</Button>}>
          <label className="field">
            <span>A file</span>
            <input type="file" accept=".csv,text/csv" onChange={(event) => void event.target.files?.[0]?.text().then(setText)} />
          </label>
          <Field label="Or its lines" value={text} onChange={setText} lines={8} wrong={wrong.at("csv")} placeholder={"source,destination\n/old,https://example.com/new"} help="As the CSV that is downloaded here: a line of names, then a line for each redirect." />
        </Form>
      )}
    </Dialog>
  );
}
