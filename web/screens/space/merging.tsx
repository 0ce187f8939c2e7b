/** The way to the merge: what the rules ask for, whether it is behind, and the merge itself. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Check, CircleDashed, GitMerge, RefreshCw } from "lucide-react";
import { useState } from "react";
import type { At } from "../../api/addresses";
import { sentence } from "../../api/client";
import type { ChangeRequest, Space } from "../../api/queries";
import { merge, mergeability, pull } from "../../api/review";
import { Button } from "../../parts/button";
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
  const [conflicts, setConflicts] = useState(0);
  const work = one.status === "draft" || one.status === "open";
  const said = useQuery({ ...mergeability(at.space, one.number), enabled: work }).data;
  const refresh = () => queries.invalidateQueries();
  const go = useMutation({
    mutationFn: () => merge(at.space, one.number),
    onSuccess: async (made) => {
      setAsks(false);
      setConflicts(made.conflicts?.length ?? 0);
      toast(made.result === "conflicts" ? "Merged, with conflicts to look at" : "Merged. Readers see it now.");
      await refresh();
    },
  });
  const behind = useMutation({
    mutationFn: () => pull(at.space, one.number),
    onSuccess: async (made) => {
      setConflicts(made.conflicts?.length ?? 0);
      toast(made.result === "conflicts" ? "Up to date, with conflicts to look at" : "It is up to date");
      await refresh();
    },
    onError: (error) => toast(sentence(error), { tone: "danger" }),
  });
  return (
    <section className="panel">
      <h2>Merge</h2>
      {conflicts > 0 && (
        <Notice tone="warning">Both sides changed the same lines in {conflicts === 1 ? "one place" : `${conflicts} places`}. Both versions stand there one after the other: edit the page, keep one, and remove the condition around it.</Notice>
      )}
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
          <p className="note">Merging takes the role “review” on this space.</p>
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
