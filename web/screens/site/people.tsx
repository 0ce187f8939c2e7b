/** Who works on a site: which role, and which rule gives it. */
import { sentence } from "../../api/client";
import { useAccess } from "../../api/use-access";
import { Access } from "../../parts/access";
import { Asked } from "../../parts/asked";
import { Help } from "../../parts/help";
import { Head } from "../../parts/shell";
import { fail } from "../../parts/toast";
import type { Shown } from "./at";

export default function People({ at, site }: Shown) {
  const { asked, props } = useAccess(at.org, { kind: "site", id: at.site, org: at.org }, site.defaultLevel, fail);
  return (
    <>
      <Head title="People" note="Who works on this site, and on spaces that say nothing of their own. Who reads it is its audience." actions={<Help chapter="reference/roles" />} />
      <Asked of={asked} say={sentence}>{() => props && <Access {...props} mayEdit={site.permissions.admin} />}</Asked>
    </>
  );
}
