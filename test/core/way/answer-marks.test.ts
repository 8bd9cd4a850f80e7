/**
 * What is marked in an answer to a browser, and that nothing is awaited where there is nothing to mark.
 * @module
 */
import { expect, it } from "vitest";
import { markAnswer } from "../../../src/core/way/answer-marks.ts";
import type { Target } from "../../../src/core/exchange/exchange.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { rowsOf } from "../../support/rows.ts";

const PAGE = {
  "sec-fetch-site": "same-origin",
  "sec-fetch-mode": "navigate",
  "cookie": "proxy_host=http://a.test",
};
const LINK = "/__proxy__/?host=http%3A%2F%2Fb.test&then=%2F";
const TARGET: Target = { selector: "cookie", origin: new URL("http://a.test"), path: "/", basePath: "" };

const mark = (fields: Record<string, string>, status: number, answer: [string, string][]) => {
  const reply = { status, statusText: "", headers: new Fields(answer), body: null };
  return markAnswer(reply, exchangeOf({ fields }), TARGET, {});
};

it.each(rowsOf(["about", "fields", "status", "answer", "isMarked"], [
  ["a challenge", PAGE, 401, ["www-authenticate", "Basic realm=x"], true],
  ["a link that sets the host", PAGE, 302, ["location", LINK], true],
  ["another challenge", PAGE, 401, ["www-authenticate", "Bearer"], false],
  ["another link", PAGE, 302, ["location", "/x"], false],
  ["a challenge to a program", {}, 401, ["www-authenticate", "Basic"], false],
  ["a link for a program", {}, 302, ["location", LINK], false],
]))("$about is marked: $isMarked", async ({ fields, status, answer, isMarked }) => {
  const marking = mark(fields as Record<string, string>, status, [answer as [string, string]]);
  expect(marking instanceof Promise).toBe(isMarked);
  const { headers } = await marking;
  expect(headers.has("set-cookie") || (headers.get("location") ?? "").includes("&proof=")).toBe(isMarked);
});
