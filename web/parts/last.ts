/** The organization that was open last in this browser. */
const NAME = "octavo-app-organization";

export function last(): string | null {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null;
  }
}

export function keepLast(organization: string): void {
  try {
    localStorage.setItem(NAME, organization);
  } catch {
    // The first one is opened then.
  }
}
