/**
 * Every spelling of an address is that address, whatever way it comes in.
 * @module
 */
import { beforeAll, beforeEach, describe, it } from "vitest";
import { expectRefusal, expectUntouched, type RefusalType } from "../support/refusal.ts";
import type { World } from "../support/world.ts";
import { alike, ask, selectors } from "../support/topic.ts";

/** The ways in which a caller can spell the host itself. */
export const SPELLED_BY = selectors("header", "cookie", "url", "arg");

const LOOPBACK = [
  ...alike("host", { about: "as it is" })`127.0.0.1 127.255.255.254 127.0.0.1. [::1]`,
  ...alike("host", { about: "in other bases, and short" })`
    2130706433 0177.0.0.01 017700000001 0x7f000001 0x7F.0.1 127.1`,
  ...alike("host", { about: "the unspecified one, which reaches it" })`0 0.0.0.0 [::]`,
  ...alike("host", { about: "percent-encoded" })`%31%32%37%2E%30.0.1`,
  ...alike("host", { about: "in other letters and full stops" })`
    １２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 127｡0｡0｡1 127．1`,
  { about: "with a soft hyphen", host: "127.0.0.\u00ad1" },
  ...alike("host", { about: "in full" })`[0:0:0:0:0:0:0:1] [0:0:0:0:0:FFFF:7F00:0001]`,
  ...alike("host", { about: "mapped, compatible and translated" })`
    [::ffff:127.0.0.1] [::ffff:7f00:1] [::127.0.0.1] [::7f00:1] [::ffff:0:127.0.0.1]`,
  ...alike("host", { about: "by NAT64, 6to4 and Teredo" })`
    [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::] [2001:0:7f00:1::]
    [2001:0:808:808::80ff:fffe]`,
  ...alike("host", { about: "by its name" })`localhost localhost. LOCALHOST ⓛⓞⓒⓐⓛⓗⓞⓢⓣ %6Coc%61lhost`,
];

const METADATA = alike("host")`
  169.254.169.254 169.254.169.254. 2852039166 0251.0376.0251.0376 0xA9FEA9FE 0xa9.254.0251.0xfe 169.254.43518
  169.16689662 %31%36%39.254.169.254 １６９.２５４.１６９.２５４ ①⑥⑨.②⑤④.①⑥⑨.②⑤④ 169。254。169。254
  [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::169.254.169.254] [64:ff9b::169.254.169.254]
  [64:ff9b:1::a9fe:a9fe] [2002:a9fe:a9fe::] [2001:0:a9fe:a9fe::] [2001:0:808:808::5601:5601]`;

/** Numbers out of range, a zone, a null byte, a hidden slash and an open bracket. */
const NO_ADDRESSES = alike("host")`
  4294967296 256.256.256.256 1.1.1.1.1 0x41414141A9FEA9FE 08.0.0.1 [fe80::1%25lo] 127.0.0.1%00
  127.0.0.1%2f.example.com [::1`;

const LABELS: { label: string; error: RefusalType }[] = [
  ...alike("label", { error: "destination_ip_prohibited" })`
    localhost 127-0-0-1 s-127-0-0-1 127-0-0-1-8000 0-0-0-0 169-254-169-254`,
  ...alike("label", { error: "http_request_error" })`h-2130706433 127-1 0x7f-0-0-1 h-0177-0-0-1 0xa9fea9fe`,
];

/** What a header and a cookie carry must be ASCII; the URL parser reads percent-encoded UTF-8 in a host. */
function spell(host: string): string {
  return host.replace(/[^ -~]+/g, encodeURIComponent);
}

/**
 * Declares the tests.
 *
 * @param selectors by which each is written
 */
export function describeSpellings(
  world: World,
  selectors: readonly (typeof SPELLED_BY)[0][] = SPELLED_BY,
): void {
  const bySelector = <T>(rows: T[]) =>
    selectors.flatMap(({ selector }) => rows.map((row) => ({ selector, ...row })));

  describe("spellings of 127.0.0.1 where private targets are refused", () => {
    const proxy = world.with({ PRIVATE_TARGETS: "false" });
    // The system does not find it in its hosts file.
    beforeAll(() => world.names({ localhost: { a: [["127.0.0.1"]] } }));
    beforeEach(() => world.forget());

    it.each(bySelector(LOOPBACK))("$about by $selector: $host", async ({ selector, host }) => {
      const answer = await ask(proxy, selector, `http://${spell(host)}`);
      expectRefusal(answer, "destination_ip_prohibited", selector);
      await expectUntouched(world);
    });

    it.each(bySelector(NO_ADDRESSES))(
      "is no address by $selector: $host",
      async ({ selector, host }) => {
        expectRefusal(await ask(proxy, selector, `http://${host}`), "http_request_error", selector);
        await expectUntouched(world);
      },
    );

    it.each(LABELS)("the label $label", async ({ label, error }) => {
      expectRefusal(await proxy.call("GET /p", { fields: { Host: `${label}.w.localhost` } }), error);
      await expectUntouched(world);
    });

    it.each(LOOPBACK)("$about in a raw url: $host", async ({ host }) => {
      const answer = await proxy.call(`GET /__proxy__/?url=http://${spell(host)}:8000/p`);
      expectRefusal(answer, "destination_ip_prohibited", "url");
      await expectUntouched(world);
    });
  });

  describe.each([
    { name: "PRIVATE_TARGETS=true", settings: { PRIVATE_TARGETS: "true" } },
    {
      name: "ALLOW_TARGETS naming it",
      settings: { PRIVATE_TARGETS: "true", ALLOW_TARGETS: "169.254.169.254,0.0.0.0/0,[::]/0" },
    },
  ])("spellings of 169.254.169.254 with $name", ({ settings }) => {
    const proxy = world.with(settings);
    beforeEach(() => world.forget());

    it.each(bySelector(METADATA))("by $selector: $host", async ({ selector, host }) => {
      const answer = await ask(proxy, selector, `http://${spell(host)}`, "GET /latest/meta-data/");
      expectRefusal(answer, "destination_ip_prohibited", selector);
      await expectUntouched(world);
    });
  });
}
