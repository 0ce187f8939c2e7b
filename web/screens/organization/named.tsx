/** Where the address of something leads that is run on a screen of the organization. */
import { SearchX } from "lucide-react";
import { Redirect } from "wouter";
import * as addresses from "../../api/addresses";
import { ButtonLink } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { Shell } from "../../parts/shell";
import { Side } from "./side";

const SCREENS: Record<string, (org: string, id: string) => string> = {
  openapi: (org) => addresses.manage(org, "openapi"),
  integrations: (org, id) => `${addresses.manage(org, "integrations")}/${id}`,
};

export default function Named({ org, kind, id }: { org: string; kind: string; id: string }) {
  const screen = SCREENS[kind];
  if (screen) return <Redirect to={screen(org, id)} replace />;
  return (
    <Shell side={<Side org={org} />} sideName="Spaces" title={id}>
      <Empty icon={<SearchX />} title="Nothing is at this address" action={<ButtonLink href={addresses.home(org)}>Go home</ButtonLink>}>A part of it may be missing. Search finds pages by their words.</Empty>
    </Shell>
  );
}
