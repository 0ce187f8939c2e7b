/** What an address names that has no screen of its own yet: what it is, where visitors read it, where programs find it. */
import { SearchX } from "lucide-react";
import { Empty } from "../../parts/empty";
import { Head, Shell } from "../../parts/shell";
import { Side } from "./side";

const KINDS: Record<string, { name: string; api: (org: string, id: string) => string }> = {
  openapi: { name: "OpenAPI specification", api: (org, id) => `/v1/orgs/${org}/openapi/${id}` },
  integrations: { name: "Integration", api: (_, id) => `/v1/integrations/${id}` },
};

export default function Named({ org, kind, id }: { org: string; kind: string; id: string }) {
  const what = KINDS[kind];
  return (
    <Shell side={<Side org={org} />} sideName="Spaces" title={id}>
      {!what ? (
        <Empty icon={<SearchX />} title="Nothing is at this address" />
      ) : (
        <>
          <Head title={id} note={what.name} />
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
