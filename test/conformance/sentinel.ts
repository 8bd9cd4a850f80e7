/**
 * The sentinel: a target hears every byte that it is sent, however the bound host is spelled. The bound host alone hears
 * a key, and nobody reads one in what the proxy says.
 * @module
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { NameTable } from "../support/dns.ts";
import { BOUND, BOUND_ADDRESS, findSecrets, isBound } from "../support/keys.ts";
import { OTHER, OTHER_ADDRESS, PLACED, stageOf } from "../support/keys.ts";
import { Ear, headersOf, Keeper } from "../support/ear.ts";
import { leadTo } from "../support/sentinel.ts";
import { type Answer, ask, type CallOptions } from "../support/topic.ts";
import { declareWith, rowsOnce, type RuntimeName } from "../support/topic.ts";
import type { World } from "../support/world.ts";
import { HOSTS, OWN_HOSTS } from "./sentinel-hosts.ts";

const SELECTORS = ["header", "cookie", "url", "arg"] as const;
/** Hosts whose entries have a key, and that are elsewhere or beside it. */
const NAMES = `a.wild.test wild.test a.wild.test.evil.test awild.test ported.test ${BOUND}.${OTHER}`.split(
  " ",
);

export function describeSentinel(world: World, runtime: RuntimeName): void {
  describe("the sentinel", () => {
    const stage = stageOf(runtime);
    const { spell } = stage;
    const proxy = new Keeper(world, stage);
    const ear = new Ear(world, proxy);
    beforeAll(() => world.names(namesOf([...HOSTS, ...NAMES, OTHER].map(spell), spell(BOUND))));
    beforeEach(() => world.forget());

    const judge = (answer: Answer) => ear.judge(answer);
    const send = (line: string, options?: CallOptions) => ear.send(line, options);

    const selectors = rowsOnce(runtime, SELECTORS);
    const spelled = HOSTS.flatMap((host) => selectors.map((selector) => ({ host, selector })));
    it.each(spelled)("hears no key as $host by $selector", async ({ host, selector }) => {
      await judge(await ask(proxy, selector, `http://${writable(spell(host))}`));
    });

    it.each(OWN_HOSTS.flatMap((host) => selectors.map((selector) => ({ host, selector }))))(
      "hears it as the bound host spelled $host, by $selector",
      async ({ host, selector }) => {
        const heard = await judge(await ask(proxy, selector, `http://${writable(spell(host))}`));
        expect(heard.map((one) => [isBound(one), findSecrets(one.text).length > 0])).toEqual([[true, true]]);
      },
    );

    it.each(NAMES.flatMap((host) => ["", ":8000"].map((port) => host + port)))(
      "hears no key as %s",
      async (host) => {
        const [heard] = await judgeEntry(host);
        const mayHave = host.startsWith("a.wild.test") && !host.includes(OTHER) ||
          host === "ported.test:8000";
        expect(findSecrets(heard?.text ?? "").length > 0).toBe(mayHave);
      },
    );

    /** Asks a host whose own entry may hold a key. */
    async function judgeEntry(host: string) {
      expect(findSecrets((await ask(proxy, "url", `http://${spell(host)}`)).head)).toEqual([]);
      return await world.heard();
    }

    const LED = [
      `http://${OTHER}/p`,
      `//${OTHER}/p`,
      `\\\\${OTHER}/p`,
      `http://${OTHER}:8000/p`,
      `http://${BOUND}.${OTHER}/p`,
      `http://${BOUND}@${OTHER}/p`,
      `http://${OTHER}/p?b={{SECOND_KEY}}`,
      `http://${OTHER}/p?b=%7B%7BSECOND_KEY%7D%7D`,
      `http://${OTHER}${leadTo(`http://${BOUND}${leadTo(`http://${OTHER}/end`)}`)}`,
      `https://${OTHER}/p`,
    ];
    const chains = LED.flatMap((to) =>
      ([undefined, 303, 307] as const).flatMap((status) =>
        (["url", "arg"] as const).map((selector) => ({ to, status, selector }))
      )
    );
    it.each(chains)(
      "hears no key behind a redirect to $to ($status, $selector)",
      async ({ to, status, selector }) => {
        const path = leadTo(spell(to), status);
        expect((await judge(
          await ask(proxy, selector, bound, `POST ${path}`, { fields: PLACED, body: "{{SECOND_KEY}}" }),
        )).filter(isBound)).not.toEqual([]);
        // A redirect may carry what the first hop's query said: its keys are names by then.
        await world.forget();
        await judge(await ask(proxy, selector, bound, `GET ${path}?b={{SECOND_KEY}}`));
      },
    );

    const bound = spell(`http://${BOUND}`);
    const label = (name: string) => ({ Host: `${name}.w.localhost:${proxy.port}` });
    const labels =
      "other twin bound2 bound-80 bound-test xbound h-xapi-bound-test s-api-bound-test BOUND h-api-bound-test-evil-test " +
      "h-api-bound-test-8000 h-evil-test bound.evil h-api--bound-test";
    it.each(labels.split(" "))("hears no key by the label %s", async (name) => {
      const forwarded = name === "other" && { Forwarded: spell(`host=${BOUND}`) };
      await send("GET /p", {
        fields: { ...label(spell(name)), "X-Forwarded-Host": spell(BOUND), ...forwarded },
      });
    });

    const steering: [string, string] = ["proxy_headers", headersOf({ host: spell(BOUND) })];
    const at = `http://${OTHER}`;
    const GAMES: { about: string; line?: string; fields: [string, string][] }[] = [
      { about: "Host", fields: [["proxy_host", at], ["Host", BOUND]] },
      { about: "an absolute form", line: `GET http://${BOUND}/p`, fields: [["proxy_host", at]] },
      {
        about: "an absolute form and Host",
        line: `GET http://${BOUND}/p`,
        fields: [["proxy_host", at], ["Host", BOUND]],
      },
      { about: "an absolute form of the other", line: `GET http://${OTHER}/p`, fields: [["Host", BOUND]] },
      { about: "two proxy_host", fields: [["proxy_host", at], ["proxy_host", `http://${BOUND}`]] },
      { about: "two proxy_host, turned", fields: [["proxy_host", `http://${BOUND}`], ["proxy_host", at]] },
      { about: "proxy-host too", fields: [["proxy_host", at], ["proxy-host", `http://${BOUND}`]] },
      { about: "a list", fields: [["proxy_host", `http://${BOUND}, ${at}`]] },
      { about: "two cookies", fields: [["Cookie", `proxy_host=${at}; proxy_host=http://${BOUND}`]] },
      { about: "header and cookie", fields: [["proxy_host", at], ["Cookie", `proxy_host=http://${BOUND}`]] },
      ...["X-Forwarded-Host", "X-Original-Host", "X-Host", "X-Original-URL", "X-Rewrite-URL", "Forwarded"]
        .map((name) => ({ about: name, fields: [["proxy_host", at], [name, BOUND]] as [string, string][] })),
      { about: "proxy_headers with host", fields: [["proxy_host", at], steering] },
      { about: "Connection", fields: [["proxy_host", at], ["Connection", "host, x-api-key"]] },
    ];
    it.each(GAMES)("hears no key by $about", async ({ line = "GET /p", fields }) => {
      const spelled = fields.map(([name, value]): [string, string] => [name, spell(value)]);
      await send(spell(line), { fields: spelled });
    });

    it("hears no key from a name that first led elsewhere", async () => {
      await world.names({ [spell("moving.test")]: { a: [[OTHER_ADDRESS], [BOUND_ADDRESS]] } });
      for (const turn of [1, 2, 3]) {
        await judge(await ask(proxy, "url", spell("http://moving.test"), `GET /p?${turn}`));
      }
    });

    declareWith(runtime, "look-ups of names", () => {
      it("hears no key over http where the bound host is on another machine", async () => {
        await world.names({
          "far.wild.test": { a: [["10.1.2.3"]] },
          "half.wild.test": { a: [[BOUND_ADDRESS, "10.1.2.3"]] },
        });
        for (const host of ["far.wild.test", "half.wild.test"]) {
          const answer = await ask(proxy, "url", `http://${host}`);
          expect([answer.status, await world.heard()]).toEqual([403, []]);
        }
      });
    });

    afterAll(() => ear.end());
  });
}

/** All these names are elsewhere; the bound one is not. */
function namesOf(hosts: readonly string[], bound: string): NameTable {
  const names = hosts.flatMap((host) =>
    URL.canParse(`http://${host}`) ? [new URL(`http://${host}`).hostname] : []
  );
  const others = names.map((name) => [name.replace(/\.$/, ""), { a: [[OTHER_ADDRESS]] }]);
  return { ...Object.fromEntries(others), [bound]: { a: [[BOUND_ADDRESS]] } };
}

/** The host in ASCII, as a field can hold it: the rest is percent-encoded. */
function writable(host: string): string {
  return host.replace(/[^ -~]/g, encodeURIComponent);
}
