/** Pages are loaded with the first request for one, and answer the same from then on. @module */
import { expect, it, vi } from "vitest";
import { createProxy } from "../../../src/index.ts";

const ask = (path: string) => createProxy().fetch(new Request(`http://localhost:8080${path}`));

it("loads no page for a request that needs none", async () => {
  const load = vi.fn();
  vi.doMock("../../../src/core/pages/routes.ts", (original) => {
    load();
    return original();
  });
  expect((await ask("/")).status).toBe(200);
  expect((await ask("/__proxy__/health")).status).toBe(200);
  expect(load).not.toHaveBeenCalled();
  expect((await ask("/__proxy__/")).status).toBe(200);
  expect(load).toHaveBeenCalledOnce();
});

it.each([
  { path: "/__proxy__/", status: 200 },
  { path: "/__proxy__/nothing", status: 404 },
])("answers $path with $status the first time and later", async ({ path, status }) => {
  const answers = await Promise.all([ask(path), ask(path)]);
  expect([...answers, await ask(path)].map((answer) => answer.status)).toEqual([status, status, status]);
});

it("answers 500 where the pages can't be loaded, and to nothing else", async () => {
  vi.resetModules();
  vi.doMock("../../../src/core/pages/routes.ts", () => {
    throw new Error("the file is gone");
  });
  const { createProxy: createAnew } = await import("../../../src/index.ts");
  const proxy = createAnew();
  const [page, other] = await Promise.all(
    ["/__proxy__/", "/"].map((path) => proxy.fetch(new Request(`http://localhost:8080${path}`))),
  );
  expect([page?.status, other?.status]).toEqual([500, 200]);
  expect(await page?.json()).toEqual({ title: "Proxy Error", detail: "Internal proxy error" });
});
