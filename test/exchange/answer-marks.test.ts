/**
 * What is marked in an answer to a browser, and that nothing is awaited where there is nothing to mark.
 * @module
 */
import { expect, it } from "vitest";
import { markAnswer } from "../../src/exchange/answer-marks.ts";
import type { Target } from "../../src/exchange/exchange.ts";
import { Fields } from "../../src/http/fields.ts";
import { exchangeOf } from "../support/exchange.ts";

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

it.each([
  {
    about: "a challenge",
    fields: PAGE,
    status: 401,
    answer: ["www-authenticate", "Basic realm=x"],
    isMarked: true,
  },
  {
    about: "a link that sets the host",
    fields: PAGE,
    status: 302,
    answer: ["location", LINK],
    isMarked: true,
  },
  {
    about: "another challenge",
    fields: PAGE,
    status: 401,
    answer: ["www-authenticate", "Bearer"],
    isMarked: false,
  },
  { about: "another link", fields: PAGE, status: 302, answer: ["location", "/x"], isMarked: false },
  {
    about: "a challenge to a program",
    fields: {},
    status: 401,
    answer: ["www-authenticate", "Basic"],
    isMarked: false,
  },
  { about: "a link for a program", fields: {}, status: 302, answer: ["location", LINK], isMarked: false },
])("$about is marked: $isMarked", async ({ fields, status, answer, isMarked }) => {
  const marking = mark(fields as Record<string, string>, status, [answer as [string, string]]);
  expect(marking instanceof Promise).toBe(isMarked);
  const { headers } = await marking;
  expect(headers.has("set-cookie") || (headers.get("location") ?? "").includes("&proof=")).toBe(isMarked);
});
