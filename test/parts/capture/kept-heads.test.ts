/**
 * What is kept of heads, trailers and interim responses: without keys, masked, and bounded.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { CapturedInterim, CapturedRequest, FieldLine } from "../../../src/parts/capture/capture.ts";
import { headOf, KeptHeads } from "../../../src/parts/capture/kept-heads.ts";
import { guardSecrets } from "../../../src/parts/capture/key-guard.ts";
import { createMasker } from "../../../src/parts/capture/masker.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { incomingOf } from "../../support/exchange.ts";
import { hooksFor, KEYS, tableOf } from "../../support/table.ts";

const guard = guardSecrets(hooksFor(tableOf({ "a.test": { set: { "x-own": "{{KEY}}" } } })).secrets);
const MASK = expect.stringMatching(/^\*{3}\(7 bytes, /);
const LINES: FieldLine[] = [["X-Token", "planted"], ["x-sum", KEYS["KEY"] ?? ""]];
const headsWith = (take: (bytes: number) => boolean = () => true) =>
  new KeptHeads({ masker: createMasker("00"), guard }, take);
const request = (): CapturedRequest => ({ method: "GET", url: "http://a.test/", headers: LINES });
const said = (value: string, statusText = "") => ({
  status: 103,
  statusText,
  headers: new Fields([["x", value]]),
});
/** Keeps so many of the same kind. */
function keepMany(many: number, value: string, heads: KeptHeads = headsWith()): number {
  let kept: CapturedInterim[] | undefined;
  for (let times = 0; times < many; times += 1) kept = heads.interim(kept, said(value), times);
  return kept?.length ?? 0;
}

describe("kept heads", () => {
  it.each([
    { whose: "anybody", isOwn: false, secret: MASK },
    { whose: "a viewer's own console", isOwn: true, secret: "planted" },
  ])("hold no key, and secrets of $whose as that may see them", ({ isOwn, secret }) => {
    const heads = headsWith();
    heads.isOwn = isOwn;
    const shown = [["X-Token", secret], ["x-sum", "{{KEY}}"]];
    const kept = heads.request(request());
    heads.trailers(kept, new Fields(LINES));
    const response = { status: 200, statusText: "OK", headers: LINES };
    const [interim] = heads.interim(undefined, { ...response, headers: new Fields(LINES) }, 5) ?? [];
    expect([kept.headers, heads.response(response).headers, interim?.headers].map(lower))
      .toEqual(Array(3).fill(lower(shown)));
    expect(lower(kept.trailers)).toEqual(lower(shown));
    expect([interim?.atMs, heads.hadKey]).toEqual([5, true]);
  });

  it.each([
    { about: "there is memory", hasRoom: true, most: 65_536 },
    { about: "there is none", hasRoom: false, most: 256 },
  ])("have no more than $most letters of an address and of a method, where $about", ({ hasRoom, most }) => {
    const taken: number[] = [];
    const heads = headsWith((bytes) => taken.push(bytes) > 0 && hasRoom);
    const url = `http://a.test/${"a.".repeat(450_000)}`;
    const kept = heads.request({ method: "M".repeat(900_000), url, headers: [] });
    expect([kept.method.length, kept.url.length, kept.url]).toEqual([most, most, url.slice(0, most)]);
    expect(taken).toEqual([65_536, 65_536]);
  });

  it.each([
    { about: "without keys", heads: headsWith(), certificate: { subject: "CN={{KEY}}", issuer: "x{{KEY}}" } },
    { about: "where there is no memory", heads: headsWith(() => false), certificate: undefined },
  ])("have what a certificate says, $about", ({ heads, certificate }) => {
    const tls = {
      alpn: "http/1.1",
      certificate: { subject: `CN=${KEYS["KEY"]}`, issuer: `x${KEYS["KEY"]}` },
    };
    expect(heads.tls(tls)).toEqual({ alpn: "http/1.1", ...(certificate && { certificate }) });
    expect(heads.tls({ alpn: "http/1.1" })).toEqual({ alpn: "http/1.1" });
  });

  it("have no beginning of a key where the name in a certificate is cut", () => {
    const issuer = KEYS["KEY"]!.slice(0, 12).padStart(256, "a");
    const tls = headsWith().tls({ certificate: { subject: "", issuer } });
    expect(tls.certificate?.issuer).not.toContain(issuer.slice(-12));
  });

  it("keep the versions of both sides", () => {
    const heads = headsWith();
    const response = { status: 200, statusText: "", headers: [], httpVersion: "HTTP/1.0" };
    expect(heads.request({ ...request(), httpVersion: "HTTP/2" }).httpVersion).toBe("HTTP/2");
    expect(heads.response(response).httpVersion).toBe("HTTP/1.0");
  });

  it("have no trailers where there are none, no memory, or no message", () => {
    const kept = headsWith().request(request());
    headsWith().trailers(kept, undefined);
    headsWith().trailers(kept, new Fields());
    headsWith(() => false).trailers(kept, new Fields(LINES));
    headsWith().trailers(undefined, new Fields(LINES));
    expect(kept).not.toHaveProperty("trailers");
  });

  it.each([
    { about: "a hundred", many: 101, value: "", kept: 100 },
    { about: "64 KiB of them", many: 3, value: "y".repeat(32_767), kept: 2 },
    { about: "64 KiB in one", many: 1, value: "y".repeat(65_536), kept: 0 },
  ])("have $about interim responses at most", ({ many, value, kept }) => {
    expect(keepMany(many, value)).toBe(kept);
  });

  it("count interim responses against the memory, reason and lines", () => {
    const taken: number[] = [];
    headsWith((bytes) => taken.push(bytes) > 0).interim(undefined, said("yy", "Early"), 0);
    expect(taken).toEqual([105, 53]);
    expect(keepMany(2, "", headsWith(() => false))).toBe(0);
  });
});

it.each([
  { about: "line by line", lines: ["Host", "a.test", ":path", "/", "X-A", "1"], kept: ["Host", "X-A"] },
  { about: "by its fields, where a server tells no lines", lines: undefined, kept: ["host", "x-a"] },
])("the head of a request as it came is kept $about", ({ lines, kept }) => {
  const incoming = incomingOf({ path: "/p?q", fields: { host: "a.test", "x-a": "1" } });
  const head = headOf({ ...incoming, ...(lines && { lines }) });
  expect([head.method, head.url]).toEqual(["GET", "http://a.test/p?q"]);
  // As with HTTP/2 in some servers.
  expect(headOf({ ...incoming, headers: new Fields() }).url).toBe("http://localhost:8080/p?q");
  expect(headOf({ ...incoming, httpVersion: "HTTP/2" }).httpVersion).toBe("HTTP/2");
  expect(head).not.toHaveProperty("httpVersion");
  expect(head.headers.map(([name]) => name)).toEqual(kept);
});

/** Fields keep the letters of their names only where they were given. */
function lower(lines: unknown[][] | undefined): unknown[][] | undefined {
  return lines?.map(([name, value]) => [String(name).toLowerCase(), value]);
}
