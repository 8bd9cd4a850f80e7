/**
 * Names are judged by what they resolve to, and only judged addresses are dialled.
 * @module
 */
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectRefusal, expectUntouched, type RefusalType } from "../support/refusal.ts";
import { leadTo } from "../support/sentinel.ts";
import type { World } from "../support/world.ts";
import { alike, ask, rowsOf, selectors } from "../support/topic.ts";

const PUBLIC = "93.184.216.34";
const SELECTORS = selectors("header", "cookie", "url", "at", "arg");
const FOLLOWING = selectors("url", "arg");
const STRICT = { PRIVATE_TARGETS: "false" };
/** For names that nobody answers for. All others have more time than a machine may pause for. */
const HASTY = { ...STRICT, TIMEOUT_MS: "1500" };

/** Each name with what it resolves to, and what that means where private targets are refused. */
const REFUSED = [
  { name: "loopback.test", a: [["127.0.0.1"]] },
  { name: "other-loopback.test", a: [["127.1.2.3"]] },
  { name: "private.test", a: [["10.1.2.3"]] },
  { name: "private-172.test", a: [["172.16.0.1"]] },
  { name: "private-192.test", a: [["192.168.0.1"]] },
  { name: "cgnat.test", a: [["100.64.0.1"]] },
  { name: "benchmarking.test", a: [["198.18.0.1"]] },
  { name: "link-local.test", a: [["169.254.169.254"]] },
  { name: "metadata.test", a: [["168.63.129.16"]] },
  { name: "reserved.test", a: [["240.0.0.1"]] },
  { name: "documentation.test", a: [["192.0.2.1"]] },
  { name: "unspecified.test", a: [["0.0.0.0"]] },
  { name: "loopback-6.test", aaaa: [["::1"]] },
  { name: "unique-local.test", aaaa: [["fd00::1"]] },
  { name: "unspecified-6.test", aaaa: [["::"]] },
  { name: "mapped-loopback.test", aaaa: [["::ffff:7f00:1"]] },
  { name: "mapped-metadata.test", aaaa: [["::ffff:a9fe:a9fe"]] },
  { name: "compatible.test", aaaa: [["::7f00:1"]] },
  { name: "nat64.test", aaaa: [["64:ff9b::7f00:1"]] },
  { name: "6to4.test", aaaa: [["2002:7f00:1::"]] },
  { name: "teredo.test", aaaa: [["2001:0:7f00:1::"]] },
  { name: "mixed-a.test", a: [[PUBLIC, "10.1.2.3"]] },
  { name: "mixed-kinds.test", a: [[PUBLIC]], aaaa: [["::1"]] },
  { name: "mixed-mapped.test", a: [[PUBLIC]], aaaa: [["::ffff:7f00:1"]] },
  { name: "mixed-metadata.test", a: [[PUBLIC, "169.254.169.254"]], aaaa: [["2606:4700::1111"]] },
];

const FAULTS = [
  { about: "does not exist", name: "nowhere.test", fault: "nxdomain", error: "dns_error" },
  { about: "has no address", name: "empty.test", error: "dns_error" },
  { about: "makes its server fail", name: "broken.test", fault: "servfail", error: "dns_error" },
  { about: "makes its server refuse", name: "closed.test", fault: "refused", error: "dns_error" },
  { about: "gets no answer", name: "silent.test", fault: "silence", error: "dns_timeout" },
] as const;

const bySelector = <T>(rows: T[]) =>
  SELECTORS.flatMap(({ selector }) => rows.map((row) => ({ selector, ...row })));

export function describeRebinding(world: World): void {
  beforeAll(async () => {
    const scripted = [...REFUSED, ...FAULTS].map(({ name, ...script }) => [name, script]);
    await world.names(Object.fromEntries(scripted));
    await world.names({
      "public.test": { a: [[PUBLIC]] },
      "public-6.test": { aaaa: [["2606:4700::1111"]] },
      "public-both.test": { a: [[PUBLIC]], aaaa: [["2606:4700::1111"]] },
    });
  });

  describe("a name where private targets are refused", () => {
    const proxy = world.with(STRICT);
    const hasty = world.with(HASTY);
    beforeEach(() => world.forget());

    it.each(bySelector(REFUSED))("is refused by $selector: $name", async ({ selector, name }) => {
      expectRefusal(await ask(proxy, selector, `http://${name}`), "destination_ip_prohibited", selector);
      await expectUntouched(world);
    });

    it.each(REFUSED)("is refused with a method of its own: $name", async ({ name }) => {
      expectRefusal(await ask(proxy, "header", `http://${name}`, "PROPFIND /p"), "destination_ip_prohibited");
      await expectUntouched(world);
    });

    it.each(rowsOf(["name", "dialled"], [
      ["public.test", `${PUBLIC}:80`],
      ["public-6.test", "[2606:4700::1111]:80"],
      ["public-both.test", expect.stringMatching(/^(?:93\.184\.216\.34|\[2606:4700::1111\]):80$/)],
    ]))("is dialled where it resolves to: $name", async ({ name, dialled }) => {
      expect(await ask(proxy, "header", `http://${name}`)).toMatchObject({ status: 200 });
      expect((await world.seen()).requests).toEqual([{ dialled, path: "/p", host: name, sni: "" }]);
    });

    it.each(["GET /p", "POST /p", "PROPFIND /p"].map((line) => ({ line })))(
      "is dialled at its next address where nobody is at the first: $line",
      async ({ line }) => {
        await world.names({ "half-there.test": { a: [["1.1.1.1", PUBLIC]] } });
        expect(await ask(proxy, "header", "http://half-there.test", line)).toMatchObject({ status: 200 });
        expect((await world.seen()).requests).toMatchObject([{ dialled: `${PUBLIC}:80` }]);
      },
    );

    it.each(FAULTS)("that $about is told apart: $error", async ({ name, error }) => {
      const by = error === "dns_timeout" ? hasty : proxy;
      expectRefusal(await ask(by, "header", `http://${name}`), error satisfies RefusalType);
      await expectUntouched(world);
    });
  });

  describe("a private name where the caller is local", () => {
    const proxy = world.with();
    beforeEach(() => world.forget());

    it.each([
      { name: "loopback.test", dialled: "127.0.0.1:80" },
      { name: "private.test", dialled: "10.1.2.3:80" },
      { name: "unique-local.test", dialled: "[fd00::1]:80" },
      { name: "mapped-loopback.test", dialled: "127.0.0.1:80" },
    ])("is reached: $name", async ({ name, dialled }) => {
      expect(await ask(proxy, "header", `http://${name}`)).toMatchObject({ status: 200 });
      expect((await world.seen()).requests).toMatchObject([{ dialled, host: name }]);
    });

    it.each([{ name: "link-local.test" }, { name: "metadata.test" }, { name: "mixed-metadata.test" }])(
      "is refused all the same: $name",
      async ({ name }) => {
        expectRefusal(await ask(proxy, "header", `http://${name}`), "destination_ip_prohibited");
        await expectUntouched(world);
      },
    );
  });

  // Many names at once that nobody answers for.
  describe("a name among many that get no answer", () => {
    const proxy = world.with({ TIMEOUT_MS: "8000" }, "silence");
    const silent = Array.from({ length: 60 }, (_, index) => `silent-${index}.test`);

    let pending: ReturnType<typeof ask>[];
    beforeAll(async () => {
      await world.names({ "answered.test": { a: [["10.1.2.3"]] } });
      await world.names(Object.fromEntries(silent.map((other) => [other, { fault: "silence" }])));
      pending = silent.map((other) => ask(proxy, "header", `http://${other}`));
      await sleep(300);
    });

    it.each([
      { about: "in DNS", name: "answered.test" },
      { about: "of the hosts file", name: "localhost" },
    ])("is found at once: $about", async ({ name }) => {
      const first = await Promise.race([ask(proxy, "header", `http://${name}`), ...pending]);
      expect(first).toMatchObject({ status: 200 });
    });

    it("is waited for as long as TIMEOUT_MS where it is one of them", async () => {
      for (const answer of await Promise.all(pending)) expectRefusal(answer, "dns_timeout");
    });
  });

  // Names of which AAAA comes when A has long been there: a list that it alone can match must not depend on that.
  describe("a name with a late AAAA", () => {
    const open = world.with(STRICT);
    const DENY_TARGETS = "[2606:4700::]/32:8000,[2606:4700::]/32";
    const denying = world.with({ ...STRICT, DENY_TARGETS });
    const hasty = world.with({ ...HASTY, DENY_TARGETS });
    beforeAll(() =>
      world.names({
        "late-denied.test": { a: [[PUBLIC]], aaaa: [["2606:4700::1111"]], aaaaMs: 400 },
        "late-other.test": { a: [[PUBLIC]], aaaa: [["2620:fe::fe"]], aaaaMs: 400 },
        "late-none.test": { a: [[PUBLIC]], aaaaMs: 400 },
        "never-aaaa.test": { a: [[PUBLIC]], aaaaMs: -1 },
      })
    );
    beforeEach(() => world.forget());

    it.each([
      { name: "late-denied.test", by: denying, error: "http_request_denied" as const },
      { name: "never-aaaa.test", by: hasty, error: "dns_timeout" as const },
    ])("is refused where a range of IPv6 is denied: $name", async ({ name, by, error }) => {
      expectRefusal(await ask(by, "header", `http://${name}`), error);
      await expectUntouched(world);
    });

    it.each([{ name: "late-other.test" }, { name: "late-none.test" }])(
      "is reached where that range has none of it: $name",
      async ({ name }) =>
        expect(await ask(denying, "header", `http://${name}`)).toMatchObject({ status: 200 }),
    );

    it.each([{ name: "late-denied.test" }, { name: "never-aaaa.test" }])(
      "is reached by A where nothing is denied: $name",
      async ({ name }) => {
        expect(await ask(open, "header", `http://${name}`)).toMatchObject({ status: 200 });
        expect((await world.seen()).requests).toMatchObject([{ dialled: `${PUBLIC}:80` }]);
      },
    );
  });

  // Names that resolve to something else the next time.
  describe("a name that is public when it is judged and private after", () => {
    const proxy = world.with(STRICT);
    beforeEach(() => world.forget());

    it.each([
      ...alike("method", { selector: "header" })`GET POST PROPFIND`,
      { selector: "cookie" as const, method: "GET" },
      { selector: "url" as const, method: "GET" },
      ...alike("method", { selector: "arg" })`GET DELETE`,
    ])("is dialled as it was judged: $method by $selector", async ({ selector, method }) => {
      const name = `turns-${selector}-${method.toLowerCase()}.test`;
      await world.names({ [name]: { a: [[PUBLIC], ["127.0.0.1"]], aaaa: [[], ["::1"]] } });
      const call = (path: string) => ask(proxy, selector, `http://${name}`, `${method} ${path}`);
      expect(await call("/1")).toMatchObject({ status: 200 });
      expect(await call("/2")).toMatchObject({ status: 200 });
      const { requests } = await world.seen();
      expect(requests).toMatchObject(Array(2).fill({ dialled: `${PUBLIC}:80`, host: name }));
      expect(await world.queries(name)).toBe(2);
    });

    it("is refused when it was private first", async () => {
      await world.names({ "turns-back.test": { a: [["127.0.0.1"], [PUBLIC]] } });
      expectRefusal(await ask(proxy, "header", "http://turns-back.test"), "destination_ip_prohibited");
      await expectUntouched(world);
    });
  });

  describe("addresses that were looked up", () => {
    const proxy = world.with();
    beforeEach(() => world.forget());

    it.each([
      { about: "as long as they hold", ttl: 60, statuses: [200, 200, 200] },
      { about: "no longer than they hold", ttl: 0, statuses: [200, 502, 200] },
    ])("are used $about", async ({ ttl, statuses }) => {
      const name = `holds-${ttl}.test`;
      await world.names({ [name]: { a: [[PUBLIC], ["1.1.1.1"], [PUBLIC]], ttl } });
      const call = async () => (await ask(proxy, "header", `http://${name}`)).status;
      expect([await call(), await call(), await call()]).toEqual(statuses);
    });

    it("are dropped when none of them can be reached", async () => {
      await world.names({ "moved.test": { a: [["1.1.1.1"], [PUBLIC]] } });
      const call = () => ask(proxy, "header", "http://moved.test");
      expect((await call()).status).toBe(502);
      expect(await call()).toMatchObject({ status: 200, text: "seen /p" });
    });

    it.each([{ name: "app.localhost" }, { name: "two.words.localhost." }])(
      "are loopback's below localhost, and nobody is asked: $name",
      async ({ name }) => {
        expect(await ask(proxy, "header", `http://${name}:8000`)).toMatchObject({ status: 200 });
        const { requests } = await world.seen();
        expect(requests).toMatchObject([{ dialled: "127.0.0.1:8000", host: `${name}:8000` }]);
        expect(await world.queries(name.replace(/\.$/, ""))).toBe(0);
      },
    );
  });

  describe("a connection that is kept", () => {
    const proxy = world.with();
    beforeEach(() => world.forget());

    it.each([
      { name: "kept-get.test", line: "GET /p" },
      { name: "10.1.2.3:8000", line: "GET /p" },
      { name: "kept-post.test", line: "POST /p" },
    ])("is not used by who may not: $line to $name", async ({ name, line }) => {
      await world.names({ [name]: { a: [["10.1.2.3"]] } });
      const call = (host: string) =>
        proxy.call(line, { fields: { Host: host, proxy_host: `http://${name}` } });
      expect(await call("localhost")).toMatchObject({ status: 200 });
      const before = await world.seen();
      expect(before.requests).toHaveLength(1);
      expectRefusal(await call("evil.test"), "destination_ip_prohibited");
      expect(await world.seen()).toEqual(before);
    });
  });

  // Redirects: every hop is judged.
  describe.each(FOLLOWING)("a redirect by $selector", ({ selector }) => {
    const proxy = world.with(STRICT);
    beforeEach(() => world.forget());

    it.each([
      ...alike("to")`
        http://127.0.0.1/ http://2130706433:8000/ http://[::ffff:7f00:1]/ //10.1.2.3/x http://169.254.169.254/latest/
        http://localhost/ http://private.test/ http://mixed-kinds.test/ http://mapped-loopback.test/
        https://private.test/`,
      { to: `http://public.test${leadTo("http://private.test/")}` },
    ])("does not lead to $to", async ({ to }) => {
      const answer = await ask(proxy, selector, "http://public.test", `GET ${leadTo(to)}`);
      expectRefusal(answer, "destination_ip_prohibited", selector);
      const { connections, requests } = await world.seen();
      expect(connections.filter((dialled) => dialled !== `${PUBLIC}:80`)).toEqual([]);
      expect(requests.length).toBeGreaterThan(0);
    });

    it("leads to another public name", async () => {
      const line = `GET ${leadTo("http://public-6.test/end")}`;
      const answer = await ask(proxy, selector, "http://public.test", line);
      expect(answer).toMatchObject({ status: 200, text: "seen /end" });
    });

    it("back to a name that turned private dials what was judged", async () => {
      const name = `turns-redirect-${selector}.test`;
      await world.names({ [name]: { a: [[PUBLIC], ["127.0.0.1"]] } });
      const answer = await ask(proxy, selector, `http://${name}`, `GET ${leadTo(`http://${name}:8000/end`)}`);
      expect(answer).toMatchObject({ status: 200, text: "seen /end" });
      const dialled = (await world.seen()).requests.map((request) => request.dialled);
      expect(dialled).toEqual([`${PUBLIC}:80`, `${PUBLIC}:8000`]);
    });
  });

  describe.each(selectors("header", "cookie"))("a redirect by $selector", ({ selector }) => {
    const proxy = world.with(STRICT);
    beforeEach(() => world.forget());

    it("is handed on, not followed", async () => {
      const answer = await ask(proxy, selector, "http://public.test", `GET ${leadTo("http://127.0.0.1/")}`);
      expect(answer.status).toBe(302);
      expect((await world.seen()).requests).toHaveLength(1);
    });
  });
}
