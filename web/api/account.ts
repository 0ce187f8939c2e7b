/** The account of who looks: name and picture, what they are told of, browsers, password, tokens. */
import { queryOptions } from "@tanstack/react-query";
import { all, api, type Got, must, type Schemas } from "./client";

export type Preferences = Got<"/v1/user/notification-preferences">;
export type Preference = Preferences["kinds"][string];
export type ApiToken = Schemas["UserAPIToken"];

export const changeUser = (userId: string, body: Schemas["UpdateUser"]) => must(api.PATCH("/v1/users/{userId}", { params: { path: { userId } }, body }));

export const preferences = queryOptions({ queryKey: ["preferences"], queryFn: () => must(api.GET("/v1/user/notification-preferences")) });
export const prefer = (kinds: Record<string, Partial<Preference>>) => must(api.PATCH("/v1/user/notification-preferences", { body: { kinds } }));

export const tokens = queryOptions({
  queryKey: ["tokens"],
  queryFn: () => all((page) => must(api.GET("/v1/user/tokens", { params: { query: { page, limit: 100 } } }))),
});
export const makeToken = (body: Schemas["CreateUserAPIToken"]) => must(api.POST("/v1/user/tokens", { body }));
export const revokeToken = (tokenId: string) => must(api.DELETE("/v1/user/tokens/{tokenId}", { params: { path: { tokenId } } }));

export type Session = Schemas["UserSession"];
export const sessions = queryOptions({
  queryKey: ["sessions"],
  queryFn: () => all((page) => must(api.GET("/v1/user/sessions", { params: { query: { page, limit: 100 } } }))),
});
export const endSession = (sessionId: string) => must(api.DELETE("/v1/user/sessions/{sessionId}", { params: { path: { sessionId } } }));
export const endOthers = () => must(api.DELETE("/v1/user/sessions"));
export const changePassword = (body: Schemas["SetPassword"]) => must(api.PUT("/v1/user/password", { body }));
