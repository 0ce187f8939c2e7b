/** What each screen of a space's settings is given. */
import type { Space } from "../../api/queries";

export type Shown = { org: string; space: Space };
