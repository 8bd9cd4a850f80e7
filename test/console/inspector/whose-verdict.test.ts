/** The sentence that says whose verdict an answer is. @module */
import { expect, it } from "vitest";
import { tellVerdict } from "../../../src/console/inspector/whose-verdict.ts";
import { entryOf } from "../traffic/entries.ts";
import { captureGet } from "./captures.ts";

const json = { headers: [["content-type", "application/json"]] as [string, string][] };

it.each([
  { entry: { status: 0 }, expected: undefined },
  { entry: { status: 200 }, expected: "200 from the target|" },
  { entry: { status: 200, isRunning: true as const }, expected: "200 from the target|still running" },
  { entry: { status: 200, error: "caller_gone" }, expected: "200 from the target|closed by the caller" },
  {
    entry: { status: 200, error: "connection_terminated" },
    expected: "200 from the target|then connection terminated",
  },
  {
    entry: { status: 403, error: "address_prohibited" },
    expected: "403 refused by the proxy|address prohibited",
  },
  { entry: { status: 502, error: "dns_error" }, expected: "502 from the proxy|dns error" },
  {
    entry: { status: 403 },
    capture: captureGet("http://a.test/", {
      ...json,
      status: 403,
      body: '{"reason":"x-role must be admin"}',
    }),
    expected: "403 from the target|x-role must be admin",
  },
  {
    entry: { status: 500 },
    capture: captureGet("http://a.test/", { ...json, status: 500, body: '{"reason":' }),
    expected: "500 from the target|",
  },
  {
    entry: { status: 403, error: "address_prohibited" },
    capture: {
      ...captureGet("http://a.test/", { ...json, status: 403, body: '{"message":"Cannot reach"}' }),
      hops: [],
    },
    expected: "403 refused by the proxy|Cannot reach",
  },
  ...[
    { status: 403, error: "address_prohibited", expected: "403 refused by the proxy|address prohibited" },
    { status: 502, error: "too_many_redirects", expected: "502 from the proxy|too many redirects" },
  ].map(({ status, error, expected }) => {
    const found = captureGet("http://a.test/", { status: 302 });
    const capture = { ...found, error, response: { ...found.response!, status } };
    return { entry: { status, error }, capture, expected };
  }),
])("is $expected for $entry", ({ entry, capture, expected }) => {
  const told = tellVerdict(entryOf(entry), capture);
  expect(told && `${told.who}|${told.why}`).toBe(expected);
});
