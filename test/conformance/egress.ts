/**
 * Names that resolve to what nobody may reach: whoever looks them up, the proxy or the platform, dials none of it.
 * @module
 */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectUntouched } from "../support/refusal.ts";
import { leadTo } from "../support/sentinel.ts";
import { ask, selectors } from "../support/ways.ts";
import type { World } from "../support/world.ts";

const PUBLIC = "93.184.216.34";
const SELECTORS = selectors("header", "cookie", "url", "at", "arg");

const NAMES = {
  "egress-public.test": { a: [[PUBLIC]] },
  "egress-loopback.test": { a: [["127.0.0.1"]] },
  "egress-loopback-6.test": { aaaa: [["::1"]] },
  "egress-unspecified.test": { a: [["0.0.0.0"]] },
  "egress-private.test": { a: [["10.1.2.3"]] },
  "egress-shared.test": { a: [["100.64.0.1"]] },
  "egress-unique-local.test": { aaaa: [["fd00::1"]] },
  "egress-metadata.test": { a: [["169.254.169.254"]] },
  "egress-mapped.test": { aaaa: [["::ffff:7f00:1"]] },
  "egress-turns.test": { a: [[PUBLIC], ["127.0.0.1"]] },
};

const OUTWARD = new Set(["egress-public.test", "egress-turns.test"]);
const INWARD = Object.keys(NAMES).filter((name) => !OUTWARD.has(name)).map((name) => ({ name }));

export function describeEgress(world: World): void {
  describe("a name where private targets are refused", () => {
    const proxy = world.with({ PRIVATE_TARGETS: "false" });
    beforeAll(() => world.names(NAMES));
    beforeEach(() => world.forget());

    it.each(SELECTORS)("is reached by $selector where it is public", async ({ selector }) => {
      const answer = await ask(proxy, selector, "http://egress-public.test");
      expect(answer).toMatchObject({ status: 200, text: "seen /p" });
      expect((await world.seen()).requests).toMatchObject([{ dialled: `${PUBLIC}:80` }]);
    });

    it.each(INWARD)("is never dialled: $name", async ({ name }) => {
      const answer = await ask(proxy, "header", `http://${name}`);
      expect([403, 502]).toContain(answer.status);
      await expectUntouched(world);
    });

    it.each(INWARD)("is never dialled behind a redirect: $name", async ({ name }) => {
      const answer = await ask(proxy, "url", "http://egress-public.test", `GET ${leadTo(`http://${name}/`)}`);
      expect([403, 502]).toContain(answer.status);
      expect((await world.seen()).connections.filter((dialled) => dialled !== `${PUBLIC}:80`)).toEqual([]);
    });

    it("is never dialled inside when it turns", async () => {
      const call = () => ask(proxy, "header", "http://egress-turns.test");
      expect((await call()).status).toBe(200);
      expect([200, 502]).toContain((await call()).status);
      expect((await world.seen()).connections.filter((dialled) => dialled !== `${PUBLIC}:80`)).toEqual([]);
    });
  });
}
