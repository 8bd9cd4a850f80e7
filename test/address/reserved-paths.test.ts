/**
 * Paths that the proxy answers itself, read as they came (`isReserved` and `titleOf`: see routes.test.ts).
 * @module
 */
import { describe, expect, it } from "vitest";
import {
  answerHealth,
  hasAddress,
  isFetch,
  isHealth,
  isOwnPath,
  isSocketPass,
} from "../../src/address/reserved-paths.ts";
import { toResponse } from "../../src/http/reply.ts";

describe("hasAddress", () => {
  it.each([
    { path: "/__proxy__/?url=http://a.test/", is: true },
    { path: "/__proxy__?url=http://a.test/", is: true },
    { path: "/__proxy__/?url=", is: true },
    { path: "/__proxy__/?x=1&url=http://a.test/", is: true },
    { path: "/__proxy__/", is: false },
    { path: "/__proxy__/?", is: false },
    { path: "/__proxy__/?xurl=http://a.test/", is: false },
    { path: "/__proxy__/fetch?url=http://a.test/", is: false },
    { path: "/__proxy__x?url=http://a.test/", is: false },
    { path: "/?url=http://a.test/", is: false },
  ])("$path: $is", ({ path, is }) => {
    expect(hasAddress(path)).toBe(is);
  });
});

describe("isOwnPath", () => {
  it.each([
    { path: "/__proxy__", is: true },
    { path: "/__proxy__/x", is: true },
    { path: "/__proxy__?x", is: true },
    { path: "/__proxy__#x", is: true },
    { path: "/p/__proxy__/", is: true },
    { path: "/p/p/__proxy__/", is: true },
    { path: "/p/p/p/__proxy__/", is: false },
    { path: "/p", is: false },
    { path: "/p//__proxy__/", is: false },
    { path: "/x/__proxy__/", is: false },
    { path: "/__proxy__x", is: false },
    { path: "/#/__proxy__/", is: false },
  ])("$path behind /p: $is", ({ path, is }) => {
    expect(isOwnPath(path, "/p")).toBe(is);
  });

  it.each([
    { path: "/__proxy__/", is: true },
    { path: "/p/__proxy__/", is: false },
  ])("$path at the root: $is", ({ path, is }) => {
    expect(isOwnPath(path, "")).toBe(is);
  });
});

describe("isSocketPass", () => {
  it.each([
    { path: "/__proxy__/socket", is: true },
    { path: "/__proxy__/socket?pass=x", is: true },
    { path: "/__proxy__/sockets", is: false },
    { path: "/socket", is: false },
  ])("$path: $is", ({ path, is }) => expect(isSocketPass(path)).toBe(is));
});

describe("isHealth", () => {
  it.each([
    { path: "/__proxy__/health", is: true },
    { path: "/__proxy__/health?x=1", is: true },
    { path: "/__proxy__/health/", is: false },
    { path: "/__proxy__/health/x", is: false },
    { path: "/__proxy__/healthy", is: false },
    { path: "/__proxy__/Health", is: false },
    { path: "/__proxy__//health", is: false },
    { path: "/health", is: false },
    { path: "/?/__proxy__/health", is: false },
  ])("$path: $is", ({ path, is }) => {
    expect(isHealth(path)).toBe(is);
  });
});

describe("isFetch", () => {
  it.each([
    { path: "/__proxy__/fetch", is: true },
    { path: "/__proxy__/fetch?arg=e30", is: true },
    { path: "/__proxy__/fetch/", is: true },
    { path: "/__proxy__/fetch/?arg=e30", is: true },
    { path: "/__proxy__/fetch//", is: false },
    { path: "/__proxy__/fetch/x", is: false },
    { path: "/__proxy__/fetches", is: false },
    { path: "/__proxy__/?url=/__proxy__/fetch", is: false },
  ])("$path: $is", ({ path, is }) => {
    expect(isFetch(path)).toBe(is);
  });
});

describe("health", () => {
  it("is told in one field", async () => {
    const answer = answerHealth();
    expect(answer.status).toBe(200);
    expect(await toResponse(answer, { method: "GET" }).json()).toEqual({ status: "ok" });
  });
});
