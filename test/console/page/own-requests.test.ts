/** The proxy's own paths, and who asks there. @module */
import { expect, it, vi } from "vitest";

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

it.each([
  { about: "JSON", answer: () => Response.json({ a: 1 }), told: { told: { a: 1 } } },
  {
    about: "why it is refused",
    answer: () => Response.json({ detail: "Cannot" }, { status: 403 }),
    told: { problem: "Cannot", status: 403 },
  },
  {
    about: "a status without a reason",
    answer: () => new Response("…", { status: 502 }),
    told: { problem: "The proxy answered 502", status: 502 },
  },
  {
    about: "that nobody answers",
    answer: () => Promise.reject(new TypeError()),
    told: { problem: "The proxy does not answer; is it still running?", status: 0 },
  },
])("tells $about", async ({ answer, told }) => {
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
