/**
 * What Chromium stores of a target's cookies: by itself, and by the proxy. It must be the same.
 * @module
 */
import { createServer, type Server } from "node:https";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM, QUIET_ARGUMENTS } from "../console-e2e/browser.ts";
import { CERTIFICATE, PRIVATE_KEY } from "../support/certificate.ts";
import { COOKIE_LINES } from "../support/cookie-lines.ts";
import { Site } from "./site.ts";
import { enter, type Stage, WAYS } from "./stage.ts";

/** Sets what the address asks for, and tells which cookies came. */
const ANSWER: RequestListener = (request, response) => {
  const { searchParams } = new URL(request.url ?? "/", "http://site");
  const line = searchParams.get("line");
  response.writeHead(200, line === null ? {} : { "Set-Cookie": line });
  response.end(`[${request.headers.cookie ?? ""}]`);
};

/** Where a browser goes directly; the port is that of the site or of its TLS. */
const ORIGINS = [
  { kind: "http" as const, host: "www.a.test" },
  { kind: "https" as const, host: "www.a.test" },
  { kind: "local" as const, host: "127.0.0.1" },
];

/** Declares the tests. */
export function describeCookies(stage: Stage): void {
  describe("a cookie that a target sets", () => {
    const site = new Site();
    const secure: Server = createServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, ANSWER);
    let direct: Browser;

    beforeAll(async () => {
      site.answer = ANSWER;
      secure.listen(0, "127.0.0.1");
      const rules = "--host-resolver-rules=MAP www.a.test 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";
      [direct] = await Promise.all([
        chromium.launch({ executablePath: CHROMIUM, args: [...QUIET_ARGUMENTS, rules] }),
        site.listen(),
        once(secure, "listening"),
      ]);
    });
    afterAll(() => {
      secure.close();
      return Promise.all([direct.close(), site.close()]);
    });

    it.each(ORIGINS)("is stored or refused by $kind as the table has it", async ({ kind, host }) => {
      const context = await direct.newContext({ ignoreHTTPSErrors: true });
      const page = await context.newPage();
      const scheme = kind === "https" ? "https" : "http";
      const { port } = (kind === "https" ? secure.address() : new URL(site.origin)) as AddressInfo;
      await page.goto(`${scheme}://${host}:${port}/`);
      const lines = COOKIE_LINES.map(({ line, ...stored }) => ({ line: line(host), stored: stored[kind] }));
      const shown = await tryAll(page, lines.map(({ line }) => line));
      expect(shown.map((cookies, index) => ({ line: lines[index]?.line, stored: cookies !== "[]" })))
        .toEqual(lines);
      await context.close();
    }, 60_000);

    it.each(WAYS)("is stored or refused through the proxy by $way as without it", async ({ way }) => {
      const context = await stage.open();
      const page = await enter(context, site.origin, way, stage.plain);
      // The Domain of a target on this machine is not judged.
      const lines = COOKIE_LINES.map(({ line, local }) => ({ line: line("127.0.0.1"), stored: local }))
        .filter(({ line }) => !/domain/i.test(line));
      const shown = await tryAll(page, lines.map(({ line }) => line));
      expect(shown.map((cookies, index) => ({ line: lines[index]?.line, stored: cookies !== "[]" })))
        .toEqual(lines);
      await context.close();
    }, 60_000);
  });
}

/** Has each line set, asks which cookies come then, and clears them. */
async function tryAll(page: Page, lines: readonly string[]): Promise<string[]> {
  const shown: string[] = [];
  for (const line of lines) {
    shown.push(
      await page.evaluate(async (line) => {
        await fetch(`/set?line=${encodeURIComponent(line)}`);
        return await (await fetch("/show")).text();
      }, line),
    );
    await page.context().clearCookies({ name: /^(?!proxy_(?:host|seal)$)/ });
  }
  return shown;
}
