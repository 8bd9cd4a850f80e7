/** Parts of others: what they can do, and what is refused. @module */
import { describe, expect, it, vi } from "vitest";
import { createProxy, createReply, type Part, ProxyError } from "../../src/core/index.ts";
import type { CoreOptions, PartRecord, Reply } from "../../src/core/index.ts";
import { incoming, target } from "../support/handle.ts";
import { rowsOf, words } from "../support/rows.ts";

const BASE = { proxy_host: "https://a.test" };
const ask = (parts: readonly Part[], path = "/p", options: CoreOptions = {}, fields: object = BASE) => {
  const { runtime, sent } = target({ headers: new Headers({ "x-from": "target" }) });
  const proxy = createProxy(options, parts);
  return { sent, answer: proxy.handle(incoming(path, { ...fields }), runtime), proxy };
};

function fail(): never {
  throw new Error("/secret/path");
}

const failWith = (failure: Error) => () => {
  throw failure;
};

const withRules = (rules: ReturnType<NonNullable<Part["rules"]>>): Part => ({
  name: "one",
  rules: () => rules,
});

describe("a part", () => {
  it("changes headers of a response, and knows whose it is", async () => {
    const answer: NonNullable<ReturnType<NonNullable<Part["rules"]>>["answer"]> = (headers, request) =>
      headers.set("x-seen", `${headers.get("x-from")} ${request.caller.address} ${request.path}`);
    const response = await ask([{ name: "one", rules: () => ({ answer }) }]).answer;
    expect(response.headers.get("x-seen")).toBe("target 127.0.0.1 /p");
  });

  it("answers in place of the target, but not for the proxy's own pages", async () => {
    const meet = () => createReply(503, [["retry-after", "60"]], "soon");
    const parts = [{ name: "one", rules: () => ({ meet }) }];
    const { answer, sent } = ask(parts);
    const response = await answer;
    expect([response.status, response.headers.get("retry-after"), await response.text()])
      .toEqual([503, "60", "soon"]);
    expect(sent).toEqual([]);
    expect((await ask(parts, "/__proxy__/health").answer).status).toBe(200);
  });

  it("refuses a request by a ProxyError, and names why", async () => {
    const decide = () => {
      throw new ProxyError("forbidden", "Cannot reach it: it is Sunday");
    };
    const { answer, sent } = ask([{ name: "one", rules: () => ({ decide }) }]);
    expect(await (await answer).json()).toMatchObject({ detail: "Cannot reach it: it is Sunday" });
    expect(sent).toEqual([]);
  });

  it("has a page of its own, which does not widen the others", async () => {
    const open = (path: string) => path === "/status" ? createReply(200, [], "fine") : undefined;
    const at = async (path: string) => await (await ask([{ name: "one", open }], path).answer).text();
    expect(await at("/__proxy__/status?x")).toBe("fine");
    expect(await at("/__proxy__/other")).toContain("Cannot find this path");
    expect(await at("/__proxy__/status/deeper")).toContain("Cannot find this path");
  });

  it("is waited for, and hears of the end, once", async () => {
    const heard: string[] = [];
    const end = ({ method, status, target, bytesIn }: PartRecord) =>
      void heard.push(`${method} ${status} ${target} ${bytesIn}`);
    const prepare = () =>
      new Promise<void>((resolve) => setTimeout(() => resolve(void heard.push("ready")), 20));
    const { answer, proxy } = ask([{ name: "one", prepare, end, close: () => void heard.push("closed") }]);
    await answer;
    proxy.close();
    expect(heard).toEqual(["ready", "GET 200 a.test 0", "closed"]);
  });

  it.each<[string, Part]>([
    ["while it can't be loaded", { name: "one", prepare: () => Promise.reject(new Error("/secret/path")) }],
    ["where it fails in step 2", withRules({ decide: fail })],
    [
      "where its error has no such code",
      withRules({ decide: failWith(new ProxyError("teapot" as "loop", "x")) }),
    ],
    [
      "where its error has a malformed header",
      withRules({ decide: failWith(new ProxyError("loop", "x", { headers: { a: "a\n" } })) }),
    ],
    [
      "where its answer frames itself",
      withRules({ meet: () => createReply(200, [["Transfer-Encoding", "x"]]) }),
    ],
    [
      "where its answer lets pages read",
      withRules({ meet: () => createReply(200, [["Access-Control-Allow-Origin", "*"]]) }),
    ],
    ["where it can't even begin to load", { name: "one", prepare: fail }],
    [
      "where it decides too late",
      withRules({ decide: async () => await Promise.reject(new ProxyError("forbidden", "no")) }),
    ],
    ["where it fails in place of the target", withRules({ meet: fail })],
    ["where it answers too late", withRules({ meet: (async () => await Promise.resolve()) as never })],
    ["where its answer has no headers", withRules({ meet: () => ({ status: 200 }) as never })],
    ["where its answer has no status", withRules({ meet: () => createReply(99, []) })],
    ["where its answer may have no body", withRules({ meet: () => createReply(204, [], "x") })],
    [
      "where its answer has a line end in a header",
      withRules({ meet: () => createReply(200, [["x", "a\r\nb: c"]]) }),
    ],
    ["where it fails with the response", withRules({ answer: fail })],
    [
      "where it changes the response too late",
      withRules({ answer: async () => await Promise.reject(new Error("late")) }),
    ],
    ["where it frames the response", withRules({ answer: (headers) => headers.set("Content-Length", "5") })],
    [
      "where it lets pages read",
      withRules({ answer: (headers) => headers.set("Access-Control-Allow-Origin", "*") }),
    ],
    ["where it sets a line end", withRules({ answer: (headers) => headers.append("x-a", "a\r\nb: c") })],
    ["where a rule has another name", withRules({ decides: fail } as never)],
    ["where its rules come too late", {
      name: "one",
      rules: (async () => await Promise.resolve({})) as never,
    }],
  ])("gives a 500 that tells nothing %s, and holds no place", async (_, part) => {
    const { answer, proxy, sent } = ask([part], "/p", { maxConcurrent: 1 });
    const response = await answer;
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(/secret|at |part/);
    expect((await proxy.handle(incoming("/p", BASE), target().runtime)).status).toBe(500);
    expect(sent.length).toBe(part.rules?.().answer ? 1 : 0);
  });

  it("that fails with the response lets the target's body go", async () => {
    const cancel = vi.fn();
    const { runtime } = target({ body: new ReadableStream({ cancel }) });
    const response = await createProxy({}, [withRules({ answer: fail })]).handle(
      incoming("/p", BASE),
      runtime,
    );
    expect(response.status).toBe(500);
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
  });

  it.each<Part>([
    { name: "one", end: fail },
    { name: "one", end: async () => await Promise.reject(new Error("late")) },
  ])("that fails at the end of a request changes nothing", async (part) => {
    expect((await ask([part]).answer).status).toBe(200);
  });

  it("that fails when it is closed keeps no other from it", () => {
    const close = vi.fn();
    createProxy({}, [{ name: "one", close: fail }, { name: "two", close }]).close();
    expect(close).toHaveBeenCalledOnce();
  });

  it.each(words`/__proxy__/?url=https://a.test/ /__proxy__/fetch?arg=e30 /p`)(
    "answers %s in place of the target",
    async (path) => {
      const { answer, sent } = ask([withRules({ meet: () => createReply(503, []) })], path);
      expect([(await answer).status, sent.length]).toEqual([503, 0]);
    },
  );

  it.each(rowsOf(["about", "fields", "options", "status"], [
    [
      "a page of another site",
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", origin: "https://evil.test" },
      {},
      403,
    ],
    [
      "a form of another site",
      { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", origin: "https://evil.test" },
      {},
      403,
    ],
    ["a caller without the token", {}, { proxyToken: "t0ken" }, 401],
    ["a caller with it", { proxy_token: "t0ken" }, { proxyToken: "t0ken" }, 200],
  ]))("does not hear of $about who is refused at the door: $status", async ({ fields, options, status }) => {
    const open = vi.fn(() => createReply(200, [], "own"));
    const { runtime } = target();
    const response = await createProxy(options, [{ name: "one", open }]).handle(
      incoming("/__proxy__/x", fields as Record<string, string>, "POST"),
      runtime,
    );
    expect([response.status, open.mock.calls.length]).toEqual([status, status === 200 ? 1 : 0]);
  });

  it("may give the same reply to all, and nobody gets what another was allowed", async () => {
    const reply = createReply(200, [], "same");
    const parts: Part[] = [{ name: "one", open: () => reply }];
    const origin = "http://localhost:3000";
    const first = await ask(parts, "/__proxy__/x", {}, { origin, "sec-fetch-site": "cross-site" }).answer;
    const second = await ask(parts, "/__proxy__/x", {}, {}).answer;
    expect(first.headers.get("access-control-allow-origin")).toBe(origin);
    expect(second.headers.get("access-control-allow-origin")).toBeNull();
    expect([...reply.headers]).toEqual([["content-length", "4"]]);
  });

  it("sees nothing of the settings, and whose request it is", async () => {
    const seen: object[] = [];
    const meet = (request: object) => void seen.push(request);
    await ask([withRules({ meet })], "/p", { proxyToken: "t0ken" }, { ...BASE, proxy_token: "t0ken" }).answer;
    expect(Object.keys(seen[0]!).sort()).toEqual(["asker", "caller", "incoming", "path", "record"]);
    expect(seen)
      .toMatchObject([{ asker: "program", caller: { host: "localhost:8080" }, record: { method: "GET" } }]);
  });

  it("names headers in any letters", async () => {
    const seen: unknown[] = [];
    const answer = (headers: { delete(name: string): void; get(name: string): string | null }) => {
      seen.push(headers.get("X-From"));
      headers.delete("X-From");
    };
    const response = await ask([withRules({ answer })]).answer;
    expect([seen, response.status, response.headers.has("x-from")]).toEqual([["target"], 200, false]);
  });

  it("can't move the target, of its own proxy or of another", async () => {
    const decide = ({ origin }: { origin: URL }) => void (origin.hostname = "evil.test");
    const options: CoreOptions = { allowTargets: ["moved.test"] };
    const fields = { proxy_host: "https://moved.test" };
    const [moved, other] = [
      ask([withRules({ decide })], "/p", options, fields),
      ask([], "/p", options, fields),
    ];
    await Promise.all([moved.answer, other.answer]);
    expect([...moved.sent, ...other.sent].map(({ origin }) => origin.href))
      .toEqual(["https://moved.test/", "https://moved.test/"]);
  });

  it("writes the length of a reply once, and none for a 204", async () => {
    const length = async (reply: Reply) =>
      (await ask([withRules({ meet: () => reply })]).answer).headers.get("content-length");
    expect(await length(createReply(200, [["Content-Length", "99"]], "four"))).toBe("4");
    expect(await length(createReply(204, [], ""))).toBeNull();
  });

  it("is loaded once, even while another can't be", async () => {
    const prepare = vi.fn(() => Promise.resolve());
    const broken: Part = { name: "two", prepare: () => Promise.reject(new Error("gone")) };
    const { answer, proxy } = ask([{ name: "one", prepare }, broken]);
    expect((await answer).status).toBe(500);
    expect((await proxy.handle(incoming("/p", BASE), target().runtime)).status).toBe(500);
    expect(prepare).toHaveBeenCalledOnce();
  });

  it("does not take the place of the core's own pages", async () => {
    const parts: Part[] = [{ name: "one", open: () => createReply(200, [], "taken") }];
    expect(await (await ask(parts, "/__proxy__/", {}, {}).answer).text()).not.toBe("taken");
  });
});

it.each(rowsOf(["parts", "says"], [
  [[{}], "one has no name"],
  [[null], "one has no name"],
  [[{ name: "one" }, { name: "one" }], '"one" comes twice'],
  [
    [{ name: "one", opne: fail }],
    '"one" has "opne", expected open, or one of name, prepare, rules, end, close',
  ],
  [[{ name: "one", open: 1 }], '"one" has open of type number, expected a function'],
]))("bad parts are refused: $says", ({ parts, says }) => {
  expect(() => createProxy({}, parts as unknown as Part[])).toThrow(says);
});
