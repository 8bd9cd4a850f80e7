/** Paths that the proxy answers itself, read as they came (`isReserved` and `titleOf`: see routes.test.ts). */
import { describe, expect, it } from "vitest";
import {
  answerHealth,
  hasAddress,
  isFetch,
  isHealth,
  isOwnPath,
  isSocketPass,
  pathOnTarget,
} from "../../../src/core/address/reserved-paths.ts";
import { toResponse } from "../../../src/core/http/reply.ts";
import { grouped, words } from "../../support/rows.ts";

it.each([
  { path: "/__proxy__/?url=http://a.test/", is: true },
  { path: "/__proxy__?url=http://a.test/", is: true },
  { path: "/__proxy__/?url=", is: true },
  { path: "/__proxy__/?x=1&url=http://a.test/", is: true },
  { path: "/__proxy__/at/a-test/x", is: true },
  { path: "/__proxy__/at?x", is: true },
  { path: "/__proxy__/atlas", is: false },
  { path: "/__proxy__/At/a-test/x", is: false },
  { path: "/at/a-test/x", is: false },
  { path: "/__proxy__/", is: false },
  { path: "/__proxy__/?", is: false },
  { path: "/__proxy__/?xurl=http://a.test/", is: false },
  { path: "/__proxy__//?url=http://a.test/", is: false },
  { path: "/__proxy__/fetch?url=http://a.test/", is: false },
  { path: "/__proxy__x?url=http://a.test/", is: false },
  { path: "/?url=http://a.test/", is: false },
])("hasAddress: $path: $is", ({ path, is }) => expect(hasAddress(path)).toBe(is));

it.each([
  { path: "/x?y", place: undefined, found: "/x?y" },
  { path: "/__proxy__/x", place: undefined, found: undefined },
  { path: "/__proxy__/at/a/x?y", place: "/__proxy__/at/a", found: "/x?y" },
  { path: "/__proxy__/at/a", place: "/__proxy__/at/a", found: "/" },
  { path: "/__proxy__/at/ab/x", place: "/__proxy__/at/a", found: undefined },
  { path: "/x", place: "/__proxy__/at/a", found: undefined },
])(
  "pathOnTarget: $path at $place: $found",
  ({ path, place, found }) => expect(pathOnTarget(path, place)).toBe(found),
);

describe("isOwnPath", () => {
  it.each(grouped(["is", "path"], [
    [true, words(`/__proxy__ /__proxy__/x /__proxy__?x /__proxy__#x /p/__proxy__/ /p/p/__proxy__/`)],
    [false, words(`/p/p/p/__proxy__/ /p /p//__proxy__/ /x/__proxy__/ /__proxy__x /#/__proxy__/`)],
  ]))("$path behind /p: $is", ({ path, is }) => expect(isOwnPath(path, "/p")).toBe(is));

  it.each([
    { path: "/__proxy__/", is: true },
    { path: "/p/__proxy__/", is: false },
  ])("$path at the root: $is", ({ path, is }) => expect(isOwnPath(path, "")).toBe(is));
});

it.each([
  { path: "/__proxy__/socket", is: true },
  { path: "/__proxy__/socket?pass=x", is: true },
  { path: "/__proxy__/sockets", is: false },
  { path: "/socket", is: false },
])("isSocketPass: $path: $is", ({ path, is }) => expect(isSocketPass(path)).toBe(is));

it.each(grouped(["is", "path"], [
  [true, ["/__proxy__/health", "/__proxy__/health?x=1"]],
  [
    false,
    words(`
      /__proxy__/health/ /__proxy__/health/x /__proxy__/healthy /__proxy__/Health /__proxy__//health /health
      /?/__proxy__/health
    `),
  ],
]))("isHealth: $path: $is", ({ path, is }) => expect(isHealth(path)).toBe(is));

it.each([
  { path: "/__proxy__/fetch", is: true },
  { path: "/__proxy__/fetch?arg=e30", is: true },
  { path: "/__proxy__/fetch/", is: true },
  { path: "/__proxy__/fetch/?arg=e30", is: true },
  { path: "/__proxy__/fetch//", is: false },
  { path: "/__proxy__/fetch/x", is: false },
  { path: "/__proxy__/fetches", is: false },
  { path: "/__proxy__/?url=/__proxy__/fetch", is: false },
])("isFetch: $path: $is", ({ path, is }) => expect(isFetch(path)).toBe(is));

it("health is told in one field", async () => {
  const answer = answerHealth();
  expect(answer.status).toBe(200);
  expect(await toResponse(answer, { method: "GET" }).json()).toEqual({ status: "ok" });
});
