/** A space: its pages, its change requests, its history; which of them, the rest of the address says. */
import { useQuery } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { Suspense } from "react";
import type { At } from "../../api/addresses";
import * as addresses from "../../api/addresses";
import { Refusal, sentence } from "../../api/client";
import { space } from "../../api/content";
import { Asked } from "../../parts/asked";
import { ButtonLink } from "../../parts/button";
import { Empty } from "../../parts/empty";
import { screen } from "../../parts/screen";
import { Shell } from "../../parts/shell";
import { Waiting } from "../../parts/waiting";
import { NoPage, Read } from "./read";
import { Side } from "./side";

const History = screen(() => import("./history"));
const Requests = screen(() => import("./requests"));
const Files = screen(() => import("./files"));
const Links = screen(() => import("./links"));
const Request = screen(() => import("./request"));

export default function Space({ org, id, rest }: { org: string; id: string; rest: string }) {
  const asked = useQuery(space(id));
  const read = addresses.read(rest);
  const words = rest.split("/").filter(Boolean).map((word) => addresses.read(word) ?? word);
  if (asked.error instanceof Refusal && asked.error.status === 404)
    return (
      <main id="content" className="place">
        <Empty icon={<SearchX />} title="There is no such space" action={<ButtonLink href={addresses.home(org)}>Go home</ButtonLink>}>
          It was deleted, or nobody has given you a role on it.
        </Empty>
      </main>
    );
  if (read === null) return <main id="content" className="place"><NoPage to={addresses.space(org, id)} /></main>;
  const title = asked.data?.title || "Untitled space";
  const at: At = { org, space: id, ...within(words) };
  return (
    <Shell side={<Side at={at} space={asked.data} />} sideName="Pages" title={title} wide>
      <Asked of={asked} say={sentence}>
        {(one) => <Suspense fallback={<div className="inner"><Waiting /></div>}>{shown(at, words, one)}</Suspense>}
      </Asked>
    </Shell>
  );
}

/** What of a space an address shows: `~/changes/<number>` and `~/revisions/<id>` before the path of a page. */
function within(words: string[]): { request?: number; revision?: string } {
  if (words[0] !== "~") return {};
  if (words[1] === "changes" && /^\d+$/.test(words[2] ?? "")) return { request: Number(words[2]) };
  if (words[1] === "revisions" && words[2]) return { revision: words[2] };
  return {};
}

function shown(at: At, words: string[], one: Parameters<typeof Read>[0]["space"]) {
  if (words[0] !== "~") return <Read at={at} space={one} path={words.join("/")} />;
  if (words[1] === "links") return <Links at={at} />;
  if (words.at(-2) === "~" && words.at(-1) === "files") return <Files at={at} space={one} />;
  if (words[1] === "history") return <History at={at} space={one} page={words[2]} />;
  if (words[1] === "changes" && at.request === undefined) return <Requests at={at} space={one} />;
  if (at.request !== undefined && (words.length === 3 || words[3] === "~")) return <Request at={at} space={one} number={at.request} tab={words[4]} page={words[5]} />;
  if (at.request === undefined && !at.revision) return <div className="inner"><NoPage to={addresses.place(at)} /></div>;
  return <Read at={at} space={one} path={words.slice(3).join("/")} />;
}
