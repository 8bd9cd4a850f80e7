/**
 * Responses whose fields come again: what was built before is used again only where step 5 would build the same.
 * @module
 */
import { makePlan } from "../../../src/core/exchange/plan.ts";
import { describe, expect, it, vi } from "vitest";
import { hooksOf } from "../../../src/core/exchange/hooks.ts";
import type {
  Exchange,
  Plan,
  Prepared,
  Target,
  TargetResponse,
} from "../../../src/core/exchange/exchange.ts";
import { Fields, KeptFields } from "../../../src/core/http/fields.ts";
import type { Reply } from "../../../src/core/http/reply.ts";
import { buildResponse } from "../../../src/core/steps/response.ts";
import { readWishes } from "../../../src/parts/headers/steering.ts";
import { hooksFor, tableOf } from "../../support/table.ts";
import { exchangeOf, type Request } from "../../support/exchange.ts";
import { rowsOf, typedRows } from "../../support/rows.ts";

type FieldList = [name: string, value: string][];

const ORIGIN = new URL("https://a.test");

/** One of two responses with the same fields. */
interface Case {
  request?: Request;
  exchange?: Partial<Exchange>;
  target?: Partial<Target>;
  prepared?: Partial<Prepared>;
  answer?: Partial<TargetResponse>;
}

/** The plans of callers, by the table or else by what they ask with. */
type PlanOf = Map<object | undefined, Plan>;

async function build(part: Case, headers: Fields, plans: PlanOf = new Map()): Promise<Reply> {
  const asked = exchangeOf(part.request);
  const name = part.exchange?.parts ?? part.request;
  const plan = plans.get(name) ?? makePlan(asked.incoming, { ...asked, ...part.exchange }, true);
  plans.set(name, plan);
  const exchange = { ...asked, ...part.exchange, plan };
  const target: Target = { selector: "header", origin: ORIGIN, basePath: "", path: "/p", ...part.target };
  const request: Prepared = {
    ...target,
    method: "GET",
    headers: exchange.incoming.headers,
    body: null,
    addresses: undefined,
    cookies: { host: undefined, sendsCookies: false, owner: undefined, isCrossing: false },
    ...part.prepared,
  };
  const answer: TargetResponse = { status: 200, statusText: "", headers, body: null, ...part.answer };
  return await buildResponse(answer, request, exchange, target);
}

/** Everything of a response that can be compared. */
const contentOf = ({ headers, ...rest }: Reply) => ({ ...rest, headers: [...headers] });

const PLAIN: FieldList = [["date", "x"], ["content-type", "text/plain"], ["content-length", "5"], [
  "x-a",
  "1",
]];

const FIELDS: { about: string; fields: FieldList }[] = typedRows(["about", "fields"], [
  ["none", []],
  ["plain ones", PLAIN],
  ["repeated ones", [["x-a", "1"], ["x-a", "2"], ["vary", "x"], ["vary", "y"]]],
  ["some that end here", [["connection", "x-a"], ["x-a", "1"], ["alt-svc", "x"], ["x-b", "2"]]],
  ["two lengths", [["content-length", "5"], ["content-length", "6"]]],
  ["one that binds the origin", [["strict-transport-security", "max-age=1"]]],
  ["an address", [["location", "https://a.test/x"]]],
  ["a cookie", [["set-cookie", "a=1; Domain=a.test"]]],
  ["a challenge", [["www-authenticate", "Basic"]]],
  ["the proxy's own", [["x-final-url", "https://a.test/x"], ["x-fetchvia-head", "x"]]],
]);

const TABLE = {
  parts: hooksFor(tableOf({ "a.test": { answerRemove: ["x-a"] }, "b.test": { answerSet: { "x-b": "1" } } })),
};

const CASES: Record<string, Case> = {
  "by header": {},
  "by both headers": { request: { fields: { "proxy-host": "https://a.test" } } },
  "of another target": { target: { origin: new URL("https://b.test"), basePath: "/v1" } },
  "to a browser": { request: { fields: { "sec-fetch-site": "none", "sec-fetch-mode": "navigate" } } },
  "by cookie": { target: { selector: "cookie" } },
  "by the settings": { target: { selector: "preset" } },
  "by label": { target: { selector: "label" } },
  "by address": { target: { selector: "url" } },
  "by a signed link": { target: { selector: "url" }, exchange: { isSigned: true } },
  "by a description": { target: { selector: "arg" } },
  "of another proxy, which names itself": { request: { options: { via: "p" } } },
  "with fields that the caller changed": {
    prepared: { wishes: readWishes([["proxy_headers", "e30"]], exchangeOf()) },
  },
  "behind a redirect": { answer: { finalAddress: { origin: new URL("https://b.test"), path: "/x" } } },
  "with a table": { exchange: TABLE },
  "with a table, for what a key opened": { exchange: TABLE, answer: { hadKey: true } },
  "with a part that reads the request": {
    exchange: {
      parts: hooksOf([{
        answer: (headers, _source, _origin, { incoming }) => headers.set("x-m", incoming.method),
      }]),
    },
  },
  "with a table, of its other target": { exchange: TABLE, target: { origin: new URL("https://b.test") } },
};

describe.each(FIELDS)("a response that comes again, with $about", ({ fields }) => {
  it.each([200, 204, 205, 304, 404])("is built as if it were the first: %s", async (status) => {
    const kept = new KeptFields(new Fields(fields));
    const plans: PlanOf = new Map();
    const cases = await Promise.all(
      Object.entries(CASES).map(async ([name, part]) => {
        const own = { ...part, answer: { ...part.answer, status } };
        return { name, own, fresh: contentOf(await build(own, new Fields(fields))) };
      }),
    );
    // Every pair of cases, one behind the other.
    for (const { own: before } of cases) {
      for (const { name, own: after, fresh } of cases) {
        await build(before, kept, plans);
        expect(contentOf(await build(after, kept, plans)), name).toEqual(fresh);
      }
    }
  });
});

describe("a response that comes again", () => {
  it("is built once for a caller's head, and anew for another", async () => {
    const kept = new KeptFields(new Fields(PLAIN));
    const plans: PlanOf = new Map();
    const visits = vi.spyOn(kept, "forEach");
    await build({}, kept, plans);
    const once = visits.mock.calls.length;
    await build({}, kept, plans);
    expect([once > 0, visits.mock.calls.length]).toEqual([true, once]);
    await build({ request: { fields: { "x-other": "1" } } }, kept, plans);
    expect(visits.mock.calls.length).toBe(2 * once);
  });

  it.each(rowsOf(["about", "parts", "times"], [
    ["once with a table", TABLE.parts, 1],
    ["each time with a part that may read the request", hooksOf([{ answer: () => {} }]), 2],
  ]))("is built $about", async ({ parts, times }) => {
    const kept = new KeptFields(new Fields(PLAIN));
    const plans: PlanOf = new Map();
    const visits = vi.spyOn(kept, "forEach");
    await build({ exchange: { parts } }, kept, plans);
    const once = visits.mock.calls.length;
    await build({ exchange: { parts } }, kept, plans);
    expect(visits.mock.calls.length).toBe(times * once);
  });

  it("with another status is built anew", async () => {
    const kept = new KeptFields(new Fields(PLAIN));
    const plans: PlanOf = new Map();
    for (const status of [200, 204, 205, 200, 404]) {
      const again = contentOf(await build({ answer: { status } }, kept, plans));
      expect(again).toEqual(contentOf(await build({ answer: { status } }, new Fields(PLAIN))));
    }
  });

  it("may be changed on its way without a change to the next one", async () => {
    const kept = new KeptFields(new Fields(PLAIN));
    const plans: PlanOf = new Map();
    const [first, second] = [await build({}, kept, plans), await build({}, kept, plans)];
    const content = contentOf(second).headers;
    first.headers.append("vary", "Origin");
    second.headers.set("content-type", "x");
    second.headers.delete("date");
    expect(contentOf(await build({}, kept, plans)).headers).toEqual(content);
    expect([...kept]).toEqual(PLAIN);
  });
});
