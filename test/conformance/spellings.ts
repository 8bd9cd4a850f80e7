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
  { about: "plain", host: "127.0.0.1" },
  { about: "another of its range", host: "127.255.255.254" },
  { about: "a final dot", host: "127.0.0.1." },
  { about: "decimal", host: "2130706433" },
  { about: "octal", host: "0177.0.0.01" },
  { about: "one octal number", host: "017700000001" },
  { about: "hexadecimal", host: "0x7f000001" },
  { about: "mixed bases", host: "0x7F.0.1" },
  { about: "short", host: "127.1" },
  { about: "zero, which reaches it", host: "0" },
  { about: "the unspecified address", host: "0.0.0.0" },
  { about: "percent-encoded", host: "%31%32%37%2E%30.0.1" },
  { about: "full-width digits", host: "１２７.０.０.１" },
  { about: "circled digits", host: "①②⑦.⓪.⓪.①" },
  { about: "ideographic full stops", host: "127。0。0。1" },
  { about: "half-width ideographic full stops", host: "127｡0｡0｡1" },
  { about: "full-width full stops", host: "127．1" },
  { about: "a soft hyphen", host: "127.0.0.\u00ad1" },
  { about: "IPv6", host: "[::1]" },
  { about: "IPv6 in full", host: "[0:0:0:0:0:0:0:1]" },
  { about: "the unspecified IPv6 address", host: "[::]" },
  { about: "mapped, dotted", host: "[::ffff:127.0.0.1]" },
  { about: "mapped, hexadecimal", host: "[::ffff:7f00:1]" },
  { about: "mapped, in full", host: "[0:0:0:0:0:FFFF:7F00:0001]" },
  { about: "compatible, dotted", host: "[::127.0.0.1]" },
  { about: "compatible, hexadecimal", host: "[::7f00:1]" },
  { about: "translated", host: "[::ffff:0:127.0.0.1]" },
  { about: "NAT64", host: "[64:ff9b::127.0.0.1]" },
  { about: "NAT64, hexadecimal", host: "[64:ff9b::7f00:1]" },
  { about: "local NAT64", host: "[64:ff9b:1::7f00:1]" },
  { about: "6to4", host: "[2002:7f00:1::]" },
  { about: "Teredo, server", host: "[2001:0:7f00:1::]" },
  { about: "Teredo, client", host: "[2001:0:808:808::80ff:fffe]" },
  { about: "its name", host: "localhost" },
  { about: "its name with a final dot", host: "localhost." },
  { about: "its name in capitals", host: "LOCALHOST" },
  { about: "its name in circled letters", host: "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ" },
  { about: "its name percent-encoded", host: "%6Coc%61lhost" },
];

const METADATA = [
  { about: "plain", host: "169.254.169.254" },
  { about: "a final dot", host: "169.254.169.254." },
  { about: "decimal", host: "2852039166" },
  { about: "octal", host: "0251.0376.0251.0376" },
  { about: "hexadecimal", host: "0xA9FEA9FE" },
  { about: "mixed bases", host: "0xa9.254.0251.0xfe" },
  { about: "short", host: "169.254.43518" },
  { about: "shorter", host: "169.16689662" },
  { about: "percent-encoded", host: "%31%36%39.254.169.254" },
  { about: "full-width digits", host: "１６９.２５４.１６９.２５４" },
  { about: "circled numbers", host: "①⑥⑨.②⑤④.①⑥⑨.②⑤④" },
  { about: "ideographic full stops", host: "169。254。169。254" },
  { about: "mapped, dotted", host: "[::ffff:169.254.169.254]" },
  { about: "mapped, hexadecimal", host: "[::ffff:a9fe:a9fe]" },
  { about: "compatible", host: "[::169.254.169.254]" },
  { about: "NAT64", host: "[64:ff9b::169.254.169.254]" },
  { about: "local NAT64", host: "[64:ff9b:1::a9fe:a9fe]" },
  { about: "6to4", host: "[2002:a9fe:a9fe::]" },
  { about: "Teredo, server", host: "[2001:0:a9fe:a9fe::]" },
  { about: "Teredo, client", host: "[2001:0:808:808::5601:5601]" },
];

const NO_ADDRESSES = [
  { about: "a number too large", host: "4294967296" },
  { about: "a part too large", host: "256.256.256.256" },
  { about: "five parts", host: "1.1.1.1.1" },
  { about: "eight bytes", host: "0x41414141A9FEA9FE" },
  { about: "no octal digit", host: "08.0.0.1" },
  { about: "a zone", host: "[fe80::1%25lo]" },
  { about: "a null byte", host: "127.0.0.1%00" },
  { about: "a hidden slash", host: "127.0.0.1%2f.example.com" },
  { about: "an open bracket", host: "[::1" },
];

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
      "$about is no address by $selector: $host",
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

    it.each(bySelector(METADATA))("$about by $selector: $host", async ({ selector, host }) => {
      const answer = await ask(proxy, selector, `http://${spell(host)}`, "GET /latest/meta-data/");
      expectRefusal(answer, "destination_ip_prohibited", selector);
      await expectUntouched(world);
    });
  });
}
