/**
 * Requests that are copied from the console as code: each language has to send the very same bytes.
 * @module
 */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasField } from "../../src/console/page/format.ts";
import { listFields, type PlainRequest } from "../../src/console/share/languages/request-parts.ts";
import { listen, type Upstream } from "./upstream.ts";

const run = promisify(execFile);
/** The first compilation of a machine takes its time. */
const PATIENCE_MS = 120_000;
const BYTES = Uint8Array.from({ length: 512 }, (_, index) => index % 256);

/** A request, with what stands after the origin in place of its address. */
export type Case = Omit<PlainRequest, "url"> & { path: string };

/** Requests that code could write in a wrong way. */
export const CASES: readonly Case[] = [
  { method: "GET", path: "/order?a[1-2]={b,c}&d=%20+'$HOME'\"`id`", headers: [["accept", "*/*"]] },
  { method: "GET", path: "/", headers: [] },
  {
    method: "GET",
    path: "/a/../b/%2e%2e/c%2Fd//e",
    headers: [["User-Agent", 'it\'s "me" \\ $HOME `id` %s']],
  },
  { method: "GET", path: "//double?x", headers: [["accept-encoding", "gzip, br"], ["x-empty", ""]] },
  {
    method: "POST",
    path: "/order",
    headers: [["content-type", "application/json"], ["x-a", "1"], ["X-A", "2"], ["cookie", 'a=1; b="2"']],
    body: '{ "a" : 1.0, "b": 1e2, "a": 2, "id": 12345678901234567890 }\n',
  },
  {
    method: "POST",
    path: "/order",
    headers: [["x-latin", "gr\xfc\xdf \xe4bc"], ["x-equal", "=1:@2;3"]],
    body: "",
  },
  {
    method: "PUT",
    path: "/order",
    headers: [["content-type", "text/plain"]],
    body: "@file \\n 'Köln' 😀 \u2028\ufeff\t$x `id` !!\r\n",
  },
  { method: "POST", path: "/order", headers: [["content-type", "application/octet-stream"]], body: BYTES },
  {
    method: "PATCH",
    path: "/order",
    headers: [["host", "shop.test"], ["content-length", "7"]],
    body: "a=1&b=2",
  },
  { method: "DELETE", path: "/order", headers: [["connection", "keep-alive"], ["te", "trailers"]] },
  { method: "POST", path: "/long", headers: [["content-type", "text/plain"]], body: "ü".repeat(120_000) },
  { method: "M-SEARCH", path: "/order", headers: [["x-b", "@file"]] },
  { method: "OPTIONS", path: "/order", headers: [["x-b", "a\\b"]] },
  // What others named: options, names of files, and what a shell runs or replaces.
  { method: "-oPLANTED", path: "/order", headers: [["-oPLANTED", "@PLANTED"], ["--output", ">PLANTED"]] },
  { method: "`ID`|SH&", path: "/$(PLANTED)", headers: [["`id`", "$(id>PLANTED)"], ["|sh", "!!~{a,b}"]] },
  {
    method: "POST",
    path: "/order?;id|PLANTED&$(id)",
    headers: [["content-type", "text/plain"], ["x-a", "\xc2!\x9b'$(id>PLANTED)'"]],
    body: "@PLANTED \x03\x1b[201~\rid>PLANTED\x04f '!!' \x9bÂ\n",
  },
];

/** What a request says: its line, its fields by name, and its body. */
export interface Said {
  line: string;
  fields: Record<string, string[]>;
  body: string;
}

/** Fields that each client writes as it likes. */
const FRAMING = /^(?:host|content-length|connection|accept-language|sec-fetch-mode|transfer-encoding)$/;

/** What a target should get. */
export function expected(request: PlainRequest): Said {
  const { method, url, body = "" } = request;
  const [, path = ""] = /^\w+:\/\/[^/]*(.*)$/s.exec(url) ?? [];
  return {
    line: `${method} ${path}`,
    fields: byName(listFields(request)),
    body: Buffer.from(body as string).toString("latin1"),
  };
}

/** What a target got. */
export function received({ requests }: Upstream, host: string): Said {
  const request = requests[0];
  if (!request || requests.length > 1) throw new Error(`Expected one request, got ${requests.length}`);
  const own = request.header("host") === host
    ? []
    : [["host", request.header("host") ?? ""] as [string, string]];
  const lines = request.headers.filter(([name]) => !FRAMING.test(name.toLowerCase()));
  return {
    line: `${request.method} ${request.target}`,
    fields: byName([...own, ...lines]),
    body: request.body.toString("latin1"),
  };
}

function byName(fields: Iterable<readonly [name: string, value: string]>): Record<string, string[]> {
  const named: Record<string, string[]> = {};
  for (const [name, value] of fields) (named[name.toLowerCase()] ??= []).push(value);
  return named;
}

/** How a language is run. */
export interface Runner {
  name: string;
  file: string;
  command: readonly [string, ...string[]];
  /** What it can send; all of them unless given. */
  cases?: readonly Case[];
  /** Fields that it writes by itself where there is none. */
  adds?: RegExp;
  write(request: PlainRequest): string;
}

/** Declares that what a language writes sends each request as it is. */
export function describeCopied(
  { name, file, command: [program, ...args], cases = CASES, adds, write }: Runner,
): void {
  describe(`code in ${name} that the console writes`, () => {
    let target: Upstream;
    let folder = "";
    beforeAll(async () => {
      [target, folder] = await Promise.all([listen(), mkdtemp(join(tmpdir(), "fetchvia-"))]);
    });
    afterAll(() => Promise.all([target.close(), rm(folder, { recursive: true })]));

    it.each(cases)("sends $method $path", { timeout: PATIENCE_MS }, async ({ path, ...rest }) => {
      target.requests.length = 0;
      const request = { ...rest, url: target.origin + path };
      await writeFile(join(folder, file), write(request));
      await run(program, [...args, file], { cwd: folder, timeout: PATIENCE_MS });
      const said = received(target, target.host);
      const own = Object.keys(said.fields).filter((field) =>
        adds?.test(field) && !hasField(request.headers, field)
      );
      for (const field of own) delete said.fields[field];
      expect(adds ? decoded(said) : said).toEqual(adds ? decoded(expected(request)) : expected(request));
      expect(await readdir(folder)).toEqual([file]);
    });
  });
}

/** The same with the address as it is meant, however it is encoded. */
function decoded({ line, ...rest }: Said): Said {
  return {
    ...rest,
    line: line.replace(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
  };
}
