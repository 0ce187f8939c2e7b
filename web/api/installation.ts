/** The whole installation, for those who run it: what is in it, its jobs, whether it is well. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, must, type Schemas } from "./client";

export type Job = Schemas["InstallationJob"];
export type JobState = Job["state"];
export type Health = Schemas["InstallationHealth"];

const WHOLE = "/v1/installation";
const MINUTE = 60_000;
/** While a job looks or runs, what it says is asked for again. */
const SOON = 1500;

/** What answers, and whether the caller runs it. */
export const information = queryOptions({ queryKey: ["information"], queryFn: () => must(api.GET("/v1")), staleTime: 10 * MINUTE });

export const installation = queryOptions({ queryKey: ["installation"], queryFn: () => must(api.GET(WHOLE)) });

export const health = queryOptions({
  queryKey: ["installation-health"],
  queryFn: () => must(api.GET(`${WHOLE}/health`)),
  refetchInterval: ({ state }) => (state.data?.examining ? SOON : false),
});
export const examine = () => must(api.POST(`${WHOLE}/health`));

export const jobs = (state: JobState | undefined, kind: string) =>
  infiniteQueryOptions({
    queryKey: ["installation-jobs", state, kind],
    queryFn: ({ pageParam }) => must(api.GET(`${WHOLE}/jobs`, { params: { query: { state, kind: kind || undefined, page: pageParam, limit: 50 } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next?.page,
  });
export const retry = (jobId: string) => must(api.POST(`${WHOLE}/jobs/{jobId}/retry`, { params: { path: { jobId } } }));

export const tryMail = () => must(api.POST(`${WHOLE}/test-mail`));

export const everyOrganization = infiniteQueryOptions({
  queryKey: ["installation-organizations"],
  queryFn: ({ pageParam }) => must(api.GET(`${WHOLE}/organizations`, { params: { query: { page: pageParam, limit: 50 } } })),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (last) => last.next?.page,
});

export const accounts = (search: string) =>
  infiniteQueryOptions({
    queryKey: ["installation-accounts", search],
    queryFn: ({ pageParam }) => must(api.GET(`${WHOLE}/users`, { params: { query: { search: search || undefined, page: pageParam, limit: 50 } } })),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last) => last.next?.page,
  });
