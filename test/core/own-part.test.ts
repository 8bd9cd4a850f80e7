/** Parts of others: what they can do, and what is refused. @module */
import { describe, expect, it } from "vitest";
import { createProxy, createReply, type Part, ProxyError } from "../../src/core/index.ts";
import type { CoreOptions, PartRecord } from "../../src/core/index.ts";
import { incoming, target } from "../support/handle.ts";
import { rowsOf } from "../support/rows.ts";

const BASE = { proxy_host: "https://a.test" };
const ask = (parts: readonly Part[], path = "/p", options: CoreOptions = {}, fields: object = BASE) => {
  const { runtime, sent } = target({ headers: new Headers({ "x-from": "target" }) });
  const proxy = createProxy(options, parts);
  return { sent, answer: proxy.handle(incoming(path, { ...fields }), runtime), proxy };
};

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
    const end = ({ method, status, target }: PartRecord) => void heard.push(`${method} ${status} ${target}`);
    const prepare = () =>
      new Promise<void>((resolve) => setTimeout(() => resolve(void heard.push("ready")), 20));
    const { answer, proxy } = ask([{ name: "one", prepare, end, close: () => void heard.push("closed") }]);
    await answer;
    proxy.close();
    expect(heard).toEqual(["ready", "GET 200 a.test", "closed"]);
  });

  it.each<[string, Part]>([
    ["while it can't be loaded", { name: "one", prepare: () => Promise.reject(new Error("/secret/path")) }],
    ["where it fails in step 2", { name: "one", rules: () => ({ decide: fail }) }],
    ["where it fails in place of the target", { name: "one", rules: () => ({ meet: fail }) }],
    ["where it fails with the response", { name: "one", rules: () => ({ answer: fail }) }],
  ])("gives a 500 that tells nothing $0", async (_, part) => {
    const response = await ask([part]).answer;
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(/secret|at /);
  });

  it("that fails at the end of a request changes nothing", async () => {
    expect((await ask([{ name: "one", end: fail }]).answer).status).toBe(200);
  });
});

function fail(): never {
  throw new Error("/secret/path");
}

it.each(rowsOf(["parts", "says"], [
  [[{}], "one has no name"],
  [[null], "one has no name"],
  [[{ name: "one" }, { name: "one" }], '"one" comes twice'],
  [[{ name: "one", opne: fail }], '"one" has "opne", expected one of name, prepare, rules, open, end, close'],
  [[{ name: "one", open: 1 }], '"one" has open of type number, expected a function'],
]))("bad parts are refused: $says", ({ parts, says }) => {
  expect(() => createProxy({}, parts as unknown as Part[])).toThrow(says);
});
