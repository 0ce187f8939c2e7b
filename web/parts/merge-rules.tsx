/** What must be so before a change request may be merged: rules by name, people where a rule is about some. */
import { useState } from "react";
import { Button } from "./button";
import { Check, Choices } from "./check";
import { Field } from "./field";
import { Form } from "./form";
import { Notice } from "./notice";

export type Rule = { rule: string; users?: string[]; expression?: string; message?: string };
export type Rules = { type: string; rules?: Rule[] };
type Person = { id: string; name: string };

const PLAIN: { rule: string; words: string; help?: string }[] = [
  { rule: "require_at_least_one_review", words: "Somebody else has reviewed it" },
  { rule: "require_at_least_one_approved_review", words: "Somebody else has approved it" },
  { rule: "require_all_reviews_approved", words: "No reviewer asks for changes" },
  { rule: "require_up_to_date_change_request", words: "It is not outdated" },
  { rule: "require_change_request_subject", words: "It has a subject of its own" },
  { rule: "require_change_request_description", words: "It is described" },
  { rule: "require_author_to_merge", words: "Who proposed it merges it" },
];
const OF_PEOPLE: { rule: string; words: string; help?: string }[] = [
  { rule: "require_specific_reviewers", words: "Each of these people has approved it" },
  { rule: "require_one_of_specific_reviewers", words: "One of these people has approved it" },
  { rule: "allow_bypass", words: "These people may merge whatever the rules say" },
];

type Props = { rules: Rules; people: Person[]; inherits?: boolean; mayEdit: boolean; isPending: boolean; wrong?: string; onSave: (to: Rules, done: () => void) => void };

export function MergeRules({ rules, people, inherits, mayEdit, isPending, wrong, onSave }: Props) {
  const [draft, setDraft] = useState<Rules | null>(null);
  const it = draft ?? rules;
  const listed = it.rules ?? [];
  const one = (rule: string) => listed.find((found) => found.rule === rule);
  const put = (rule: string, to: Rule | null) => setDraft({ type: "rules", rules: [...listed.filter((found) => found.rule !== rule), ...(to ? [to] : [])] });
  const options = [
    ...(inherits ? [{ value: "inherit", words: "Those of the organization" }] : []),
    { value: "none", words: "No rules", help: "Whoever has the role to merge may." },
    { value: "rules", words: "Rules of its own", help: "All of them have to be met." },
  ];
  const nobody = listed.some((found) => OF_PEOPLE.some((kind) => kind.rule === found.rule) && !found.users?.length);
  return (
    <div className="panel form-narrow">
      <Form save="Save rules" onSubmit={() => onSave(it, () => setDraft(null))} isPending={isPending} isDisabled={!draft || !mayEdit || nobody} wrong={wrong} also={draft && <Button onPress={() => setDraft(null)}>Cancel</Button>}>
        <Choices label="A change request may be merged by" value={it.type} onChange={(type) => setDraft(type === "rules" ? { type, rules: listed } : { type })} options={options} />
        {it.type === "rules" && (
          <fieldset className="choices">
            <legend>Only when</legend>
            {PLAIN.map((kind) => <Check key={kind.rule} label={kind.words} help={kind.help} value={Boolean(one(kind.rule))} onChange={(on) => put(kind.rule, on ? { rule: kind.rule } : null)} />)}
            {OF_PEOPLE.map((kind) => <OfPeople key={kind.rule} words={kind.words} found={one(kind.rule)} people={people} onChange={(users) => put(kind.rule, users && { rule: kind.rule, users })} />)}
            <Custom found={one("custom")} onChange={(to) => put("custom", to)} />
          </fieldset>
        )}
        {nobody && <Notice tone="warning">Name at least one person for each rule about people.</Notice>}
      </Form>
    </div>
  );
}

function OfPeople({ words, found, people, onChange }: { words: string; found?: Rule; people: Person[]; onChange: (users: string[] | null) => void }) {
  const users = found?.users ?? [];
  return (
    <>
      <Check label={words} value={Boolean(found)} onChange={(on) => onChange(on ? [] : null)} />
      {found && (
        <div className="within" role="group" aria-label={words}>
          {people.map((one) => <Check key={one.id} label={one.name} value={users.includes(one.id)} onChange={(on) => onChange(on ? [...users, one.id] : users.filter((id) => id !== one.id))} />)}
        </div>
      )}
    </>
  );
}

function Custom({ found, onChange }: { found?: Rule; onChange: (to: Rule | null) => void }) {
  return (
    <>
      <Check label="An expression holds" value={Boolean(found)} onChange={(on) => onChange(on ? { rule: "custom", expression: 'reviews.filter(r => r.status === "approved").length >= 2' } : null)} />
      {found && (
        <div className="within">
          <Field label="Expression" mono lines={2} value={found.expression ?? ""} onChange={(expression) => onChange({ ...found, expression })} help="It may name changeRequest, reviews, space and actor." />
          <Field label="What is said where it does not hold" value={found.message ?? ""} onChange={(message) => onChange({ ...found, message: message || undefined })} />
        </div>
      )}
    </>
  );
}
