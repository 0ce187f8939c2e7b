/** An emoji as the API names it, by its code points in hexadecimal joined by `-`; one that is written as itself stays. */
export function emoji(code: string | undefined): string {
  if (!code) return "";
  if (!/^[0-9a-f]{1,6}(-[0-9a-f]{1,6})*$/i.test(code)) return code;
  try {
    return String.fromCodePoint(...code.split("-").map((point) => parseInt(point, 16)));
  } catch {
    return "";
  }
}
