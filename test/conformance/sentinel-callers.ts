/**
 * The sentinel, with what callers and pages write: keys that they place anywhere, and requests of pages.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { Ear, headersOf, Keeper } from "../support/ear.ts";
import { BOUND, findSecrets, OTHER, PLACED, stageOf } from "../support/keys.ts";
import { argOf, ask, handshake, type RuntimeName } from "../support/topic.ts";
import type { World } from "../support/world.ts";

const SELECTORS = ["header", "cookie", "url", "arg"] as const;

/** Declares the tests; `describeSentinel` makes the names known. */
export function describeSentinelCallers(world: World, runtime: RuntimeName): void {
  describe("the sentinel of callers", () => {
    const stage = stageOf(runtime);
    const [bound, other] = [stage.spell(BOUND), stage.spell(OTHER)];
    const proxy = new Keeper(world, stage);
    const ear = new Ear(world, proxy);
    const at = `http://${other}`;
    beforeEach(() => world.forget());
    const send = ear.send.bind(ear);

    const TEXTS = [
      "{{SECOND_KEY}}",
      "{{FIRST_KEY}}",
      "%7B%7BSECOND_KEY%7D%7D",
      "%257B%257BSECOND_KEY%257D%257D",
      "{{{{SECOND_KEY}}}}",
      "{{ SECOND_KEY }}",
      "{{second_key}}",
      "{{SECOND_{{X}}KEY}}",
      "${SECOND_KEY}",
    ];
    const PLACES: Record<string, (text: string) => Promise<unknown>> = {
      "a field": (text) => send("GET /p", { fields: { proxy_host: at, "x-b": text } }),
      "a cookie": (text) => send("GET /p", { fields: { Cookie: `proxy_host=${at}; a=${text}` } }),
      "proxy_headers": (text) =>
        send("GET /p", {
          fields: { proxy_host: at, proxy_headers: headersOf({ "x-b": text }), proxy_seal: "1" },
        }),
      "a query": (text) => send(`GET /p?b=${text.replaceAll(" ", "+")}`, { fields: { proxy_host: at } }),
      "url": (text) => send(`GET /__proxy__/?url=${encodeURIComponent(`${at}/p/${text}?b=${text}#${text}`)}`),
      "another form": (text) =>
        send(`GET /${at}/p?b=${text.replaceAll(" ", "+")}`, { fields: { Origin: "https://app.test" } }),
      "userinfo": (text) =>
        send(`GET /__proxy__/?url=${encodeURIComponent(`http://${text}:${text}@${other}/`)}`),
      "a body": (text) => send("POST /p", { fields: { proxy_host: at }, body: text }),
      "an arg": (text) =>
        send(
          `GET /__proxy__/fetch?arg=${
            argOf({ url: `${at}/?b=${text}`, headers: { a: text }, body: text, method: "POST" })
          }`,
        ),
      "a proxy_host": (text) => send("GET /p", { fields: { proxy_host: `${at}/${text}` } }),
    };
    it.each(Object.keys(PLACES).flatMap((place) => TEXTS.map((text) => ({ place, text }))))(
      "hears no key that a caller places as $text in $place",
      async ({ place, text }) => void await PLACES[place]!(text),
    );

    const PAGES = [
      { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors", "Sec-Fetch-Dest": "empty" },
      { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" },
      { "Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe" },
      { "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors", Origin: "http://a.w.localhost" },
      { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image" },
      { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" },
      { "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document" },
      { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "cors", Origin: "null" },
      { Origin: "https://evil.test" },
    ];
    const pages = PAGES.flatMap((page) =>
      [...SELECTORS, "label" as const].map((selector) => ({ page, selector }))
    );
    it.each(pages)("hears no key from a page: $page by $selector", async ({ page, selector }) => {
      // What an arg carries are fields of its own: the page's stand beside it.
      const answer = selector === "arg"
        ? await proxy.call(`GET /__proxy__/fetch?arg=${argOf({ url: `http://${bound}/p` })}`, {
          fields: page,
        })
        : selector === "label"
        ? await proxy.call("GET /p", {
          fields: { Host: `${stage.spell("h-api-bound-test")}.w.localhost:${proxy.port}`, ...page },
        })
        : await ask(proxy, selector, `http://${bound}`, "GET /p", { fields: page });
      expect((await ear.judge(answer)).flatMap(({ text }) => findSecrets(text))).toEqual([]);
    });

    it.each(["header", "cookie", "url"] as const)(
      "hears no key in a handshake of another host, by %s",
      async (selector) => {
        const fields = handshake({ ...PLACED, "Sec-WebSocket-Protocol": "a.{{SECOND_KEY}}" }) as Record<
          string,
          string
        >;
        await ear.judge(await ask(proxy, selector, at, "GET /p?b={{SECOND_KEY}}", { fields }));
      },
    );
  });
}
