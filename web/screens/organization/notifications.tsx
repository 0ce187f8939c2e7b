/** What somebody is told of: all of it, or what is unread. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { BellOff, CheckCheck } from "lucide-react";
import { useSearch } from "wouter";
import * as addresses from "../../api/addresses";
import { api, must, sentence } from "../../api/client";
import { notifications } from "../../api/queries";
import { Asked } from "../../parts/asked";
import { Button, ButtonLink } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { List } from "../../parts/list";
import { Head, Shell } from "../../parts/shell";
import { Tabs } from "../../parts/tabs";
import { toast } from "../../parts/toast";
import { NoticeEntry } from "./notice-entry";
import { Side } from "./side";

export default function Notifications({ org }: { org: string }) {
  const every = new URLSearchParams(useSearch()).has("all");
  const asked = useQuery(notifications(every ? undefined : "unread"));
  const queries = useQueryClient();
  const readAll = useMutation({
    mutationFn: () => must(api.POST("/v1/user/notifications/read")),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["notifications"] }),
    onError: (error) => toast(sentence(error), { tone: "danger" }),
  });
  const here = `${addresses.home(org)}/~/notifications`;
  const unread = asked.data?.unread ?? 0;
  return (
    <Shell side={<Side org={org} />} sideName="Spaces" title="Notifications">
      <Head
        title="Notifications"
        actions={
          <>
            {unread > 0 && (
              <Button icon={<CheckCheck />} isPending={readAll.isPending} onPress={() => readAll.mutate()}>Mark all as read</Button>
            )}
            <ButtonLink look="quiet" href={addresses.account("notifications")}>Preferences</ButtonLink>
          </>
        }
      />
      <div className="stack">
        <Tabs
          label="Which notifications"
          tabs={[
            { href: here, words: "Unread", count: unread, here: !every },
            { href: `${here}?all`, words: "All", here: every },
          ]}
        />
        <Asked of={asked} say={sentence}>
          {(found) =>
            found.items.length === 0 ? (
              <Empty icon={<BellOff />} title={every ? "You were told of nothing yet" : "You have read everything"}>
                Reviews that are asked of you, replies, mentions and merges are listed here.
              </Empty>
            ) : (
              <List label="Notifications">
                {found.items.map((one) => (
                  <NoticeEntry key={one.id} notice={one} />
                ))}
              </List>
            )
          }
        </Asked>
      </div>
    </Shell>
  );
}
