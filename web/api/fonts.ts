/** Typefaces of an organization: those that there are, and one made of files. */
import { queryOptions } from "@tanstack/react-query";
import { all, api, must, type Schemas } from "./client";
import { upload } from "./files";

export type OwnFont = Schemas["Font"];

const FONTS = "/v1/orgs/{organizationId}/fonts";

export const fonts = (organizationId: string) =>
  queryOptions({
    queryKey: ["fonts", organizationId],
    queryFn: () => all((page) => must(api.GET(FONTS, { params: { path: { organizationId }, query: { page, limit: 200 } } }))),
  });

export type Face = { file: File; weight: number };

/** Every file is sent first, then the font is made of them; of several with one weight the last one counts. */
export async function makeFont(organizationId: string, fontFamily: string, faces: Face[]): Promise<OwnFont> {
  const fontFaces = [];
  for (const { file, weight } of faces) fontFaces.push({ weight: weight as 400, storageKey: await upload(organizationId, file, "customization_font", () => undefined) });
  return must(api.PUT(FONTS, { params: { path: { organizationId } }, body: { fontFamily, fontFaces } }));
}

const WEIGHTS: [RegExp, number][] = [
  [/extra-?light|ultra-?light/, 200], [/semi-?bold|demi-?bold/, 600], [/extra-?bold|ultra-?bold/, 800],
  [/thin|hairline/, 100], [/light/, 300], [/medium/, 500], [/bold/, 700], [/black|heavy/, 900],
];

/** What the name of a file says of its weight: 700 of `Lato-Bold.woff2`, 400 where it says nothing. */
export function weightOf(name: string): number {
  const number = /(?:^|\D)([1-9]00)(?:\D|$)/.exec(name);
  if (number) return Number(number[1]);
  return WEIGHTS.find(([words]) => words.test(name.toLowerCase()))?.[1] ?? 400;
}
