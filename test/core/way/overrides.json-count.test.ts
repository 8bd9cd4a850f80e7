/** Members in JSON text, counted where `JSON.parse` would drop some. */
import { expect, it } from "vitest";
import { countMembers } from "../../../src/core/way/overrides.ts";

it.each([
  { json: "{}", count: 0 },
  { json: '{"a":"b"}', count: 1 },
  { json: '{"a":"b","a":null}', count: 2 },
  { json: '{"a:b":"c:d"}', count: 1 },
  { json: String.raw`{"a\":\"":"\\","b" : ":"}`, count: 2 },
  { json: '{"a":{"b":1}}', count: 2 },
])("countMembers: $json → $count", ({ json, count }) => expect(countMembers(json)).toBe(count));
