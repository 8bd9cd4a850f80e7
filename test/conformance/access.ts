/**
 * Who may reach what: the setting for private targets, the lists, and TLS to a judged address.
 * @module
 */
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expectRefusal, expectUntouched, type RefusalType } from "../support/refusal.ts";
import { leadTo } from "../support/sentinel.ts";
import type { World } from "../support/world.ts";
import { alike, argOf, ask, type Selector, type Settings } from "../support/topic.ts";

const PUBLIC = "93.184.216.34";
const ELSEWHERE = { HOST: "0.0.0.0" };

/** Hosts that are this machine to every browser; `{port}` is the proxy's. */
const LOCAL_HOSTS = alike("host")`
  localhost localhost:{port} LocalHost:1 localhost. x.localhost a.b.localhost:{port} 127.0.0.1
  127.9.9.9:{port} [::1] [::1]:{port}`;

/** Hosts that a rebinding page or a front proxy would bring. */
const FOREIGN_HOSTS = alike("host")`
  evil.test evil.test:{port} localhost.evil.test evillocalhost 127.0.0.1.nip.io 127.0.0.1.evil.test:{port}
  127.1 2130706433 0.0.0.0 10.1.2.3:{port} [::] [::ffff:127.0.0.1] [fd00::1] proxy.test`;

const PRIVATE = alike("target")`
  127.0.0.1:8000 127.9.9.9 [::1] 10.1.2.3 172.16.0.1 192.168.0.1 100.64.0.1 198.18.0.1 [fd00::1]
  localhost:8000`;

const NEVER = alike("target")`
  169.254.169.254 168.63.129.16 100.100.100.200 [fd00:ec2::254] 192.0.2.1 240.0.0.1 224.0.0.1
  255.255.255.255 0.1.2.3 [fe80::1] [ff02::1]`;

/** What a page might send to its own origin to get elsewhere. */
const STEERING: { line: string; fields?: Record<string, string>; selector?: Selector }[] = [
  { line: "GET /p", fields: { proxy_host: "http://10.1.2.3" } },
  { line: "GET /__proxy__/?url=http://10.1.2.3/p" },
  { line: "POST /__proxy__/?url=http://10.1.2.3/p" },
  { line: `GET /__proxy__/fetch?arg=${argOf({ url: "http://10.1.2.3/p" })}`, selector: "arg" },
];

export function describeAccess(world: World): void {
  describe("PRIVATE_TARGETS=auto on loopback", () => {
    const proxy = world.with();
    const named = world.with({ PROXY_DOMAIN: "proxy.test" });
    beforeEach(() => world.forget());
    const call = (host: string, target = "http://10.1.2.3") => {
      const fields = { Host: host.replace("{port}", String(proxy.port)), proxy_host: target };
      return proxy.call("GET /p", { fields });
    };

    it.each(LOCAL_HOSTS)("allows them to Host $host", async ({ host }) => {
      expect(await call(host)).toMatchObject({ status: 200, text: "seen /p" });
    });

    it.each(FOREIGN_HOSTS)("refuses them to Host $host", async ({ host }) => {
      expectRefusal(await call(host), "destination_ip_prohibited");
      await expectUntouched(world);
    });

    it.each(FOREIGN_HOSTS)("lets Host $host to the public", async ({ host }) => {
      expect(await call(host, `http://${PUBLIC}`)).toMatchObject({ status: 200, text: "seen /p" });
    });

    it.each(PRIVATE)("allows $target to a local caller", async ({ target }) => {
      expect(await call("localhost", `http://${target}`)).toMatchObject({ status: 200, text: "seen /p" });
    });

    it.each(NEVER)("refuses $target to a local caller", async ({ target }) => {
      expectRefusal(await call("localhost", `http://${target}`), "destination_ip_prohibited");
      await expectUntouched(world);
    });

    it("allows them by a label of localhost", async () => {
      const fields = { Host: `10-1-2-3.w.localhost:${proxy.port}` };
      expect(await proxy.call("GET /p", { fields })).toMatchObject({ status: 200 });
    });

    it.each([{ host: "10-1-2-3.w.proxy.test" }, { host: "127-0-0-1-8000.w.proxy.test:8080" }])(
      "refuses them by a label of a public domain: $host",
      async ({ host }) => {
        expectRefusal(await named.call("GET /p", { fields: { Host: host } }), "destination_ip_prohibited");
        await expectUntouched(world);
      },
    );

    it.each(STEERING)(
      "refuses them to a page behind a label: $line $fields",
      async ({ line, fields, selector }) => {
        const own = { Host: `h-evil-test.w.localhost:${proxy.port}`, "Sec-Fetch-Site": "same-origin" };
        const answer = await proxy.call(line, { fields: { ...own, ...fields } });
        expectRefusal(answer, "destination_ip_prohibited", selector);
        await expectUntouched(world);
      },
    );

    it("takes Host, not what stands before the path", async () => {
      const fields = { Host: "evil.test", proxy_host: "http://10.1.2.3" };
      const answer = await proxy.call(`GET http://localhost:${proxy.port}/p`, { fields });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      await expectUntouched(world);
    });

    it.each([
      { field: "X-Forwarded-Host", value: "localhost" },
      { field: "Forwarded", value: "host=localhost" },
      { field: "X-Forwarded-For", value: "127.0.0.1" },
    ])("believes no $field", async ({ field, value }) => {
      const fields = { Host: "evil.test", proxy_host: "http://10.1.2.3", [field]: value };
      expectRefusal(await proxy.call("GET /p", { fields }), "destination_ip_prohibited");
      await expectUntouched(world);
    });
  });

  const modes: { about: string; settings: Settings; host: string; status: number }[] = [
    { about: "auto, open to others", settings: ELSEWHERE, host: "localhost", status: 403 },
    { about: "auto, open to others by IPv6", settings: { HOST: "::" }, host: "localhost", status: 403 },
    {
      about: "auto, on an address of a network",
      settings: { HOST: "10.1.2.3" },
      host: "localhost",
      status: 403,
    },
    { about: "auto, on IPv6 loopback", settings: { HOST: "::1" }, host: "localhost", status: 200 },
    {
      about: "auto, on the name of loopback",
      settings: { HOST: "localhost" },
      host: "localhost",
      status: 200,
    },
    {
      about: "true, open",
      settings: { ...ELSEWHERE, PRIVATE_TARGETS: "true" },
      host: "10.1.2.3",
      status: 200,
    },
    {
      about: "true, open, to a name that is none of the proxy's",
      settings: { ...ELSEWHERE, PRIVATE_TARGETS: "true" },
      host: "evil.test",
      status: 403,
    },
    { about: "true", settings: { PRIVATE_TARGETS: "true" }, host: "localhost", status: 200 },
    { about: "false", settings: { PRIVATE_TARGETS: "false" }, host: "localhost", status: 403 },
    {
      about: "false, open",
      settings: { ...ELSEWHERE, PRIVATE_TARGETS: "false" },
      host: "localhost",
      status: 403,
    },
  ];
  describe.each(modes)("PRIVATE_TARGETS=$about", ({ settings, host, status }) => {
    const proxy = world.with(settings);
    // Where it listens on one address is where it is called.
    const options = { host: settings.HOST?.match(/^(?:localhost|::1|10\.1\.2\.3)$/)?.[0] };

    it.each(PRIVATE)(`answers ${status} for $target to Host ${host}`, async ({ target }) => {
      const fields = { Host: host, proxy_host: `http://${target}` };
      expect((await proxy.call("GET /p", { ...options, fields })).status).toBe(status);
    });

    it.each(NEVER)(`refuses $target to Host ${host}`, async ({ target }) => {
      const fields = { Host: host, proxy_host: `http://${target}` };
      expectRefusal(await proxy.call("GET /p", { ...options, fields }), "destination_ip_prohibited");
    });
  });

  describe("ALLOW_TARGETS and DENY_TARGETS", () => {
    const proxies = Object.fromEntries(
      Object.entries(SETTINGS).map(([name, settings]) => [name, world.with(settings)]),
    );
    const proxyOf = (name: string) => proxies[name] ?? world.with();
    beforeAll(() => world.names(LISTED_NAMES));
    beforeEach(() => world.forget());

    it.each(LISTS.filter(({ error }) => !error))(
      "$settings: $target is reached",
      async ({ settings, target }) => {
        const answer = await ask(proxyOf(settings), "header", target);
        expect(answer).toMatchObject({ status: 200, text: "seen /p" });
      },
    );

    it.each(LISTS.filter(({ error }) => error))(
      "$settings: $target is refused, $error, after $queries look-ups",
      async ({ settings, target, error = NOT_LISTED, queries }) => {
        const name = new URL(target).hostname.replace(/\.$/, "");
        const before = await world.queries(name);
        expectRefusal(await ask(proxyOf(settings), "header", target), error);
        await expectUntouched(world);
        expect(await world.queries(name) - before).toBe(queries);
      },
    );

    it.each([
      { settings: "names", to: "http://other.test/", error: NOT_LISTED },
      { settings: "names", to: "http://10.1.2.3/", error: NOT_LISTED },
      { settings: "names", to: "http://private.suffix.test/", error: PROHIBITED },
      { settings: "both", from: "http://good.both.test", to: "http://bad.both.test/", error: NOT_LISTED },
      { settings: "both", from: "http://good.both.test", to: "http://10.1.2.3/", error: NOT_LISTED },
    ])(
      "$settings: a redirect does not lead to $to",
      async ({ settings, from = "http://named.test", to, error }) => {
        expectRefusal(await ask(proxyOf(settings), "url", from, `GET ${leadTo(to)}`), error, "url");
        expectRefusal(await ask(proxyOf(settings), "arg", from, `GET ${leadTo(to)}`), error, "arg");
        expect((await world.seen()).requests.map(({ path }) => path)).toEqual([leadTo(to), leadTo(to)]);
      },
    );
  });

  describeDialled(world);
}

const NOT_LISTED = "http_request_denied" as const;
const PROHIBITED = "destination_ip_prohibited" as const;
const SETTINGS = {
  names: {
    ALLOW_TARGETS: "named.test,*.suffix.test,ported.test:8000,*.ports.test:8000",
    PRIVATE_TARGETS: "false",
  },
  ranges: { ALLOW_TARGETS: "10.0.0.0/8,93.184.216.34:8000,[2606:4700::]/32", PRIVATE_TARGETS: "false" },
  star: { ALLOW_TARGETS: "*", PRIVATE_TARGETS: "false" },
  deny: {
    DENY_TARGETS: "denied.test,*.denied-suffix.test,ported-deny.test:8000,172.16.0.0/12,8.8.4.4",
    PRIVATE_TARGETS: "true",
  },
  both: { ALLOW_TARGETS: "*.both.test,both.test,10.0.0.0/8", DENY_TARGETS: "bad.both.test,10.1.2.3" },
};

interface ListRow {
  settings: keyof typeof SETTINGS;
  target: string;
  /** A 200 unless given. */
  error?: RefusalType;
  /** How many look-ups it costs: A and AAAA, or none. */
  queries: 0 | 2;
}

const LISTS: ListRow[] = [
  ...alike("target", { settings: "names", queries: 2 })`
    http://named.test http://NAMED.test:8000 http://named.test. http://public.suffix.test
    http://deep.public.suffix.test http://ported.test:8000 http://a.ports.test:8000`,
  { settings: "names", target: "http://private.suffix.test", error: PROHIBITED, queries: 2 },
  ...alike("target", { settings: "names", error: NOT_LISTED, queries: 0 })`
    http://suffix.test http://notsuffix.test http://named.test.evil.test http://other.test
    http://ported.test http://a.ports.test:80 http://93.184.216.34 http://10.1.2.3`,
  ...alike("target", { settings: "ranges", queries: 0 })`
    http://10.1.2.3 http://0x0a010203 http://[::ffff:10.1.2.3] http://[2606:4700::1111]`,
  ...alike("target", { settings: "ranges", queries: 2 })`http://in-range.test http://public-range.test:8000`,
  ...alike("target", { settings: "ranges", error: NOT_LISTED, queries: 2 })`
    http://half-in-range.test http://out-of-range.test http://public-other-port.test`,
  { settings: "ranges", target: "http://192.168.0.1", error: NOT_LISTED, queries: 0 },
  { settings: "ranges", target: "http://[64:ff9b::10.1.2.3]", error: NOT_LISTED, queries: 0 },
  { settings: "star", target: "http://star.test", queries: 2 },
  { settings: "star", target: "http://star-private.test", error: PROHIBITED, queries: 2 },
  { settings: "star", target: "http://10.1.2.3", error: PROHIBITED, queries: 0 },
  ...alike("target", { settings: "deny", error: NOT_LISTED, queries: 0 })`
    http://denied.test http://denied.test. http://DENIED.test:8000 http://a.denied-suffix.test
    http://ported-deny.test:8000 http://172.16.0.1 http://[::ffff:172.16.0.1]`,
  { settings: "deny", target: "http://denied.test..", error: "http_request_error", queries: 0 },
  ...alike("target", { settings: "deny", queries: 2 })`http://denied-suffix.test http://ported-deny.test`,
  ...alike("target", { settings: "deny", error: NOT_LISTED, queries: 2 })`
    http://in-denied-range.test http://half-denied.test http://mapped-denied.test http://nat64-denied.test`,
  { settings: "deny", target: "http://10.1.2.3", queries: 0 },
  { settings: "both", target: "http://good.both.test", queries: 2 },
  { settings: "both", target: "http://bad.both.test", error: NOT_LISTED, queries: 0 },
  { settings: "both", target: "http://10.1.2.3", error: NOT_LISTED, queries: 0 },
  { settings: "both", target: "http://both.test", error: NOT_LISTED, queries: 2 },
];

const LISTED_NAMES = {
  "named.test": { a: [["10.1.2.3"]] },
  "public.suffix.test": { a: [[PUBLIC]] },
  "deep.public.suffix.test": { a: [[PUBLIC]] },
  "private.suffix.test": { a: [["10.1.2.3"]] },
  "ported.test": { a: [["10.1.2.3"]] },
  "a.ports.test": { a: [[PUBLIC]] },
  "in-range.test": { a: [["10.1.2.3"]] },
  "half-in-range.test": { a: [["10.1.2.3", PUBLIC]] },
  "out-of-range.test": { a: [["192.168.0.1"]] },
  "public-range.test": { a: [[PUBLIC]] },
  "public-other-port.test": { a: [[PUBLIC]] },
  "star.test": { a: [[PUBLIC]] },
  "star-private.test": { a: [["10.1.2.3"]] },
  "denied-suffix.test": { a: [[PUBLIC]] },
  "ported-deny.test": { a: [[PUBLIC]] },
  "in-denied-range.test": { a: [["172.16.0.1"]] },
  "half-denied.test": { a: [[PUBLIC, "8.8.4.4"]] },
  "mapped-denied.test": { aaaa: [["::ffff:ac10:1"]] },
  "nat64-denied.test": { aaaa: [["64:ff9b::808:404"]] },
  "good.both.test": { a: [[PUBLIC]] },
  "both.test": { a: [["10.1.2.3"]] },
};

/** Where a judged request then goes: to the address that was judged, by its name. */
export function describeDialled(world: World): void {
  describe("TLS to a judged address", () => {
    const proxy = world.with({ PRIVATE_TARGETS: "true" });
    const caller = { "User-Agent": "caller/1", Accept: "*/*" };
    beforeAll(() => world.names({ "tls.test": { a: [["10.1.2.3"]] }, "wrong.test": { a: [["10.1.2.3"]] } }));
    beforeEach(() => world.forget());

    it.each([
      { line: "GET /p", fields: {} },
      { line: "GET /p", fields: caller },
      { line: "POST /p", fields: caller },
      { line: "PROPFIND /p", fields: caller },
    ])("goes by name: $line", async ({ line, fields }) => {
      expect(await ask(proxy, "header", "https://tls.test", line, { fields })).toMatchObject({ status: 200 });
      const { requests } = await world.seen();
      expect(requests).toEqual([{ dialled: "10.1.2.3:443", path: "/p", host: "tls.test", sni: "tls.test" }]);
      // The connection to that address may be kept; it is none for another name.
      expectRefusal(
        await ask(proxy, "header", "https://wrong.test", line, { fields }),
        "tls_certificate_error",
      );
      expectRefusal(
        await ask(proxy, "header", "https://10.1.2.3", line, { fields }),
        "tls_certificate_error",
      );
      expect((await world.seen()).requests).toHaveLength(1);
    });

    it("a dot that ends its name is not in the handshake (RFC 6066 §3)", async () => {
      expect(await ask(proxy, "header", "https://tls.test.")).toMatchObject({ status: 200 });
      expect((await world.seen()).requests).toMatchObject([{ host: "tls.test.", sni: "tls.test" }]);
    });
  });

  // The page of the published vector is a name like any other here, whose certificate is not its own.
  describe("the published signed link", () => {
    const proxy = world.with({ PROXY_TOKEN: "secret", SIGNING_KEY: "test-key" });
    const path = "/__proxy__/?url=https%3A%2F%2Fexample.com%2F&exp=4102444800";
    const signature = "QdIxow0TYBncbYsRoNHRKhHTW81PUMkLxo4P6Pxi4Cg";
    beforeAll(() => world.names({ "example.com": { a: [[PUBLIC]] } }));
    beforeEach(() => world.forget());

    it("leads to its page", async () => {
      expectRefusal(await proxy.call(`GET ${path}&sig=${signature}`, {}), "tls_certificate_error");
      expect((await world.seen()).connections).toEqual([`${PUBLIC}:443`]);
    });

    it("leads nowhere with another signature", async () => {
      const wrong = await proxy.call(`GET ${path}&sig=${signature.replace("Q", "R")}`, {});
      expectRefusal(wrong, "http_request_denied");
      await expectUntouched(world);
    });
  });

  describe("a proxy in the environment", () => {
    const detour = "http://192.168.0.1:8000";
    const proxy = world.with({
      HTTP_PROXY: detour,
      http_proxy: detour,
      HTTPS_PROXY: detour,
      ALL_PROXY: detour,
    });
    beforeAll(() => world.names({ "tls.test": { a: [["10.1.2.3"]] } }));
    beforeEach(() => world.forget());

    it.each([
      { origin: "http://10.1.2.3", line: "GET /p", dialled: "10.1.2.3:80" },
      { origin: "http://10.1.2.3", line: "POST /p", dialled: "10.1.2.3:80" },
      { origin: "http://10.1.2.3", line: "PROPFIND /p", dialled: "10.1.2.3:80" },
      { origin: "https://tls.test", line: "GET /p", dialled: "10.1.2.3:443" },
    ])("is not asked for what was judged: $line to $origin", async ({ origin, line, dialled }) => {
      const fields = { "User-Agent": "caller/1", Accept: "*/*" };
      expect(await ask(proxy, "header", origin, line, { fields })).toMatchObject({ status: 200 });
      const { connections, requests } = await world.seen();
      expect(requests).toMatchObject([{ dialled, path: "/p" }]);
      expect(connections.filter((other) => other !== dialled)).toEqual([]);
    });
  });
}
