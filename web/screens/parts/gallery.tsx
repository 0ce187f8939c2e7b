/** Every part of the design system, as it looks in the theme that is chosen. */
import { BookOpen, FileText, GitPullRequest, Inbox, MoreHorizontal, Plus } from "lucide-react";
import { useState } from "react";
import { Ago } from "../../parts/ago";
import { Avatar } from "../../parts/avatar";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Check, Choices } from "../../parts/check";
import { Colour } from "../../parts/colour";
import { Copied } from "../../parts/copied";
import { Actions, Dialog } from "../../parts/dialog";
import { Block, Gap, Words } from "../../parts/diff";
import { Empty } from "../../parts/empty";
import { Field } from "../../parts/field";
import { Entry, List } from "../../parts/list";
import { Menu } from "../../parts/menu";
import { Nav } from "../../parts/nav";
import { Notice } from "../../parts/notice";
import { Order } from "../../parts/order";
import { RequestEntry } from "../../parts/request-entry";
import { Select } from "../../parts/select";
import { Head, Section, Shell } from "../../parts/shell";
import { Table } from "../../parts/table";
import { Tabs } from "../../parts/tabs";
import { toast } from "../../parts/toast";
import { type Branch, Tree } from "../../parts/tree";
import { Waiting } from "../../parts/waiting";

const HERE = "/app/~/parts";
const AT = "2026-01-05T09:00:00Z";
const BRANCHES: Branch[] = [
  { id: "start", words: "Getting started", icon: "🚀", below: [{ id: "install", words: "Install", below: [] }, { id: "first", words: "First page", below: [] }] },
  { id: "group", words: "Guides", heading: true, below: [{ id: "write", words: "Writing together", icon: <FileText />, below: [] }] },
  { id: "changes", words: "What changed", below: [] },
];

export default function Gallery() {
  const [open, setOpen] = useState(new Set(["start", "group"]));
  const [here, setHere] = useState("install");
  const [asks, setAsks] = useState(false);
  const side = <Nav label="Parts" links={["Buttons", "Fields", "Lists", "Tree", "Diff"].map((words) => ({ href: `${HERE}#${words}`, words, icon: <BookOpen />, here: words === "Buttons", count: words.length }))} />;
  return (
    <Shell side={side} sideName="Parts" title="Parts of the application">
      <Head title="Parts of the application" note="Each is one file of web/parts. The theme is chosen in the account menu." actions={<Button look="primary">Primary</Button>} />
      <Section title="Buttons and menus">
        <div className="row wrap">
          <Button look="primary" icon={<Plus />}>Primary</Button>
          <Button>Plain</Button>
          <Button look="quiet">Quiet</Button>
          <Button look="danger">Danger</Button>
          <Button isDisabled>Disabled</Button>
          <Button small>Small</Button>
          <Menu
            label="More"
            button={<Button aria-label="More" icon={<MoreHorizontal />} />}
            choices={[
              { id: "copy", words: "Copy the address", note: "For others to read", icon: <FileText />, act: () => toast("Copied") },
              { id: "rule", rule: true },
              { id: "delete", words: "Delete", danger: true, act: () => toast("Deleted", { undo: () => undefined }) },
            ]}
          />
          <Button onPress={() => setAsks(true)}>Dialog</Button>
          <Button onPress={() => toast("It could not be saved.", { tone: "danger" })}>Toast</Button>
        </div>
        <Dialog title="Merge the change request?" open={asks} onClose={() => setAsks(false)}>
          <p>Readers see it at once.</p>
          <Actions>
            <Button onPress={() => setAsks(false)}>Cancel</Button>
            <Button look="primary" onPress={() => setAsks(false)}>Merge</Button>
          </Actions>
        </Dialog>
      </Section>
      <Section title="Fields">
        <div className="stack">
          <Field label="Title" defaultValue="Handbook" help="What it is about." />
          <Field label="Address" defaultValue="not an address" wrong="Write an address that begins with https://." />
          <Field label="Comment" lines={3} placeholder="What do you think?" />
          <Choosing />
          <Copied label="Address for readers" value="https://docs.example.com/" />
        </div>
      </Section>
      <Section title="Order">
        <Order label="Order" may={() => true} onMove={() => undefined} rows={[{ id: "a", words: "Guides", note: "/guides", below: [{ id: "b", words: "Version 1", note: "/v1", below: [] }] }, { id: "c", words: "API", note: "/api", below: [] }]} />
      </Section>
      <Section title="Badges and people">
        <div className="row wrap">
          <Badge>Draft</Badge>
          <Badge tone="info">Merged</Badge>
          <Badge tone="success">Open</Badge>
          <Badge tone="warning">Behind</Badge>
          <Badge tone="danger">Conflict</Badge>
          {["Ada Lovelace", "Grace Hopper", "Alan Turing", "Kurt Gödel", "Emmy Noether", "李小龍"].map((name) => (
            <Avatar key={name} name={name} />
          ))}
        </div>
      </Section>
      <Section title="Notices">
        <div className="stack">
          <Notice>Primary content has moved on since this was begun.</Notice>
          <Notice tone="success">Everything that the merge rules ask for is there.</Notice>
          <Notice tone="warning" action={<Button small>Update</Button>}>It is behind primary content.</Notice>
          <Notice tone="danger">It could not be saved: the page was deleted meanwhile.</Notice>
        </div>
      </Section>
      <Section title="Tabs, lists, tables">
        <div className="stack">
          <Tabs label="Views" tabs={[{ href: HERE, words: "Changes", count: 3, here: true }, { href: `${HERE}?2`, words: "Comments", here: false }]} />
          <List label="Things">
            <Entry href={HERE} lead={<BookOpen />} title="Handbook" note={<>Changed <Ago at={AT} /></>} end={<Badge tone="success">Published</Badge>} />
            <Entry href={HERE} lead="🚀" title="Something unread" note="A note of it" fresh />
            <RequestEntry href={HERE} number={12} subject="Explain the upgrade" status="open" by="Ada Lovelace" at={AT} where="Handbook" comments={2} outdated />
          </List>
          <Table
            label="Pages by views"
            rows={[{ page: "Install", views: 1204 }, { page: "First page", views: 96 }]}
            rowKey={(row) => row.page}
            columns={[{ name: "Page", cell: (row) => row.page }, { name: "Views", number: true, cell: (row) => row.views.toLocaleString("en") }]}
          />
        </div>
      </Section>
      <Section title="Tree">
        <div className="gallery-tree">
          <Tree label="Pages" branches={BRANCHES} here={here} open={open} onOpen={setOpen} onGo={setHere} />
        </div>
      </Section>
      <Section title="Diff">
        <Block status="changed" kind="paragraph"><Words runs={[{ status: "equal", text: "The server listens on port " }, { status: "deleted", text: "80" }, { status: "added", text: "8000" }, { status: "equal", text: "." }]} /></Block>
        <Gap count={4} />
        <Block status="added" kind="heading"><Words runs={[{ status: "added", text: "Behind a proxy" }]} /></Block>
        <Block status="deleted" kind="paragraph"><Words runs={[{ status: "deleted", text: "There is no more to say." }]} /></Block>
      </Section>
      <Section title="Nothing yet, and not there yet">
        <div className="stack">
          <Empty icon={<Inbox />} title="You have read everything" action={<Button icon={<GitPullRequest />}>Look at change requests</Button>}>
            Reviews that are asked of you, replies and merges are listed here.
          </Empty>
          <div className="gallery-waiting"><Waiting /></div>
        </div>
      </Section>
    </Shell>
  );
}

function Choosing() {
  const [kind, setKind] = useState("b");
  const [on, setOn] = useState(true);
  const [colour, setColour] = useState({ light: "#3457d5", dark: "#a3b6ff" });
  const options = [{ value: "a", words: "One" }, { value: "b", words: "Another", help: "And a word about it." }];
  return (
    <>
      <Select label="One of some" options={options} value={kind} onChange={setKind} />
      <Choices label="One of few" options={options} value={kind} onChange={setKind} />
      <Check label="Yes or no" help="What it means." value={on} onChange={setOn} />
      <Colour label="Colour" value={colour} onChange={setColour} />
    </>
  );
}
