/** Translations: spaces that are kept in further languages, and the glossary that all of them follow. */
import { useQuery } from "@tanstack/react-query";
import { BookA, Languages, Plus } from "lucide-react";
import { useState } from "react";
import { useLocation } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { organization, spaces } from "../../api/queries";
import { wrongs } from "../../api/refused";
import * as api from "../../api/translations";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button, ButtonLink } from "../../parts/button";
import { Check } from "../../parts/check";
import { Dialog } from "../../parts/dialog";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { LANGUAGES, languageName } from "../../parts/languages";
import { Entry, List } from "../../parts/list";
import { Select } from "../../parts/select";
import { Head } from "../../parts/shell";
import Glossary from "./glossary";
import { LanguageChoice } from "./language-choice";
import { Manage } from "./side";
import One from "./translation";

export default function Translations({ org, id }: { org: string; id?: string }) {
  const may = useQuery(organization(org)).data?.permissions.createContent ?? false;
  if (id === "glossary") return <Glossary org={org} may={may} />;
  return id ? <One org={org} id={id} may={may} /> : <All org={org} may={may} />;
}

function All({ org, may }: { org: string; may: boolean }) {
  const asked = useQuery(api.translations(org));
  const titles = new Map((useQuery(spaces(org)).data ?? []).map((one) => [one.id, one.title]));
  const [making, setMaking] = useState(false);
  const make = may && <Button look="primary" icon={<Plus />} onPress={() => setMaking(true)}>New translation</Button>;
  return (
    <Manage org={org} part="translations" title="Translations">
      <Head title="Translations" note="Spaces in further languages, made by the translator of this installation and kept up to date." actions={<><Help chapter="running/translations" /><ButtonLink icon={<BookA />} href={`${addresses.manage(org, "translations")}/glossary`}>Glossary</ButtonLink>{make}</>} />
      <Asked of={asked} say={sentence}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon={<Languages />} title="No translation yet" action={make}>Each language becomes a space of its own with the pages and addresses of its source, which a site shows as a variant.</Empty>
          ) : (
            <List label="Translations">
              {found.map((one) => (
                <Entry
                  key={one.id}
                  href={`${addresses.manage(org, "translations")}/${one.id}`}
                  lead={<Languages />}
                  title={one.title}
                  note={`${one.source ? `${titles.get(one.source.space) ?? "A space"}, from ${languageName(one.source.language)}` : "No source"} into ${one.languages.map(languageName).join(", ") || "no language yet"}`}
                  end={<>{one.automatic && <Badge>Follows by itself</Badge>}{one.status !== "completed" && <Badge tone="info">Runs</Badge>}</>}
                />
              ))}
            </List>
          )
        }
      </Asked>
      {making && <Making org={org} onClose={() => setMaking(false)} />}
    </Manage>
  );
}

function Making({ org, onClose }: { org: string; onClose: () => void }) {
  const known = useQuery(spaces(org)).data ?? [];
  const [, go] = useLocation();
  const { value: it, set } = useDraft({ title: "", space: "", language: "en", languages: [] as string[], automatic: true });
  const source = it.space || known[0]?.id || "";
  const title = it.title.trim() || known.find((one) => one.id === source)?.title || "Translation";
  const deed = useDeed(
    () => api.make(org, { title, source: { space: source, language: it.language as api.Language }, languages: it.languages as api.Language[], automatic: it.automatic }),
    {
      stale: [["translations", org]],
      done: (made) => {
        onClose();
        go(`${addresses.manage(org, "translations")}/${made.id}`);
      },
    },
  );
  const wrong = wrongs(deed.error, ["title", "source", "languages", "automatic"]);
  return (
    <Dialog title="New translation" open wide onClose={onClose}>
      <Form save="Make translation" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!source || it.languages.length === 0} wrong={wrong.rest} also={<Button onPress={onClose}>Cancel</Button>}>
        <div className="pair">
          <Select label="Space" value={source} onChange={set("space")} wrong={wrong.at("source")} options={known.map((one) => ({ value: one.id, words: one.title || "Untitled space" }))} />
          <Select label="It is written in" value={it.language} onChange={set("language")} options={LANGUAGES} />
        </div>
        <Field label="Title" value={it.title} onChange={set("title")} placeholder={title} wrong={wrong.at("title")} />
        <LanguageChoice value={it.languages} not={it.language} onChange={set("languages")} wrong={wrong.at("languages")} />
        <Check label="Follow the source by itself" help="A run begins half a minute after a change." value={it.automatic} onChange={set("automatic")} />
      </Form>
    </Dialog>
  );
}
