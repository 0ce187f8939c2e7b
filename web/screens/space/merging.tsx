/** The way to the merge: what the rules ask for, whether it is behind, and the merge itself. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, CircleDashed, GitMerge, RefreshCw } from "lucide-react";
import { useState } from "react";
import type { At } from "../../api/addresses";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import type { ChangeRequest, Space } from "../../api/queries";
import { merge, mergeability, pull } from "../../api/review";
import { Button, ButtonLink } from "../../parts/button";
import { Actions, Dialog } from "../../parts/dialog";
import { Notice } from "../../parts/notice";
import { toast } from "../../parts/toast";

const RULES: Record<string, string> = {
  require_at_least_one_review: "Somebody else has reviewed it",
  require_at_least_one_approved_review: "Somebody else has approved it",
  require_all_reviews_approved: "No reviewer asks for changes",
  require_specific_reviewers: "Those whom the rule names have approved it",
  require_one_of_specific_reviewers: "One of those whom the rule names has approved it",
  require_agent_review: "An assistant has reviewed it",
  require_up_to_date_change_request: "It is up to date",
  require_change_request_subject: "It has a subject",
  require_change_request_description: "It has a description",
  require_author_to_merge: "Its author merges it",
};

export function Merging({ at, space, one }: { at: At; space: Space; one: ChangeRequest }) {
  const queries = useQueryClient();
  const [asks, setAsks] = useState(false);
  const [conflicts, setConflicts] = useState<Record<string, unknown>[]>([]);
  const work = one.status === "draft" || one.status === "open";
  const said = useQuery({ ...mergeability(at.space, one.number), enabled: work }).data;
  const refresh = () => queries.invalidateQueries();
  const go = useMutation({
    mutationFn: () => merge(at.space, one.number),
    onSuccess: async (made) => {
      setAsks(false);
      setConflicts(made.conflicts ?? []);
      toast(made.result === "conflicts" ? "Merged, with conflicts to look at" : "Merged. Readers see it now.");
      await refresh();
    },
  });
  const behind = useMutation({
    mutationFn: () => pull(at.space, one.number),
    onSuccess: async (made) => {
      setConflicts(made.conflicts ?? []);
      toast(made.result === "conflicts" ? "Up to date, with conflicts to look at" : "It is up to date");
      await refresh();
    },
    onError: (error) => toast(sentence(error), { tone: "danger" }),
  });
  return (
    <section className="panel">
      <h2>Merge</h2>
      {conflicts.length > 0 && <Conflicts at={at} one={one} found={conflicts} />}
      {one.status === "merged" && <p className="note">It is part of what readers see.</p>}
      {one.status === "archived" && <p className="note">It was put aside. Open it again to merge it.</p>}
      {work && one.outdated && (
        <Notice tone="warning" action={space.permissions.edit && <Button small icon={<RefreshCw />} isPending={behind.isPending} onPress={() => behind.mutate()}>Update</Button>}>
          What readers see has changed since.
        </Notice>
      )}
      {work && said && said.rules.length > 0 && (
        <ul className="plain rules">
          {said.rules.map((rule, number) => (
            <li key={`${rule.rule} ${number}`} className={rule.met ? "rule met" : "rule"}>
              {rule.met ? <Check aria-label="Met" /> : <CircleDashed aria-label="Missing" />}
              <span>
                {RULES[rule.rule] ?? rule.rule.replaceAll("_", " ")}
                {rule.missing && <span className="note"> — {rule.missing}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
      {work && said?.bypassed && said.rules.some((rule) => !rule.met) && <p className="note">The rules do not bind you.</p>}
      {work && (
        space.permissions.merge ? (
          <Button look="primary" icon={<GitMerge />} isDisabled={said?.mergeable === false} onPress={() => setAsks(true)}>Merge</Button>
        ) : (
          <p className="note">Reviewers of this space merge it.</p>
        )
      )}
      <Dialog title={`Merge #${one.number}?`} open={asks} onClose={() => setAsks(false)}>
        <p>It becomes part of {space.title || "the space"}{space.urls.published ? ", and readers of its site see it at once" : ""}. The history can bring back what was.</p>
        {go.error && <p className="wrong" role="alert">{sentence(go.error)}</p>}
        <Actions>
          <Button onPress={() => setAsks(false)}>Cancel</Button>
          <Button look="primary" icon={<GitMerge />} isPending={go.isPending} onPress={() => go.mutate()}>Merge now</Button>
        </Actions>
      </Dialog>
    </section>
  );
}

/** Both versions stand in the page: before the merge they are decided beside the changes, after it by editing. */
function Conflicts({ at, one, found }: { at: At; one: ChangeRequest; found: Record<string, unknown>[] }) {
  const places = `Both sides changed the same lines in ${found.length === 1 ? "one place" : `${found.length} places`}.`;
  if (one.status !== "merged")
    return (
      <Notice tone="warning" action={<ButtonLink small href={`${addresses.request(at.org, at.space, one.number)}/~/changes`}>Decide</ButtonLink>}>
        {places} Both versions stand there one after the other: keep one of them, or both.
      </Notice>
    );
  const page = found.find((each) => each["kind"] === "page")?.["id"] as string | undefined;
  return (
    <Notice tone="warning" action={page && <ButtonLink small href={addresses.page({ org: at.org, space: at.space }, page)}>Go to the page</ButtonLink>}>
      {places} Readers see what was there before. Both versions stand in the page one after the other: edit it, keep one, and remove the condition around it.
    </Notice>
  );
}
