/** The sites of an organization. */
import { useQuery } from "@tanstack/react-query";
import { Globe, Plus } from "lucide-react";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { organization, sites } from "../../api/queries";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { ButtonLink } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { Help } from "../../parts/help";
import { Entry, List } from "../../parts/list";
import { Head } from "../../parts/shell";
import { Manage } from "./side";

export default function Sites({ org }: { org: string }) {
  const asked = useQuery(sites(org));
  const may = useQuery(organization(org)).data?.permissions.createContent;
  const make = may && <ButtonLink look="primary" icon={<Plus />} href={addresses.manage(org, "sites/new")}>New site</ButtonLink>;
  return (
    <Manage org={org} part="sites" title="Sites">
      <Head title="Sites" note="What readers find: spaces in a structure, a look, an address and an audience." actions={<><Help chapter="running/structure" />{make}</>} />
      <Asked of={asked} say={sentence}>
        {(found) =>
          found.length === 0 ? (
            <Empty icon={<Globe />} title="No site yet" action={make}>A site publishes one space or many. It takes three steps, and nobody sees it before you publish it.</Empty>
          ) : (
            <List label="Sites">
              {found.map((one) => (
                <Entry
                  key={one.id}
                  href={addresses.site(org, one.id)}
                  lead={<Globe />}
                  title={one.title}
                  note={one.published ? one.urls.published : "Nobody reads it yet"}
                  end={<>{one.visibility !== "public" && <Badge>{SHORT[one.visibility]}</Badge>}{one.published ? <Badge tone="success">Published</Badge> : <Badge>Not published</Badge>}</>}
                />
              ))}
            </List>
          )
        }
      </Asked>
    </Manage>
  );
}

const SHORT = { public: "Public", unlisted: "Unlisted", "share-link": "Share links", "visitor-auth": "Log-in" };
