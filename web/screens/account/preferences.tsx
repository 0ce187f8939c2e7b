/** What somebody is told of, and how: each kind by itself, kept at once. */
import { useQuery } from "@tanstack/react-query";
import { prefer, type Preference, preferences } from "../../api/account";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { me } from "../../api/queries";
import { Asked } from "../../parts/asked";
import { Check } from "../../parts/check";
import { Select } from "../../parts/select";
import { Help } from "../../parts/help";
import { Head } from "../../parts/shell";
import { fail } from "../../parts/toast";
import "./account.css";

const WORDS: Record<string, [string, string]> = {
  "review-requested": ["Reviews asked of you", "Somebody asks you, or a team of yours, to review a change request."],
  review: ["Reviews given", "A change request that you made, or take part in, is reviewed."],
  mention: ["Mentions", "Somebody names you in a comment, a reply or a review."],
  reply: ["Replies", "Somebody replies where you commented or replied."],
  comment: ["Comments", "Somebody comments on a change request or page where you take part."],
  merged: ["Merges", "A change request that you made, or take part in, is merged."],
  "git-failed": ["Git", "An operation of a space that you administer, or that you ordered, fails."],
};
const EMAILS = [
  { value: "immediate", words: "Mail at once" },
  { value: "digest", words: "Mail together with others" },
  { value: "off", words: "No mail" },
];

export default function Preferences() {
  const asked = useQuery(preferences);
  const email = useQuery(me).data?.email;
  const save = useDeed((kinds: Record<string, Partial<Preference>>) => prefer(kinds), { stale: [["preferences"]], failed: fail });
  return (
    <>
      <Head title="Notifications" note={`What you are told of. Letters go to ${email ?? "you"}, where this installation sends mail.`} actions={<Help chapter="collaboration/notifications" />} />
      <Asked of={asked} say={sentence}>
        {(found) => {
          // What was chosen is seen at once; the answer says it again.
          const sent = save.isPending ? save.variables : {};
          const rows = Object.entries(found.kinds).map(([kind, one]) => ({ kind, ...one, ...sent[kind] }));
          return (
            <ul className="plain told" aria-label="What you are told of">
              {rows.map(({ kind, list, email: how }) => {
                const [name, words] = WORDS[kind] ?? [kind, ""];
                return (
                  <li key={kind}>
                    <div className="grow">
                      <p className="strong">{name}</p>
                      <p className="note">{words}</p>
                    </div>
                    <div className="told-how">
                      <Check label="In the list" name={`${name} in the list`} value={list} onChange={(to) => save.mutate({ [kind]: { list: to } })} />
                      <Select hush label={`${name} by e-mail`} value={how} options={EMAILS} onChange={(to) => save.mutate({ [kind]: { email: to as Preference["email"] } })} />
                    </div>
                  </li>
                );
              })}
            </ul>
          );
        }}
      </Asked>
    </>
  );
}
