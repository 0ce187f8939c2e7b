/** What terms are called in each language: every translation of the organization follows it. */
import { useQuery } from "@tanstack/react-query";
import { BookA, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { wrongs } from "../../api/refused";
import * as api from "../../api/translations";
import { Asked } from "../../parts/asked";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { LANGUAGES, languageName } from "../../parts/languages";
import { Select } from "../../parts/select";
import { Head } from "../../parts/shell";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";
import { Manage } from "./side";

export default function Glossary({ org, may }: { org: string; may: boolean }) {
  const asked = useQuery(api.glossary(org));
  const [edits, setEdits] = useState<api.Entry | "new" | null>(null);
  const stale = [["glossary", org]];
  const put = useDeed((terms: Record<string, string>) => api.changeGlossary(org, [{ type: "insert", translations: terms }]), { stale, failed: fail });
  const remove = useDeed((one: api.Entry) => api.changeGlossary(org, [{ type: "delete", id: one.id }]).then(() => one), {
    stale,
    failed: fail,
    done: (one) => toast("The term is gone from the glossary.", { undo: () => put.mutate(one.translations) }),
  });
  const add = may && <Button look="primary" icon={<Plus />} onPress={() => setEdits("new")}>New term</Button>;
  return (
    <Manage org={org} part="translations" title="Glossary">
      <Head above={<Link className="link" href={addresses.manage(org, "translations")}>Translations</Link>} title="Glossary" note="What terms are called in each language. A block is sent the terms that it has." actions={<><Help chapter="running/translations" />{add}</>} />
      <Asked of={asked} say={sentence}>
        {(found) =>
          found.length === 0 ? <Empty icon={<BookA />} title="No term yet" action={add}>Names of products, words of your trade: say once what each is called.</Empty> : (
            <Table
              label="Terms"
              rows={found}
              rowKey={(one) => one.id}
              columns={[
                { name: "Term", cell: (one) => Object.entries(one.translations).map(([code, term]) => <div key={code}><span className="strong">{term}</span> <span className="note">{languageName(code)}</span></div>) },
                {
                  name: "",
                  cell: (one) => may && (
                    <span className="row">
                      <Button small icon={<Pencil />} aria-label={`Change ${Object.values(one.translations)[0]}`} onPress={() => setEdits(one)} />
                      <Button small icon={<Trash2 />} aria-label={`Delete ${Object.values(one.translations)[0]}`} isPending={remove.isPending} onPress={() => remove.mutate(one)} />
                    </span>
                  ),
                },
              ]}
            />
          )
        }
      </Asked>
      {edits && <Editing org={org} entry={edits} onClose={() => setEdits(null)} />}
    </Manage>
  );
}

function Editing({ org, entry, onClose }: { org: string; entry: api.Entry | "new"; onClose: () => void }) {
  const { value: terms, put, set } = useDraft<Record<string, string>>(entry === "new" ? { en: "", de: "" } : entry.translations);
  const deed = useDeed(
    () => {
      const translations = Object.fromEntries(Object.entries(terms).map(([code, term]) => [code, term.trim()]).filter(([, term]) => term));
      return api.changeGlossary(org, [entry === "new" ? { type: "insert", translations } : { type: "update", id: entry.id, translations }]);
    },
    { stale: [["glossary", org]], done: onClose },
  );
  const wrong = wrongs(deed.error, ["operations"]);
  const left = LANGUAGES.filter((one) => !(one.value in terms));
  return (
    <Dialog title={entry === "new" ? "New term" : "A term"} open onClose={onClose}>
      <Form save="Save" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={Object.values(terms).filter((one) => one.trim()).length < 2} wrong={wrong.at("operations") ?? wrong.rest} also={<Button onPress={onClose}>Cancel</Button>}>
        {Object.entries(terms).map(([code, term], index) => <Field key={code} label={`In ${languageName(code)}`} value={term} onChange={set(code)} autoFocus={index === 0} />)}
        <Select label="One more language" value="" onChange={(code) => code && put({ [code]: "" })} options={[{ value: "", words: "Choose" }, ...left]} />
      </Form>
    </Dialog>
  );
}
