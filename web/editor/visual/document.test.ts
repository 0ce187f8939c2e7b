import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { fromDocument, type Json, toDocument } from "./document";
import { same } from "./same";

const ROOT = `${process.cwd()}/..`;
const PYTHON = `${ROOT}/.venv/bin/python`;
const PLACES = ["docs", "tests/content/kitchen_sink", "../shared/corpora/elsa-workflows.bundle"].map((one) => `${ROOT}/${one}`);

type Page = { path: string; size: number; document: Json };

export function corpora(): Page[] {
  const places = PLACES.filter((one) => existsSync(one));
  return JSON.parse(execFileSync(PYTHON, [`${ROOT}/tools/documents.py`, ...places], { maxBuffer: 1 << 30 }).toString()) as Page[];
}

test.skipIf(!existsSync(PYTHON))("every page of the corpora comes back as it came, and all of it can be edited", () => {
  const pages = corpora();
  const opaque: string[] = [];
  for (const page of pages) {
    const doc = fromDocument(page.document);
    doc.check();
    expect(same(toDocument(doc).nodes, page.document.nodes), page.path).toBe(true);
    doc.descendants((node) => {
      if (node.type.name === "opaque") opaque.push(`${page.path}: ${JSON.stringify(node.attrs["json"]).slice(0, 400)}`);
    });
  }
  console.log(`${pages.length} pages, ${opaque.length} opaque blocks`);
  expect(opaque).toEqual([]);
}, 120_000);
