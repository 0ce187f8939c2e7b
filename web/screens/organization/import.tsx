/** Bringing what there is already: a file or a website into a change request of a new space, or a Git repository into it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import * as addresses from "../../api/addresses";
import { api, must, sentence } from "../../api/client";
import { createChangeRequest } from "../../api/content";
import { upload } from "../../api/files";
import { Button } from "../../parts/button";
import { Choices } from "../../parts/check";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { Form } from "../../parts/form";

type Source = "file" | "git" | "website";
/** Endings of files, and what they are to the import. */
const KINDS: Record<string, "docx" | "html" | "markdown" | "zip"> = { zip: "zip", docx: "docx", html: "html", htm: "html", md: "markdown", markdown: "markdown" };

export default function Import({ org, parent, open, onClose }: { org: string; parent?: string; open: boolean; onClose: () => void }) {
  return (
    <Dialog title="Import what you have" open={open} onClose={onClose} wide>
      <Inside org={org} parent={parent} onClose={onClose} />
    </Dialog>
  );
}

function Inside({ org, parent, onClose }: { org: string; parent?: string; onClose: () => void }) {
  const [from, setFrom] = useState<Source>("file");
  const [title, setTitle] = useState("");
  const [url, setUrl] = useState("https://");
  const [branch, setBranch] = useState("main");
  const [file, setFile] = useState<File>();
  const [step, setStep] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const queries = useQueryClient();
  const [, go] = useLocation();
  const kind = file && KINDS[file.name.split(".").at(-1)?.toLowerCase() ?? ""];
  const name = title.trim() || file?.name.replace(/\.[^.]+$/, "") || url.replace(/\/+$/, "").split("/").at(-1)?.replace(/\.git$/, "") || "Documentation";
  const run = useMutation({
    mutationFn: async () => {
      const key = from === "file" && file ? await upload(org, file, "import_file", (share) => setStep(`Sending: ${Math.round(share * 100)} %`)) : undefined;
      setStep("Making the space");
      const space = await must(api.POST("/v1/orgs/{organizationId}/spaces", { params: { path: { organizationId: org } }, body: { title: name, parent, empty: true } }));
      const path = { spaceId: space.id };
      try {
        setStep("Reading what came");
        if (from === "git") {
          await must(api.POST("/v1/spaces/{spaceId}/git/import", { params: { path }, body: { url: url.trim(), ref: `refs/heads/${branch.trim()}`, force: false, standalone: false } }));
          return addresses.space(org, space.id);
        }
        if (key && kind === "zip") {
          await must(api.POST("/v1/spaces/{spaceId}/content/import", { params: { path }, body: { key } }));
          return addresses.space(org, space.id);
        }
        const request = await createChangeRequest(space.id, `Import ${name}`.slice(0, 200));
        const body = key && kind ? { source: kind, key } : { source: "website" as const, url: url.trim() };
        await must(api.POST("/v1/spaces/{spaceId}/change-requests/{changeRequestId}/content/import", { params: { path: { ...path, changeRequestId: String(request.number) } }, body }));
        return addresses.request(org, space.id, request.number) + "/~/changes";
      } catch (error) {
        // Nothing came: the space that was made for it goes again.
        await api.DELETE("/v1/spaces/{spaceId}", { params: { path } });
        throw error;
      }
    },
    onSuccess: async (to) => {
      await queries.invalidateQueries();
      onClose();
      go(to);
    },
    onSettled: () => setStep(""),
  });
  const ready = from === "file" ? Boolean(kind) : /^https?:\/\/\S+\.\S+/.test(url.trim()) && (from !== "git" || branch.trim() !== "");
  return (
    <Form save={step || "Import"} onSubmit={() => run.mutate()} isPending={run.isPending} isDisabled={!ready} wrong={run.error ? sentence(run.error) : undefined} also={<Button onPress={onClose}>Cancel</Button>}>
      <Choices
        label="Where it is"
        value={from}
        onChange={(to) => setFrom(to as Source)}
        options={[
          { value: "file", words: "In a file", help: "A zip of a folder of Markdown or of a Git repository, a Word document, a page of HTML or Markdown" },
          { value: "git", words: "In a Git repository", help: "Its pages, their order and files, again whenever you ask" },
          { value: "website", words: "On a website", help: "Pages of another documentation, by its address" },
        ]}
      />
      {from === "file" ? (
        <div className="row wrap">
          <input ref={input} type="file" hidden accept=".zip,.docx,.html,.htm,.md,.markdown" aria-label="File to import" onChange={(event) => setFile(event.target.files?.[0])} />
          <Button onPress={() => input.current?.click()}>Choose a file</Button>
          <span className={file && !kind ? "wrong" : "note"}>{file ? (kind ? file.name : `${file.name} is none of these kinds: zip, docx, html, md.`) : "No file is chosen yet."}</span>
        </div>
      ) : (
        <Field label="Address" value={url} onChange={setUrl} />
      )}
      {from === "git" && <Field label="Branch" value={branch} onChange={setBranch} help="A repository that is not public is connected in the settings of the space." />}
      <Field label="Title of the space" value={title} onChange={setTitle} placeholder={name} />
    </Form>
  );
}
