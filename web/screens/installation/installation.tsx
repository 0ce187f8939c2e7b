/** The screens for those who run the installation; who does not is told so. */
import { useQuery } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { sentence } from "../../api/client";
import { information } from "../../api/installation";
import { Asked } from "../../parts/asked";
import { Empty } from "../../parts/empty";
import { Head } from "../../parts/shell";
import { Accounts, Organizations } from "./everybody";
import { Jobs } from "./jobs";
import { Overview } from "./overview";
import { Side } from "./side";

const SCREENS: Record<string, { title: string; Screen: () => React.ReactNode }> = {
  "": { title: "The installation", Screen: Overview },
  jobs: { title: "Jobs", Screen: Jobs },
  organizations: { title: "Organizations", Screen: Organizations },
  accounts: { title: "Accounts", Screen: Accounts },
};

export default function Installation({ part = "" }: { part?: string }) {
  const asked = useQuery(information);
  const known = part in SCREENS ? part : "";
  const { title, Screen } = SCREENS[known]!;
  return (
    <Side part={known} title={title}>
      <Asked of={asked} say={sentence}>
        {(told) =>
          told.permissions.operate ? <Screen /> : (
            <>
              <Head title={title} />
              <Empty icon={<Lock />} title="This is for those who run the installation">Whoever has access to its server names them by the setting OCTAVO_OPERATORS.</Empty>
            </>
          )
        }
      </Asked>
    </Side>
  );
}
