/** What is asked of the API, under the names by which it is kept and asked again. */
import { queryOptions } from "@tanstack/react-query";
import { all, api, must, type Schemas } from "./client";

export type Space = Schemas["Space"];
export type Collection = Schemas["Collection"];
export type Organization = Schemas["Organization"];
export type ChangeRequest = Schemas["ChangeRequest"];
export type Site = Schemas["Site"];
export type Notice = Schemas["Notification"];
export type User = Schemas["User"];

const WHOLE = 1000;
const MINUTE = 60_000;

export const me = queryOptions({
  queryKey: ["me"],
  queryFn: () => must(api.GET("/v1/user")),
  staleTime: 10 * MINUTE,
});

export const organizations = queryOptions({
  queryKey: ["organizations"],
  queryFn: () => all((page) => must(api.GET("/v1/orgs", { params: { query: { page, limit: WHOLE } } }))),
  staleTime: MINUTE,
});

export const organization = (organizationId: string) =>
  queryOptions({
    queryKey: ["organization", organizationId],
    queryFn: () => must(api.GET("/v1/orgs/{organizationId}", { params: { path: { organizationId } } })),
    staleTime: MINUTE,
  });

export const spaces = (organizationId: string) =>
  queryOptions({
    queryKey: ["spaces", organizationId],
    queryFn: () =>
      all((page) =>
        must(api.GET("/v1/orgs/{organizationId}/spaces", { params: { path: { organizationId }, query: { page, limit: WHOLE } } })),
      ),
  });

export const collections = (organizationId: string) =>
  queryOptions({
    queryKey: ["collections", organizationId],
    queryFn: () =>
      all((page) =>
        must(
          api.GET("/v1/orgs/{organizationId}/collections", {
            params: { path: { organizationId }, query: { page, limit: WHOLE, nested: true } },
          }),
        ),
      ),
  });

export const sites = (organizationId: string) =>
  queryOptions({
    queryKey: ["sites", organizationId],
    queryFn: () =>
      all((page) =>
        must(api.GET("/v1/orgs/{organizationId}/sites", { params: { path: { organizationId }, query: { page, limit: WHOLE } } })),
      ),
  });

export const site = (organizationId: string, siteId: string) =>
  queryOptions({
    queryKey: ["site", siteId],
    queryFn: () => must(api.GET("/v1/orgs/{organizationId}/sites/{siteId}", { params: { path: { organizationId, siteId } } })),
  });

export type RequestsOf = {
  status?: ("archived" | "draft" | "merged" | "open")[];
  creator?: string;
  requestedReviewer?: string;
  space?: string;
  limit?: number;
};

export const requests = (organizationId: string, of: RequestsOf = {}) =>
  queryOptions({
    queryKey: ["requests", organizationId, of],
    queryFn: async () => {
      const query = { limit: 50, ...of };
      return must(api.GET("/v1/orgs/{organizationId}/change-requests", { params: { path: { organizationId }, query } }));
    },
  });

export const notifications = (status?: "read" | "unread") =>
  queryOptions({
    queryKey: ["notifications", status ?? "all"],
    queryFn: () => must(api.GET("/v1/user/notifications", { params: { query: { limit: 100, status } } })),
    refetchInterval: MINUTE,
  });

export const search = (organizationId: string, query: string) =>
  queryOptions({
    queryKey: ["search", organizationId, query],
    queryFn: ({ signal }) =>
      must(api.GET("/v1/orgs/{organizationId}/search", { params: { path: { organizationId }, query: { query, limit: 12 } }, signal })),
    staleTime: MINUTE,
  });

export const members = (organizationId: string) =>
  queryOptions({
    queryKey: ["members", organizationId],
    queryFn: () =>
      all((page) =>
        must(api.GET("/v1/orgs/{organizationId}/members", { params: { path: { organizationId }, query: { page, limit: WHOLE } } })),
      ),
    staleTime: MINUTE,
  });
