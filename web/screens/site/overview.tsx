/** What a site is at a glance: whether it is published, where, for whom, what it shows; and what is still to be done. */
import { useQuery } from "@tanstack/react-query";
import { BookOpen, Eye, EyeOff, Rocket } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import * as sites from "../../api/sites";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Confirm } from "../../parts/confirm";
import { Copied } from "../../parts/copied";
import { emoji } from "../../parts/emoji";
import { Empty } from "../../parts/empty";
import { Help } from "../../parts/help";
import { Entry, List } from "../../parts/list";
import { Head, Section } from "../../parts/shell";
import { fail, toast } from "../../parts/toast";
import { AUDIENCES, type Shown } from "./at";
import { variantsOf } from "./order";

export default function Overview({ at, site }: Shown) {
  return (
    <>
      <Head title={site.title} note={<State site={site} />} actions={<><Help chapter="running/structure" /><Deeds at={at} site={site} /></>} />
      {site.published && site.urls.published && <Copied label="Address for readers" value={site.urls.published} />}
      <Todo at={at} site={site} />
      <Contents at={at} site={site} />
    </>
  );
}

function State({ site }: Pick<Shown, "site">) {
  return (
    <>
      {site.published ? <Badge tone="success">Published</Badge> : <Badge>Not published</Badge>}
      <span>{AUDIENCES[site.visibility].words}</span>
    </>
  );
}

function Deeds({ at, site }: Shown) {
  const [asks, setAsks] = useState(false);
  const stale = [["site", at.site], ["sites", at.org]];
  const publish = useDeed(() => sites.published(at.org, at.site, true), { stale, failed: fail, done: () => toast("The site is published.") });
  const stop = useDeed(() => sites.published(at.org, at.site, false), {
    stale,
    done: () => {
      setAsks(false);
      toast("The site is not published any more.", { undo: () => publish.mutate() });
    },
  });
  const look = useDeed(() => sites.preview(at.org, at.site), { stale: [], failed: fail, done: (made) => void open(made.url, "_blank", "noopener") });
  return (
    <>
      <Button icon={<Eye />} isPending={look.isPending} onPress={() => look.mutate()}>Preview</Button>
      {site.published && site.urls.published && <a className="button plain" href={site.urls.published} target="_blank" rel="noopener">Read the site</a>}
      {site.permissions.edit &&
        (site.published ? (
          <Button icon={<EyeOff />} onPress={() => setAsks(true)}>Unpublish</Button>
        ) : (
          <Button look="primary" icon={<Rocket />} isPending={publish.isPending} onPress={() => publish.mutate()}>Publish</Button>
        ))}
      <Confirm title="Unpublish the site?" open={asks} onClose={() => setAsks(false)} yes="Unpublish" isPending={stop.isPending} wrong={stop.error ? sentence(stop.error) : undefined} onYes={() => stop.mutate()}>
        <p>Readers of <b>{site.title}</b> find nothing at its address until it is published again. Nothing is deleted.</p>
      </Confirm>
    </>
  );
}

function Todo({ at, site }: Shown) {
  const steps = [
    { done: site.siteSpaces > 0, words: "Add a space in the structure", to: "structure" },
    { done: site.published, words: "Publish it", to: "" },
  ].filter((one) => !one.done && one.to);
  if (steps.length === 0 || !site.permissions.edit) return null;
  return (
    <Section title="To do">
      <List label="To do">
        {steps.map((one) => <Entry key={one.words} href={addresses.site(at.org, at.site, one.to)} title={one.words} />)}
      </List>
    </Section>
  );
}

function Contents({ at, site }: Shown) {
  const asked = useQuery(sites.structure(at.org, at.site));
  return (
    <Section title="What it shows" end={<Link className="link" href={addresses.site(at.org, at.site, "structure")}>Structure</Link>}>
      <Asked of={asked} say={sentence}>
        {(found) => {
          const shown = variantsOf(found);
          return shown.length === 0 ? (
            <Empty icon={<BookOpen />} title="It shows no space yet">{site.permissions.edit && "Add one in the structure; then it can be published."}</Empty>
          ) : (
            <List label="Spaces of the site">
              {shown.map((one) => (
                <Entry
                  key={one.id}
                  href={addresses.space(at.org, one.space.id)}
                  lead={emoji(one.space.emoji) || <BookOpen />}
                  title={one.title || one.space.title}
                  note={one.urls.published ?? `/${one.path}`}
                  end={<>{one.draft && <Badge>Draft</Badge>}{one.hidden && <Badge>Hidden</Badge>}</>}
                />
              ))}
            </List>
          );
        }}
      </Asked>
    </Section>
  );
}
