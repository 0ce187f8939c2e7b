import { expect, test } from "vitest";
import { changes } from "./apichange";

const schema = (required: string[]) => ({ components: { schemas: { Pet: { type: "object", required, properties: { name: {}, self: { $ref: "#/components/schemas/Pet" } } } } } });
const body = { content: { "application/json": { schema: { $ref: "#/components/schemas/Pet" } } } };
const document = (paths: object, required: string[] = []) => ({ paths, ...schema(required) });

test("operations that are new, gone and another are told apart, and a schema changes who uses it", () => {
  const before = document({ "/pets": { post: { requestBody: body, responses: { 200: {} } }, get: { responses: { 200: {} } } }, "/gone": { get: {} } });
  const after = document({ "/pets": { post: { requestBody: body, responses: { 200: {} } }, get: { summary: "Pets", responses: { 200: {} } } }, "/new": { get: {} } }, ["name"]);
  expect(changes(before, after)).toEqual([
    { kind: "changed", what: "GET /pets", in: ["words"], breaks: false },
    { kind: "changed", what: "POST /pets", in: ["body"], breaks: true },
    { kind: "added", what: "GET /new", in: [], breaks: false },
    { kind: "removed", what: "GET /gone", in: [], breaks: true },
  ]);
  expect(changes(before, before)).toEqual([]);
});
