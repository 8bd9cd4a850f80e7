/**
 * What the 403 of a private target says is done word for word, and the same request passes.
 * @module
 */
import { beforeAll, describe, expect, it } from "vitest";
import { followAdvice, listSettings } from "../support/advice.ts";
import { BROWSER } from "../support/browser-fields.ts";
import { argOf, rowsWith, type RuntimeName, type Settings } from "../support/topic.ts";
import { expectRefusal } from "../support/refusal.ts";
import { leadTo } from "../support/sentinel.ts";
import type { World } from "../support/world.ts";

const INSIDE = "10.1.2.3";
const NAMES = {
  "remedy-inside.test": { a: [[INSIDE]] },
  "remedy-half.test": { a: [["93.184.216.34", INSIDE]] },
};
const CLOSED = { PRIVATE_TARGETS: "false" };
const AUTO = { PRIVATE_TARGETS: "auto" };
const OPEN = { ...AUTO, HOST: "0.0.0.0" };
const PAGE = { ...BROWSER.script, Host: "h-page-test.w.localhost" };

interface Row {
  about: string;
  settings: Settings;
  line: string;
  fields?: Record<string, string>;
  isArg?: boolean;
  /** How many settings it takes; one unless given. */
  count?: number;
}

const at = (proxy_host: string, more = {}) => ({ line: "GET /p", fields: { proxy_host, ...more } });
const HIDDEN = { line: "GET /p", fields: { ...PAGE, Host: "h-remedy--inside-test.w.localhost" } };
const PRIVATE = `http://${INSIDE}`;
const BY_ARG = `GET /__proxy__/fetch?arg=${argOf({ url: `${PRIVATE}/p` })}`;
const LED = `GET /__proxy__/?url=${encodeURIComponent(`http://93.184.216.34${leadTo(`${PRIVATE}/p`)}`)}`;
const FRONT = { "X-Forwarded-For": "8.8.4.4", Host: "localhost" };
const BY_COOKIE = { Cookie: `proxy_host=${PRIVATE}` };
const BY_LABEL = { Host: "10-1-2-3.w.localhost" };
const ELSEWHERE = `GET /__proxy__/?url=${PRIVATE}:8000/p`;

/** Needs no look-up. */
const LITERALS: Row[] = [
  { about: "a private address by header", settings: CLOSED, ...at(PRIVATE) },
  { about: "a private address by cookie", settings: CLOSED, line: "GET /p", fields: BY_COOKIE },
  { about: "a private address by label", settings: OPEN, line: "GET /p", fields: BY_LABEL },
  { about: "a private address by url", settings: OPEN, line: `GET /__proxy__/?url=${PRIVATE}/p` },
  { about: "a private address by arg", settings: OPEN, line: BY_ARG, isArg: true },
  { about: "localhost", settings: CLOSED, line: "GET /__proxy__/?url=http://localhost:8000/p" },
  { about: "a redirect to a private address", settings: CLOSED, line: LED },
  { about: "a private address through a front", settings: AUTO, ...at(PRIVATE, FRONT) },
  {
    about: "a private address at an unknown Host",
    settings: AUTO,
    ...at(PRIVATE, { Host: "proxy.test" }),
    count: 2,
  },
  { about: "another private host for a visited page", settings: AUTO, line: ELSEWHERE, fields: PAGE },
];

const NAMED: Row[] = [
  {
    about: "a name that resolves to a private address",
    settings: CLOSED,
    ...at("http://remedy-inside.test"),
  },
  { about: "a public name of a private address for a visited page", settings: AUTO, ...HIDDEN },
  { about: "the same where private targets are closed", settings: CLOSED, ...HIDDEN },
  { about: "a name of both kinds", settings: AUTO, line: "GET /__proxy__/?url=http://remedy-half.test/p" },
];

export function describeRemedies(world: World, runtime: RuntimeName): void {
  describe("the setting that a 403 names", () => {
    beforeAll(() => world.names(NAMES));

    it.each([...LITERALS, ...rowsWith(runtime, "look-ups of names", NAMED)])(
      "opens $about",
      async ({ settings, line, fields = {}, isArg, count = 1 }) => {
        const ask = async (chosen: Settings) =>
          await world.network.call(await world.network.start(chosen), line, { fields });
        const refused = await ask(settings);
        expectRefusal(refused, "destination_ip_prohibited", isArg ? "arg" : "header");
        const { detail } = refused.json() as { detail: string };
        expect(listSettings(detail)).toHaveLength(count);
        expect(await ask(followAdvice(detail, settings))).toMatchObject({ status: 200, text: "seen /p" });
      },
    );

    it.each([
      { name: "ALLOW_TARGETS", before: "93.184.216.34", after: `93.184.216.34,${INSIDE}` },
      { name: "DENY_TARGETS", before: `a.test,${INSIDE}`, after: "a.test" },
    ])("is $name where that refuses it", async ({ name, before, after }) => {
      const base = { PRIVATE_TARGETS: "true" };
      const ask = async (value: string) => {
        const port = await world.network.start({ ...base, [name]: value });
        return await world.network.call(port, "GET /p", { fields: { proxy_host: `http://${INSIDE}` } });
      };
      const refused = await ask(before);
      expectRefusal(refused, "http_request_denied");
      expect(refused.text).toMatch(new RegExp(`${INSIDE}: ${name} (?:does not name|refuses) it`));
      expect(await ask(after)).toMatchObject({ status: 200, text: "seen /p" });
    });
  });
}
