/** The console as a part: live traffic of each request, with the list of what runs that a server keeps, or its own. */
import { expect, it } from "vitest";
import { OpenRequests } from "../../../src/core/exchange/open-requests.ts";
import { readOptions } from "../../../src/core/settings/config.ts";
import { State } from "../../../src/core/state.ts";
import { makeUsual } from "../../../src/parts/usual.ts";
import { exchangeOf, TICKET } from "../../support/exchange.ts";
import { openOf } from "../../support/part.ts";

const FIELDS = { accept: "text/event-stream", "proxy-ticket": TICKET };

it("keeps no list of its own of what runs where a server keeps one", () => {
  const open = new OpenRequests();
  const state = new State(readOptions({}), { open }, makeUsual);
  const record = state.begin("GET");
  expect([...open.records()]).toEqual([record]);
  record.answered(200, 0);
  expect([...open.records()]).toEqual([]);
});

it.each([
  { path: "/console.js", status: 200 },
  { path: "/nothing.js", status: undefined },
  { path: "/", status: undefined },
])("answers $path with $status", async ({ path, status }) => {
  const state = new State(readOptions({}), { ticket: TICKET }, makeUsual);
  const part = state.parts.find(({ name }) => name === "console");
  expect((await openOf(part, path, exchangeOf({ fields: FIELDS })))?.status).toBe(status);
});
