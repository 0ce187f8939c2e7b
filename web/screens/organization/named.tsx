/** What an address names that has no screen of its own yet: what it is, where visitors read it, where programs find it. */
import { useQuery } from "@tanstack/react-query";
import { Globe, SearchX } from "lucide-react";
import { sentence } from "../../api/client";
import { site } from "../../api/queries";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Empty } from "../../parts/empty";
import { Head, Shell } from "../../parts/shell";
import { Side } from "./side";

const KINDS: Record<string, { name: string; api: (org: string, id: string) => string }> = {
  sites: { name: "Site", api: (org, id) => `/v1/orgs/${org}/sites/${id}` },
  openapi: { name: "OpenAPI specification", api: (org, id) => `/v1/orgs/${org}/openapi/${id}` },
  integrations: { name: "Integration", api: (_, id) => `/v1/integrations/${id}` },
};

export default function Named({ org, kind, id }: { org: string; kind: string; id: string }) {
  const what = KINDS[kind];
  const one = useQuery({ ...site(org, id), enabled: kind === "sites" });
  const title = kind === "sites" ? (one.data?.title ?? "Site") : id;
  return (
    <Shell side={<Side org={org} />} sideName="Spaces" title={title}>
      {!what ? (
        <Empty icon={<SearchX />} title="Nothing is at this address" />
      ) : kind === "sites" ? (
        <Asked of={one} say={sentence}>
          {(found) => (
            <>
              <Head title={found.title} lead={<Globe />} note={<>{found.published ? <Badge tone="success">Published</Badge> : <Badge>Not published</Badge>} <span>{found.visibility}</span></>} />
              <div className="row wrap">
                {found.published && found.urls.published && <a className="button primary" href={found.urls.published}>Read the site</a>}
              </div>
              <Programs address={what.api(org, id)} />
            </>
          )}
        </Asked>
      ) : (
        <>
          <Head title={title} note={what.name} />
          <Programs address={what.api(org, id)} />
        </>
      )}
    </Shell>
  );
}

function Programs({ address }: { address: string }) {
  return (
    <p className="note">
      Its settings are changed through the API at <code>{address}</code>, with a <a className="link" href="/account/tokens">token</a>; the <a className="link" href="/docs">reference</a> says what can be done.
    </p>
  );
}
