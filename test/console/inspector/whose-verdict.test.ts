/** The sentence that says whose verdict an answer is. @module */
import { expect, it } from "vitest";
import { tellVerdict } from "../../../src/console/inspector/overview.ts";
import { entryOf } from "../traffic/entries.ts";
import { captureGet } from "./captures.ts";
import type { Capture } from "../../../src/parts/capture/capture.ts";
import { rowsOf } from "../../support/rows.ts";

/** What came from a target in JSON. */
const json = (status: number, body: string) =>
  captureGet("http://a.test/", { headers: [["content-type", "application/json"]], status, body });

/** What the proxy answered to the redirect of a target. */
function refused(status: number, error: string): Capture {
  const found = captureGet("http://a.test/", { status: 302 });
  return { ...found, error, response: { ...found.response!, status } };
}

it.each(rowsOf(["expected", "entry", "capture"], [
  [undefined, { status: 0 }],
  ["200 from the target|", { status: 200 }],
  ["200 from the target|still running", { status: 200, isRunning: true as const }],
  ["200 from the target|closed by the caller", { status: 200, error: "caller_gone" }],
  ["200 from the target|then connection terminated", { status: 200, error: "connection_terminated" }],
  ["403 refused by the proxy|address prohibited", { status: 403, error: "address_prohibited" }],
  ["502 from the proxy|dns error", { status: 502, error: "dns_error" }],
  [
    "403 from the target|x-role must be admin",
    { status: 403 },
    json(403, '{"reason":"x-role must be admin"}'),
  ],
  ["500 from the target|", { status: 500 }, json(500, '{"reason":')],
  ["403 refused by the proxy|Cannot reach", { status: 403, error: "address_prohibited" }, {
    ...json(403, '{"message":"Cannot reach"}'),
    hops: [],
  }],
  [
    "403 refused by the proxy|address prohibited",
    { status: 403, error: "address_prohibited" },
    refused(403, "address_prohibited"),
  ],
  [
    "502 from the proxy|too many redirects",
    { status: 502, error: "too_many_redirects" },
    refused(502, "too_many_redirects"),
  ],
]))("is $expected for $entry", ({ entry, capture, expected }) => {
  const told = tellVerdict(entryOf(entry), capture);
  expect(told && `${told.who}|${told.why}`).toBe(expected);
});
