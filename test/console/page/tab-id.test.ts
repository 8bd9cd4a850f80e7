/** The id of a page. @module */
import { expect, it, vi } from "vitest";

const load = async () => (await import("../../../src/console/page/tab-id.ts")).readViewer;

it("is made once for each load of the page", async () => {
  const readViewer = await load();
  const id = readViewer();
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(readViewer()).toBe(id);
  vi.resetModules();
  expect((await load())()).not.toBe(id);
});
