/** The id of a tab. @module */
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const load = async () => (await import("../../../src/console/page/tab-id.ts")).readViewer;

function storageOf(kept: Record<string, string> = {}) {
  return {
    getItem: (name: string) => kept[name] ?? null,
    setItem: (name: string, value: string) => void (kept[name] = value),
  };
}

beforeEach(() => void vi.resetModules());
afterEach(() => void vi.unstubAllGlobals());

it("is made once, and outlives the page", async () => {
  const kept = {};
  vi.stubGlobal("sessionStorage", storageOf(kept));
  const readViewer = await load();
  const id = readViewer();
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(readViewer()).toBe(id);
  vi.resetModules();
  expect((await load())()).toBe(id);
});

it("is another one in another tab", async () => {
  vi.stubGlobal("sessionStorage", storageOf());
  const id = (await load())();
  vi.resetModules();
  vi.stubGlobal("sessionStorage", storageOf());
  expect((await load())()).not.toBe(id);
});

it("is kept by the page where the browser stores nothing", async () => {
  const refuse = () => {
    throw new Error("no storage");
  };
  vi.stubGlobal("sessionStorage", { getItem: refuse, setItem: refuse });
  const readViewer = await load();
  expect(readViewer()).toBe(readViewer());
});

it("does not take what others stored", async () => {
  vi.stubGlobal("sessionStorage", storageOf({ "fetchvia-viewer": "x" }));
  expect((await load())()).toMatch(/^[0-9a-f]{32}$/);
});
