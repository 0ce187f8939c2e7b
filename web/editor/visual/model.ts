/** A node of the document model, as the API has it. */
import type { Data } from "./schema";

export type Json = {
  object: string;
  type?: string;
  data?: Data;
  nodes?: Json[];
  fragments?: Json[];
  fragment?: string;
  leaves?: { object: string; text: string; marks: { object: string; type: string; data: Data }[] }[];
  isVoid?: boolean;
  key?: string;
  meta?: Data;
};
