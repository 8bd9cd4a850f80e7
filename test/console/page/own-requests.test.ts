/** The proxy's own paths, and who asks there. @module */
import { expect, it, vi } from "vitest";
import { rowsOf } from "../../support/rows.ts";

const load = () => import("../../../src/console/page/own-requests.ts");

it("makes the id of a page once for each load", async () => {
  const { readViewer } = await load();
  const id = readViewer();
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(readViewer()).toBe(id);
  vi.resetModules();
  expect((await load()).readViewer()).not.toBe(id);
});

it.each([
  { pathname: "/__proxy__/", base: "http://localhost:8080" },
  { pathname: "/__proxy__", base: "http://localhost:8080" },
  { pathname: "/in/proxy/__proxy__/", base: "http://localhost:8080/in/proxy" },
])("a page at $pathname belongs to the proxy at $base", async ({ pathname, base }) => {
  expect((await load()).readBase({ origin: "http://localhost:8080", pathname })).toBe(base);
});

it.each(rowsOf(["about", "answer", "told"], [
  ["JSON", () => Response.json({ a: 1 }), { told: { a: 1 } }],
  ["why it is refused", () => Response.json({ detail: "Cannot" }, { status: 403 }), {
    problem: "Cannot",
    status: 403,
  }],
  ["a status without a reason", () => new Response("…", { status: 502 }), {
    problem: "The proxy answered 502",
    status: 502,
  }],
  ["that nobody answers", () => Promise.reject(new TypeError()), {
    problem: "The proxy does not answer; is it still running?",
    status: 0,
  }],
]))("tells $about", async ({ answer, told }) => {
  vi.stubGlobal("location", new URL("http://proxy.test/__proxy__/"));
  vi.stubGlobal("fetch", answer);
  expect(await (await load()).askProxy("traffic", {})).toEqual(told);
});

it("throws the reason of a signal", async () => {
  vi.stubGlobal("location", new URL("http://proxy.test/__proxy__/"));
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError()));
  const signal = AbortSignal.abort("left");
  await expect((await load()).askProxy("traffic", {}, { signal })).rejects.toBe("left");
});
