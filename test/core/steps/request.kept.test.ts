/** Step 3 for fields that come again: what was built before goes out again only where it would be built the same. */
import { makePlan } from "../../../src/core/exchange/plan.ts";
import { describe, expect, it } from "vitest";
import { decodeAddress } from "../../../src/core/address/address.ts";
import type { Exchange, Judged, Plan, Prepared, Target } from "../../../src/core/exchange/exchange.ts";
import { Fields, KeptFields } from "../../../src/core/http/fields.ts";
import { buildRequest } from "../../../src/core/steps/request.ts";
import { FORMS } from "../../../src/parts/forms/form-fields.ts";
import { BROWSER } from "../../support/browser-fields.ts";
import { exchangeOf, type Request } from "../../support/parts-exchange.ts";

const ORIGIN = new URL("https://a.test");
const TARGET: Target = { selector: "header", origin: ORIGIN, basePath: "", path: "/first" };
const ABC = new TextEncoder().encode("abc");
const XYZ = new TextEncoder().encode("xyz");

/** What one of two requests with the same fields has of its own. */
interface Part {
  exchange?: Partial<Exchange>;
  target?: Partial<Target>;
  body?: Uint8Array<ArrayBuffer>;
  method?: string;
}

/** The exchange of a request with these fields. */
function withFields(exchange: Exchange, headers: Fields, part: Part = {}): Exchange {
  const { method = exchange.incoming.method, body = exchange.incoming.body } = part;
  return { ...exchange, ...part.exchange, incoming: { ...exchange.incoming, headers, method, body } };
}

/** Everything of an outgoing request that can be compared. */
function contentOf({ headers, ...rest }: Prepared) {
  return { ...rest, headers: [...headers] };
}

/** Builds two requests whose fields are the same, and the second one as if there had been no first. */
async function buildTwice(request: Request, first: Part = {}, second: Part = {}) {
  const exchange = exchangeOf(request);
  const kept = new KeptFields(new Fields(exchange.incoming.headers));
  const build = (part: Part, plan: Plan, path: string, addresses: Judged) =>
    buildRequest(
      withFields({ ...exchange, plan }, kept, part),
      { ...TARGET, path, ...part.target },
      addresses,
    );
  const plan = makePlan(exchange.incoming, exchange, true);
  const before = await build(first, plan, "/first", ["192.0.2.1"]);
  const after = await build(second, plan, "/second?x", ["192.0.2.2"]);
  const fresh = await build(second, exchange.plan, "/second?x", ["192.0.2.2"]);
  return { before, after, fresh, isKept: after.headers === before.headers };
}

/** Fields that most of the rest decides about. */
const TELLING = {
  referer: "http://localhost:8080/page",
  cookie: "a=1; proxy_host=https://a.test",
  destination: "http://localhost:8080/b",
  "max-forwards": "5",
};

describe("a program's request that comes again", () => {
  it.each([
    { about: "with no fields", request: {} },
    { about: "with fields that are mapped", request: { fields: TELLING } },
    { about: "with credentials of its own", request: { fields: { authorization: "Basic eDp5" } } },
    { about: "with an empty body", request: { method: "POST", fields: { "content-length": "0" } } },
    { about: "with fields that end here", request: { fields: { connection: "x-a", "x-a": "1", te: "x" } } },
    { about: "where the proxy names itself", request: { options: { via: "p", forwardClient: true } } },
    { about: "for a WebSocket", request: { fields: { connection: "Upgrade", upgrade: "websocket" } } },
    { about: "by a cookie", request: { fields: TELLING }, target: { selector: "cookie" } },
    { about: "by a label", request: { fields: TELLING }, target: { selector: "label" } },
    { about: "to the target of the settings", request: { fields: TELLING }, target: { selector: "preset" } },
    { about: "with a base path", request: { fields: TELLING }, target: { basePath: "/v1" } },
  ] as { about: string; request: Request; target?: Partial<Target> }[])(
    "is built once, but for its path and addresses: $about",
    async ({ request, target = {} }) => {
      const { before, after, fresh, isKept } = await buildTwice(request, { target }, { target });
      expect(contentOf(after)).toEqual(contentOf(fresh));
      expect([before.path, before.addresses]).toEqual(["/first", ["192.0.2.1"]]);
      expect([after.path, after.addresses, isKept]).toEqual(["/second?x", ["192.0.2.2"], true]);
    },
  );

  it("has fields that nobody can change on their way", async () => {
    const { before, after } = await buildTwice({});
    const content = contentOf(before).headers;
    expect(after.headers).toBeInstanceOf(KeptFields);
    expect(() => (after.headers as Fields).set("x-a", "1")).toThrow(TypeError);
    expect(() => (after.headers as Fields).append("x-a", "1")).toThrow(TypeError);
    expect(contentOf(after).headers).toEqual(content);
  });

  it("may come in turns with others", async () => {
    const exchange = exchangeOf({ fields: TELLING });
    const kept = new KeptFields(new Fields(exchange.incoming.headers));
    const others: Partial<Target>[] = [{}, { origin: new URL("http://b.test:81") }, { basePath: "/v1" }, {}];
    const build = (plan: Plan) =>
      others.reduce<Promise<Prepared[]>>(async (built, part) => [
        ...await built,
        await buildRequest(withFields({ ...exchange, plan }, kept), { ...TARGET, ...part }, undefined),
      ], Promise.resolve([]));
    const again = await build(makePlan(exchange.incoming, exchange, true));
    expect(again.map(contentOf)).toEqual((await build(exchange.plan)).map(contentOf));
  });
});

describe("a program's request of the same shape", () => {
  const FREE = ["cookie", "x-request-id"];
  const of = (id: string) => ({ ...TELLING, cookie: `a=${id}`, "x-request-id": id });

  it.each(["header", "label", "preset"] as const)(
    "has its own values: by %s",
    async (selector) => {
      const options = { target: "https://a.test" };
      const exchange = exchangeOf({ fields: of("0"), options });
      const shape = new KeptFields(new Fields(exchange.incoming.headers), FREE);
      const headers = ["1", "2"].map((id) => shape.fill([`a=${id}`, id]));
      const plan = makePlan({ ...exchange.incoming, headers: shape }, exchange, true);
      const target = { ...TARGET, selector };
      const [before, after, fresh] = [
        await buildRequest(withFields({ ...exchange, plan }, headers[0]!), target, undefined),
        await buildRequest(withFields({ ...exchange, plan }, headers[1]!), target, undefined),
        await buildRequest(
          withFields(exchange, new Fields(exchangeOf({ fields: of("2") }).incoming.headers)),
          target,
          undefined,
        ),
      ];
      expect(contentOf(after!)).toEqual(contentOf(fresh!));
      expect([before!.headers.get("x-request-id"), after!.headers.get("cookie")]).toEqual(["1", "a=2"]);
      expect(plan.request!.prepared.path).toBe("");
      expect((after!.headers as Fields).shape).toBe(plan.request!.prepared.headers);
      expect(JSON.stringify([...plan.request!.prepared.headers, ...plan.head])).not.toMatch(/a=|"[12]"/);
    },
  );
});

describe("a request with the same fields", () => {
  const described = exchangeOf({ fields: { "x-described": "1" } }).incoming;
  const locked = { selector: "url", ...decodeAddress("https://user:secret@a.test/") } as Partial<Target>;

  it.each([
    { about: "to another target", second: { target: { origin: new URL("https://b.test") } } },
    { about: "to another port", second: { target: { origin: new URL("https://a.test:8443") } } },
    { about: "by another scheme", first: { target: { origin: new URL("http://a.test") } } },
    { about: "by its whole address", second: { target: { selector: "url" } } },
    { about: "by a host, after its whole address", first: { target: { selector: "url" } } },
    { about: "with another base path", second: { target: { basePath: "/v1" } } },
    { about: "without a base path", first: { target: { basePath: "/v1" } } },
    { about: "with another method", second: { method: "OPTIONS" } },
    { about: "with the method before", first: { method: "OPTIONS" } },
    { about: "with credentials in its address", second: { target: locked } },
    { about: "after credentials in the address", first: { target: locked } },
    { about: "that is described", second: { exchange: { described }, target: { selector: "arg" } } },
    { about: "after one that is described", first: { exchange: { described }, target: { selector: "arg" } } },
    {
      about: "in the form of another proxy",
      second: { exchange: { form: FORMS.git }, target: { selector: "url" } },
    },
    { about: "after one in the form of another proxy", first: { exchange: { form: FORMS.git } } },
  ] as { about: string; first?: Part; second?: Part }[])(
    "is built anew: $about",
    async ({ first, second }) => {
      const { before, after, fresh, isKept } = await buildTwice({ fields: TELLING }, first, second);
      expect(contentOf(after)).toEqual(contentOf(fresh));
      expect(contentOf(after).headers).not.toEqual(contentOf(before).headers);
      expect(isKept).toBe(false);
    },
  );

  it.each([
    { about: "another plan", plan: (exchange: Exchange) => makePlan(exchange.incoming, exchange, true) },
    { about: "an asker of other rights", asker: "granted" as const },
  ])("is built anew for $about", async ({ plan, asker }) => {
    const second = { ...plan && { plan: plan(exchangeOf()) }, ...asker && { asker } };
    const { after, fresh, isKept } = await buildTwice({}, {}, { exchange: second });
    expect(contentOf(after)).toEqual(contentOf(fresh));
    expect(isKept).toBe(false);
  });

  it.each(
    [
      { about: "its whole address", selector: "url" },
      { about: "the same host", selector: "header" },
    ] as const,
  )("never gets the credentials in the address of the one before: by $about", async ({ selector }) => {
    const { before, after } = await buildTwice({}, { target: locked }, { target: { selector } });
    expect(before.headers.get("authorization")).toBe("Basic dXNlcjpzZWNyZXQ=");
    expect(after.headers.has("authorization")).toBe(false);
  });
});

describe("a request that more decides about", () => {
  const ASKED = { proxy_headers: btoa('{"x-asked":"1"}') };
  const KEY = { signingKey: "k".repeat(43) };

  it.each([
    { about: "a browser", request: { fields: BROWSER.typed } },
    {
      about: "a browser with cookies and a password",
      request: {
        fields: { ...BROWSER.script, cookie: "a=1; proxy_host=https://a.test", authorization: "Basic eDp5" },
      },
    },
    { about: "a page without Fetch Metadata", request: { fields: { origin: "http://localhost:8080" } } },
    { about: "an Origin that is null", request: { fields: { origin: "null" } } },
    { about: "wishes for its fields", request: { fields: ASKED } },
    { about: "wishes by the other name", request: { fields: { "proxy-headers": ASKED.proxy_headers } } },
    { about: "a wish for a sealed answer", request: { fields: { proxy_seal: "1" } } },
    { about: "both wishes", request: { fields: { ...ASKED, "proxy-seal": "1" } } },
    { about: "a whole address", request: {}, part: { target: { selector: "url" } } },
    { about: "a description", request: {}, part: { target: { selector: "arg" } } },
    { about: "the form of another proxy", request: {}, part: { exchange: { form: FORMS["cors-anywhere"] } } },
    { about: "callers' tokens", request: { options: KEY, fields: { cookie: "a=1" } } },
  ] as { about: string; request: Request; part?: Part }[])(
    "is built each time: $about",
    async ({ request, part }) => {
      const { after, fresh, isKept } = await buildTwice(request, part, part);
      expect(contentOf(after)).toEqual(contentOf(fresh));
      expect(isKept).toBe(false);
    },
  );

  it("has its own body each time", async () => {
    const request = { method: "POST", fields: { "content-length": "3" } };
    const { before, after, fresh } = await buildTwice(request, { body: ABC }, { body: XYZ });
    expect([before.body, after.body]).toEqual([ABC, XYZ]);
    expect(contentOf(after)).toEqual(contentOf(fresh));
  });

  it("is refused for a token in its path, though the one before had none", async () => {
    const exchange = exchangeOf({ options: KEY });
    const asked = { ...exchange, plan: makePlan(exchange.incoming, exchange, true) };
    await buildRequest(asked, TARGET, undefined);
    const path = `/second?key=fv1.e30.${"s".repeat(43)}`;
    await expect(buildRequest(asked, { ...TARGET, path }, undefined))
      .rejects.toThrow(/its address holds a caller's token/);
  });
});

it("fields that do not come again are built each time", async () => {
  const exchange = exchangeOf({ fields: TELLING });
  const build = () => buildRequest(exchange, TARGET, undefined);
  const [one, two] = [await build(), await build()];
  expect(contentOf(two)).toEqual(contentOf(one));
  expect(two.headers).not.toBe(one.headers);
});
