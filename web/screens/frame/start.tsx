/** The root of the application: it leads to the organization, to the one that was open last where there are several. */
import { useQuery } from "@tanstack/react-query";
import { Building2 } from "lucide-react";
import { Redirect } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { organizations } from "../../api/queries";
import { Asked } from "../../parts/asked";
import { Empty } from "../../parts/empty";
import { last } from "../../parts/last";

export function Start() {
  const asked = useQuery(organizations);
  return (
    <Asked of={asked} say={sentence}>
      {(found) => {
        const one = found.find((each) => each.id === last()) ?? found[0];
        if (one) return <Redirect to={addresses.home(one.id)} replace />;
        return (
          <main id="content" className="place" tabIndex={-1}>
            <h1 className="visually-hidden">Octavo</h1>
            <Empty icon={<Building2 />} title="You are in no organization yet">
              Somebody who administers one can invite you. The invitation comes by mail or as a link, and leads here.
            </Empty>
          </main>
        );
      }}
    </Asked>
  );
}
