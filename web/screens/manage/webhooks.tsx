/** Webhooks: who is told of what, what was delivered, and sent again. */
import { useQuery } from "@tanstack/react-query";
import { MoreHorizontal, Plus, RotateCcw, Webhook as Icon } from "lucide-react";
import { useState } from "react";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { changeWebhook, deliveries, makeWebhook, removeWebhook, replay, type Webhook, webhooks } from "../../api/plumbing";
import { organization } from "../../api/queries";
import { wrongs } from "../../api/refused";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Check } from "../../parts/check";
import { Confirm } from "../../parts/confirm";
import { Copied } from "../../parts/copied";
import { Dialog } from "../../parts/dialog";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Help } from "../../parts/help";
import { Menu } from "../../parts/menu";
import { Notice } from "../../parts/notice";
import { Head } from "../../parts/shell";
import { Table } from "../../parts/table";
import { fail, toast } from "../../parts/toast";
import { Manage } from "./side";

const EVENTS: Record<Webhook["events"][number], string> = {
  space_content_updated: "Content of a space changed",
  change_request_merged: "A change request was merged",
  review_requested: "A review was asked for",
  review_submitted: "A review was given",
  comment_posted: "Somebody commented",
  comment_replied: "Somebody replied",
  comment_resolved: "A comment was resolved",
  space_gitsync_started: "Git began",
  space_gitsync_completed: "Git is done",
  space_visibility_updated: "The visibility of a space changed",
  site_updated: "A site changed",
  site_view: "A page was viewed",
  page_feedback: "A reader rated a page",
};

const STATES = { delivered: "Delivered", failed: "Failed", waiting: "Waits" };

export default function Webhooks({ org }: { org: string }) {
  const asked = useQuery(webhooks(org));
  const [making, setMaking] = useState(false);
  const may = useQuery(organization(org)).data?.permissions.admin;
  const make = may && <Button look="primary" icon={<Plus />} onPress={() => setMaking(true)}>New webhook</Button>;
  return (
    <Manage org={org} part="webhooks" title="Webhooks">
      <Head title="Webhooks" note="Your programs are told of what happens, by signed posts." actions={<><Help chapter="running/webhooks" />{make}</>} />
      <Asked of={asked} say={sentence}>
        {(found) =>
          found.length === 0 ? <Empty icon={<Icon />} title="No webhook yet" action={make}>Name an address and what it shall hear of. Posts are signed, come in order, and are tried again.</Empty> : <div className="stack">{found.map((one) => <One key={one.id} org={org} one={one} />)}</div>
        }
      </Asked>
      {making && <Making org={org} onClose={() => setMaking(false)} />}
    </Manage>
  );
}

function One({ org, one }: { org: string; one: Webhook }) {
  const [shows, setShows] = useState(false);
  const [going, setGoing] = useState(false);
  const stale = [["webhooks", org]];
  const flip = useDeed((active: boolean) => changeWebhook(org, one.id, { active }), { stale, failed: fail });
  const remove = useDeed(() => removeWebhook(org, one.id), { stale, done: () => setGoing(false) });
  return (
    <div className="panel">
      <div className="row">
        <span className="grow"><span className="strong">{one.title}</span><br /><span className="note">{one.url}</span></span>
        <Badge tone={one.active ? (one.failingSince ? "warning" : "success") : "neutral"}>{one.active ? (one.failingSince ? "Failing" : "On") : "Off"}</Badge>
        <Menu
          label={`Webhook ${one.title}`}
          button={<Button small look="quiet" aria-label={`More of ${one.title}`} icon={<MoreHorizontal />} />}
          choices={[
            { id: "flip", words: one.active ? "Switch off" : "Switch on", act: () => flip.mutate(!one.active) },
            { id: "delete", words: "Delete", danger: true, act: () => setGoing(true) },
          ]}
        />
      </div>
      {one.disabledReason && <Notice tone="warning">{one.disabledReason}</Notice>}
      <p className="note">{one.events.map((event) => EVENTS[event]).join(" · ")}</p>
      <div><Button small aria-expanded={shows} onPress={() => setShows(!shows)}>{shows ? "Hide deliveries" : "Deliveries"}</Button></div>
      {shows && <Deliveries org={org} one={one} />}
      <Confirm title={`Delete the webhook ${one.title}?`} open={going} onClose={() => setGoing(false)} yes="Delete" isPending={remove.isPending} wrong={remove.error ? sentence(remove.error) : undefined} onYes={() => remove.mutate()}>
        <p>{one.url} hears of nothing any more. What waits is not sent, and the record of deliveries goes.</p>
      </Confirm>
    </div>
  );
}

function Deliveries({ org, one }: { org: string; one: Webhook }) {
  const asked = useQuery(deliveries(org, one.id));
  const again = useDeed((id: string) => replay(org, one.id, id), { stale: [["webhooks", org, one.id]], failed: fail, done: () => toast("It is sent again.") });
  return (
    <Asked of={asked} say={sentence}>
      {(found) =>
        found.items.length === 0 ? <p className="note">Nothing has happened yet that it hears of.</p> : (
          <Table
            label={`Deliveries of ${one.title}`}
            rows={found.items}
            rowKey={(delivery) => delivery.id}
            columns={[
              { name: "When", cell: (delivery) => <Ago at={delivery.createdAt} /> },
              { name: "What", cell: (delivery) => EVENTS[delivery.type] },
              { name: "State", cell: (delivery) => <Badge tone={delivery.state === "delivered" ? "success" : delivery.state === "failed" ? "danger" : "info"}>{STATES[delivery.state]}</Badge> },
              { name: "Answer", cell: (delivery) => delivery.attempts.at(-1)?.status ?? delivery.attempts.at(-1)?.error ?? "" },
              { name: "", cell: (delivery) => delivery.state !== "waiting" && <Button small icon={<RotateCcw />} aria-label={`Send again: ${EVENTS[delivery.type]}`} onPress={() => again.mutate(delivery.id)}>Again</Button> },
            ]}
          />
        )
      }
    </Asked>
  );
}

function Making({ org, onClose }: { org: string; onClose: () => void }) {
  const { value: it, set } = useDraft({ title: "", url: "", events: ["space_content_updated"] as Webhook["events"] });
  const deed = useDeed(() => makeWebhook(org, { title: it.title.trim(), url: it.url.trim(), events: it.events }), { stale: [["webhooks", org]] });
  const wrong = wrongs(deed.error, ["title", "url", "events"]);
  if (deed.data)
    return (
      <Dialog title="The webhook is made" open onClose={onClose}>
        {deed.data.secret && <Copied label="The secret that signs its posts; it is shown this once" value={deed.data.secret} />}
        <div className="form-end"><Button look="primary" onPress={onClose}>Done</Button></div>
      </Dialog>
    );
  return (
    <Dialog title="New webhook" open wide onClose={onClose}>
      <Form save="Make webhook" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!it.title.trim() || !it.url.trim() || it.events.length === 0} wrong={wrong.rest} also={<Button onPress={onClose}>Cancel</Button>}>
        <Field label="Title" value={it.title} onChange={set("title")} autoFocus wrong={wrong.at("title")} />
        <Field label="Address" type="url" value={it.url} onChange={set("url")} wrong={wrong.at("url")} placeholder="https://" />
        <fieldset className="choices">
          <legend>It hears of</legend>
          <div className="pair">
            {(Object.keys(EVENTS) as Webhook["events"]).map((event) => <Check key={event} label={EVENTS[event]} value={it.events.includes(event)} onChange={(on) => set("events")(on ? [...it.events, event] : it.events.filter((one) => one !== event))} />)}
          </div>
          {wrong.at("events") && <span className="wrong">{wrong.at("events")}</span>}
        </fieldset>
      </Form>
    </Dialog>
  );
}
