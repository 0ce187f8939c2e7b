/** Addresses of the application: those that `urls.app` of the API's answers has, and those below them. */

import { LIVE } from "./live";

export const home = (org: string) => `/app/o/${org}`;
export const space = (org: string, id: string) => `${home(org)}/s/${id}`;
export const request = (org: string, id: string, number: number) => `${space(org, id)}/~/changes/${number}`;

/** A screen of an organization: its sites, people, webhooks. */
export const manage = (org: string, part: string) => `${home(org)}/~/${part}`;

/** A screen of the account of who looks. */
export const account = (part = "") => `/app/~/account${part && `/${part}`}`;

/** A screen for those who run the installation. */
export const installation = (part = "") => `/app/~/installation${part && `/${part}`}`;

/** A site, and a screen of it. */
export const site = (org: string, id: string, part = "") => `${home(org)}/sites/${id}${part && `/~/${part}`}`;

/** A screen of a space's settings. */
export const settings = (org: string, id: string, part = "") => `${space(org, id)}/~/settings${part && `/${part}`}`;

/** Where content is: primary content, that of a change request, or a revision. */
export type At = { org: string; space: string; request?: number; revision?: string };

/** Where a page is written: in a change request, or directly where its space is live. */
export function write(org: string, id: string, number: number, page: string): string {
  return number === LIVE ? `${space(org, id)}/~/edit/${page}` : `${request(org, id, number)}/~/edit/${page}`;
}

export function place(at: At): string {
  if (at.request !== undefined) return request(at.org, at.space, at.request);
  return at.revision ? `${space(at.org, at.space)}/~/revisions/${at.revision}` : space(at.org, at.space);
}

/** What an editor writes into. */
export const written = (org: string, id: string, number: number): At => ({ org, space: id, request: number === LIVE ? undefined : number });

/** A page by its path, where people share addresses, or by its id. */
export function page(at: At, word: string): string {
  const path = word.split("/").map(encodeURIComponent).join("/");
  return `${place(at)}/${path}`;
}

/** What a part of an address says; nothing where it was mangled on the way. */
export function read(word: string): string | null {
  try {
    return decodeURIComponent(word);
  } catch {
    return null;
  }
}

/** What of an absolute address of the API is a place of this application; null for any other. */
export function local(address: string): string | null {
  const url = new URL(address, location.origin);
  return url.origin === location.origin && (url.pathname === "/app" || url.pathname.startsWith("/app/"))
    ? url.pathname + url.search + url.hash
    : null;
}
