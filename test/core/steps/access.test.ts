/** The verdict on one target: settings, lists, listener, Host and resolved addresses, without a socket. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkAccess } from "../../../src/core/steps/access.ts";
import type { Options } from "../../../src/core/settings/config.ts";
import { createProxy } from "../../../src/index.ts";
import { ProxyError } from "../../../src/core/http/error.ts";
import { Resolver } from "../../../src/core/address/dns-cache.ts";
import type { Runtime } from "../../../src/core/runtime.ts";
import { rowsOf, words } from "../../support/rows.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { tokenOf } from "../../support/token.ts";

const PUBLIC = "93.184.216.34";

const NAMES: Readonly<Record<string, string[]>> = {
  "public.test": [PUBLIC],
  "both.test": [PUBLIC, "2606:4700::1111"],
  "private.test": ["10.1.2.3"],
  "mixed.test": [PUBLIC, "10.1.2.3"],
  "mapped.test": ["::ffff:127.0.0.1"],
  "metadata.test": ["169.254.169.254"],
  "zone.test": ["fe80::1%lo"],
  "odd.test": ["127.1"],
  "own.test": ["127.0.0.1"],
};

interface Situation {
  options?: Options;
  runtime?: Runtime;
  /** The Host of the request; a local one unless given. */
  host?: string;
  isSecure?: boolean;
}

/** What a target comes to: its addresses, or the code of the error; and the names that were looked up. */
async function judge(
  target: string,
  { options = {}, runtime, host = "localhost:8080", isSecure = false }: Situation,
) {
  const asked: string[] = [];
  const resolve = (name: string) => {
    asked.push(name);
    return Promise.resolve(NAMES[name.replace(/\.$/, "")] ?? []);
  };
  const exchange = exchangeOf({
    fields: { host },
    options,
    runtime: runtime ?? { resolve, listensOnLoopback: true },
  });
  const address = { origin: new URL(target), path: "/", basePath: "", selector: "url" as const };
  const known = { ...exchange, caller: { ...exchange.caller, isSecure }, resolver: new Resolver(1000) };
  const check = async () => await checkAccess(address, known, address);
  const verdict = await check().catch(({ code }) => code);
  return { verdict, asked };
}

describe("a target of a local caller", () => {
  it.each([
    { target: "http://public.test", verdict: [PUBLIC] },
    { target: "https://both.test", verdict: [PUBLIC, "2606:4700::1111"] },
    { target: "http://private.test", verdict: ["10.1.2.3"] },
    { target: "http://mixed.test", verdict: "address_prohibited" },
    { target: "http://mapped.test", verdict: ["::ffff:127.0.0.1"] },
    { target: "http://metadata.test", verdict: "address_prohibited" },
    { target: "http://zone.test", verdict: "address_prohibited" },
    { target: "http://odd.test", verdict: "address_prohibited" },
    { target: "http://nowhere.test", verdict: "dns_error" },
  ])("$target: $verdict", async ({ target, verdict }) => {
    expect(await judge(target, {})).toEqual({ verdict, asked: [new URL(target).hostname] });
  });

  it.each([
    { target: "http://127.0.0.1:3000", verdict: ["127.0.0.1"] },
    { target: "http://0:3000", verdict: ["0.0.0.0"] },
    { target: "http://[::1]:3000", verdict: ["::1"] },
    { target: "http://[fd00::1]", verdict: ["fd00::1"] },
    { target: "http://169.254.169.254", verdict: "address_prohibited" },
    { target: "http://[::ffff:169.254.169.254]", verdict: "address_prohibited" },
    { target: "http://[fe80::1]", verdict: "address_prohibited" },
    { target: "http://224.0.0.1", verdict: "address_prohibited" },
  ])("$target: $verdict, without a look-up", async ({ target, verdict }) => {
    expect(await judge(target, {})).toEqual({ verdict, asked: [] });
  });
});

type PrivateRow = Pick<Options, "privateTargets"> & {
  listensOnLoopback: boolean | undefined;
  host: string;
  isAllowed: boolean;
};

it.each<PrivateRow>([
  { privateTargets: "auto", listensOnLoopback: true, host: "localhost", isAllowed: true },
  { privateTargets: "auto", listensOnLoopback: true, host: "x.localhost:80", isAllowed: true },
  { privateTargets: "auto", listensOnLoopback: true, host: "[::1]:80", isAllowed: true },
  { privateTargets: "auto", listensOnLoopback: true, host: "evil.test", isAllowed: false },
  { privateTargets: "auto", listensOnLoopback: true, host: "localhost.evil.test", isAllowed: false },
  { privateTargets: "auto", listensOnLoopback: true, host: "127.0.0.1.nip.io", isAllowed: false },
  { privateTargets: "auto", listensOnLoopback: true, host: "", isAllowed: false },
  { privateTargets: "auto", listensOnLoopback: false, host: "localhost", isAllowed: false },
  { privateTargets: "auto", listensOnLoopback: undefined, host: "localhost", isAllowed: false },
  { privateTargets: "true", listensOnLoopback: false, host: "192.0.2.1:80", isAllowed: true },
  { privateTargets: "true", listensOnLoopback: false, host: "evil.test", isAllowed: false },
  { privateTargets: "auto,other.test", listensOnLoopback: true, host: "localhost", isAllowed: true },
  { privateTargets: "auto,private.test", listensOnLoopback: false, host: "localhost", isAllowed: false },
  { privateTargets: "false", listensOnLoopback: true, host: "localhost", isAllowed: false },
])(
  "PRIVATE_TARGETS: $privateTargets, on loopback $listensOnLoopback, Host $host: $isAllowed",
  async ({ privateTargets, listensOnLoopback, host, isAllowed }) => {
    const runtime = { listensOnLoopback, resolve: () => Promise.resolve(["10.1.2.3"]) };
    const { verdict } = await judge("http://private.test", { options: { privateTargets }, runtime, host });
    expect(verdict).toEqual(isAllowed ? ["10.1.2.3"] : "address_prohibited");
  },
);

it.each(rowsOf(["options", "target", "verdict", "asked"], [
  [{ allowTargets: "private.test" }, "http://private.test", ["10.1.2.3"], 1],
  [{ allowTargets: "*.test" }, "http://private.test", "address_prohibited", 1],
  [{ allowTargets: "*" }, "http://10.1.2.3", "address_prohibited", 0],
  [{ allowTargets: "10.0.0.0/8" }, "http://private.test", ["10.1.2.3"], 1],
  [{ allowTargets: "10.0.0.0/8" }, "http://mixed.test", "forbidden", 1],
  [{ allowTargets: "10.0.0.0/8" }, "http://10.1.2.3", ["10.1.2.3"], 0],
  [{ allowTargets: "10.0.0.0/8:81" }, "http://private.test", "forbidden", 0],
  [{ allowTargets: "other.test" }, "http://public.test", "forbidden", 0],
  [{ allowTargets: "public.test:443" }, "https://public.test", [PUBLIC], 1],
  [{ allowTargets: "public.test:443" }, "http://public.test", "forbidden", 0],
  [{ allowTargets: "metadata.test" }, "http://metadata.test", "address_prohibited", 1],
  [{ allowTargets: "169.254.169.254" }, "http://169.254.169.254", "address_prohibited", 0],
  [{ denyTargets: "public.test" }, "http://public.test", "forbidden", 0],
  [{ denyTargets: "93.0.0.0/8" }, "http://mixed.test", "forbidden", 1],
  [{ allowTargets: "public.test", denyTargets: "*.test" }, "http://public.test", "forbidden", 0],
]))(
  "the lists: $options: $target is $verdict after $asked look-ups",
  async ({ options, target, verdict, asked }) => {
    const judged = await judge(target, { options: { ...options, privateTargets: false } });
    expect([judged.verdict, judged.asked.length]).toEqual([verdict, asked]);
  },
);

describe("the proxy itself", () => {
  const runtime: Runtime = {
    listensOnLoopback: true,
    resolve: (name) => Promise.resolve(NAMES[name] ?? []),
    isOwnAddress: (address, port) => address === "127.0.0.1" && port === 8080,
  };

  it.each(words(`
    http://127.0.0.1:8080 http://2130706433:8080 http://0.0.0.0:8080 http://[::]:8080
    http://[::ffff:127.0.0.1]:8080 http://[64:ff9b::127.0.0.1]:8080 http://own.test:8080
    http://mapped.test:8080
  `))("is no target by address: %s", async (target) => {
    expect((await judge(target, { runtime })).verdict).toBe("loop");
  });

  it.each([
    { target: "https://a.w.localhost", host: "proxy.test", isSecure: true },
    { target: "http://a.w.localhost", host: "proxy.test", isSecure: false },
    { target: "http://a.w.localhost.:8080", host: "127.0.0.1:8080", isSecure: false },
  ])("is no target by a label: $target for Host $host", async ({ target, host, isSecure }) => {
    expect(await judge(target, { host, isSecure })).toEqual({ verdict: "loop", asked: [] });
  });

  it.each([
    { target: "http://127.0.0.1:8081", host: "localhost:8080", verdict: ["127.0.0.1"] },
    { target: "http://own.test:8081", host: "own.test:8080", verdict: ["127.0.0.1"] },
    { target: "https://public.test", host: "public.test", verdict: [PUBLIC] },
    // What a caller claims in Host says nothing: clients that sign requests write the target's own.
    { target: "http://public.test", host: "public.test", verdict: [PUBLIC] },
  ])(
    "is another one where no listener of its own is: $target for Host $host",
    async ({ target, host, verdict }) => {
      const options = { privateTargets: true, hosts: "own.test" };
      expect((await judge(target, { options, runtime, host })).verdict).toEqual(verdict);
    },
  );
});

describe("where nobody can look names up", () => {
  it.each(rowsOf(["options", "target", "verdict"], [
    [{}, "http://public.test", "address_prohibited"],
    [{ privateTargets: false }, "http://public.test", "address_prohibited"],
    [{ privateTargets: true }, "http://public.test", "address_prohibited"],
    [{ allowTargets: "public.test" }, "http://public.test", undefined],
    [{ allowTargets: "public.test:81" }, "http://public.test", "forbidden"],
    [{ allowTargets: "*" }, "http://public.test", "address_prohibited"],
    [{ allowTargets: "localhost" }, "http://localhost", undefined],
    [{ allowTargets: "public.test", denyTargets: "10.0.0.0/8" }, "http://public.test", "forbidden"],
    [{ trustNames: true }, "http://public.test", undefined],
    [{ trustNames: true, allowTargets: "public.test" }, "http://public.test", undefined],
    [{ trustNames: true, allowTargets: "other.test" }, "http://public.test", "forbidden"],
    [{ trustNames: true }, "http://10.1.2.3", "address_prohibited"],
    [{ allowTargets: "*.test" }, "http://public.test", "address_prohibited"],
    [{ allowTargets: "93.0.0.0/8" }, "http://public.test", "forbidden"],
    [{ privateTargets: true, denyTargets: "10.0.0.0/8" }, "http://public.test", "forbidden"],
    [{}, `http://${PUBLIC}`, [PUBLIC]],
    [{}, "http://10.1.2.3", "address_prohibited"],
    [{ privateTargets: true }, "http://10.1.2.3", ["10.1.2.3"]],
    [{ privateTargets: true }, "http://169.254.169.254", "address_prohibited"],
  ]))("$options: $target is $verdict", async ({ options, target, verdict }) => {
    expect((await judge(target, { options, runtime: {} })).verdict).toEqual(verdict);
  });

  it.each([
    { target: "http://public.test", verdict: undefined },
    { target: "http://10.1.2.3", verdict: "address_prohibited" },
    { target: "http://localhost", verdict: "address_prohibited" },
    { target: "http://a.localhost.", verdict: "address_prohibited" },
  ])("but the platform filters: $target is $verdict", async ({ target, verdict }) => {
    expect((await judge(target, { runtime: { filtersEgress: true } })).verdict).toEqual(verdict);
  });
});

it("a private name that nobody can look up is for callers of a known name only, even if it is listed", async () => {
  const options = { allowTargets: "localhost" };
  const { verdict } = await judge("http://localhost", { options, runtime: {}, host: "evil.test" });
  expect(verdict).toBe("address_prohibited");
});

describe("the message", () => {
  const LISTED = { allowTargets: "public.test,93.0.0.0/8", denyTargets: "public.test:81,10.0.0.0/8" };

  it.each(rowsOf(["to", "options", "says"], [
    ["http://elsewhere.test", { allowTargets: "a.test" }, "ALLOW_TARGETS does not name it"],
    ["http://10.1.2.3", { allowTargets: "a.test" }, "ALLOW_TARGETS does not name it"],
    ["http://private.test", { allowTargets: "93.0.0.0/8" }, "ALLOW_TARGETS does not name it"],
    ["http://public.test:81", LISTED, "DENY_TARGETS refuses it"],
    ["http://10.1.2.3", LISTED, "DENY_TARGETS refuses it"],
    ["http://private.test", { denyTargets: "10.0.0.0/8" }, "DENY_TARGETS refuses it"],
  ]))("says which list refuses $to with $options: $says", async ({ to, options, says }) => {
    const address = { origin: new URL(to), path: "/", basePath: "", selector: "url" as const };
    const resolve = (name: string) => Promise.resolve(NAMES[name] ?? []);
    const exchange = exchangeOf({ options, runtime: { resolve, listensOnLoopback: true } });
    const known = { ...exchange, resolver: new Resolver(1000) };
    const check = async () => await checkAccess(address, known, address);
    await expect(check()).rejects.toThrow(`Cannot reach ${address.origin.host}: ${says}. `);
  });

  it("names what allows a name that nobody can look up", async () => {
    const response = await createProxy().fetch(
      new Request("http://localhost/__proxy__/?url=https://api.test/"),
    );
    expect(await response.json()).toEqual({
      title: "Proxy Error",
      detail: "Cannot reach api.test: its addresses cannot be judged here. " +
        "Hand over a runtime, or name it in allowTargets",
    });
  });
});

describe("the portable sender", () => {
  const fetched = vi.fn((_input: string) => Promise.resolve(new Response("there")));
  beforeEach(() => {
    fetched.mockClear();
    vi.stubGlobal("fetch", fetched);
  });
  afterEach(() => void vi.unstubAllGlobals());
  const call = (target: string, options: Options = {}) =>
    createProxy(options).fetch(new Request("http://localhost/p", { headers: { proxy_host: target } }));

  it.each([
    { target: "http://name.test" },
    { target: "http://name.test", options: { privateTargets: true } },
    { target: "http://name.test", options: { allowTargets: "*.test" } },
    { target: "http://localhost:3000" },
    { target: "http://127.0.0.1" },
    { target: "http://2130706433" },
    { target: "http://[::ffff:127.0.0.1]" },
    { target: "http://10.1.2.3" },
    { target: "http://169.254.169.254" },
  ])("does not go to $target with $options", async ({ target, options }) => {
    const response = await call(target, options);
    expect(response.status).toBe(403);
    expect(response.headers.get("proxy-status")).toMatch(
      /^fetchvia; error=destination_ip_prohibited; details="Cannot reach /,
    );
    expect(fetched).not.toHaveBeenCalled();
  });

  it.each([
    { target: `http://${PUBLIC}`, options: {} },
    { target: "http://[2606:4700::1111]", options: {} },
    { target: "http://name.test", options: { trustNames: true, allowTargets: "name.test" } },
    { target: "http://name.test", options: { trustNames: true } },
    { target: "http://name.test", options: { allowTargets: "name.test" } },
  ])("goes to $target with $options", async ({ target, options }) => {
    const response = await call(target, options);
    expect([response.status, await response.text()]).toEqual([200, "there"]);
    expect(fetched.mock.calls.map(([input]) => input)).toEqual([`${target}/p`]);
  });

  it("judges where a redirect leads", async () => {
    fetched.mockResolvedValueOnce(
      new Response(null, { status: 302, headers: { location: "http://10.1.2.3/" } }),
    );
    const response = await createProxy().fetch(
      new Request(`http://localhost/__proxy__/?url=http://${PUBLIC}/`),
    );
    expect(response.status).toBe(403);
    expect(fetched).toHaveBeenCalledTimes(1);
  });
});

it.each([
  { about: "a token that is for other targets", claims: { targets: ["other.test"] } },
  { about: "a token that is for other methods", claims: { methods: ["POST"] } },
  { about: "a token that is for other paths", claims: { paths: ["/v1/"] } },
  {
    about: "a token in a field in which the target takes no key",
    fields: ["x-api-key"],
    code: "token_missing",
  },
  { about: "a part", isByPart: true },
])("a name is never looked up where $about decides without", async ({ claims, fields, code, isByPart }) => {
  const resolve = vi.fn(() => Promise.resolve([PUBLIC]));
  const decide = () => {
    throw new ProxyError("forbidden", "not this one");
  };
  const exchange = {
    ...exchangeOf({ runtime: { resolve } }, () => isByPart ? [{ decide }] : []),
    resolver: new Resolver(1000),
    ...(claims || fields) && { token: tokenOf(claims, { fields: fields ?? [] }) },
  };
  const address = { origin: new URL("http://data.test"), path: "/", basePath: "", selector: "url" as const };
  await expect((async () => await checkAccess(address, exchange, address))()).rejects
    .toMatchObject({ code: code ?? "forbidden" });
  expect(resolve).not.toHaveBeenCalled();
});

describe("a caller's token", () => {
  const address = { origin: new URL("http://both.test"), path: "/", basePath: "", selector: "url" as const };
  const resolve = (name: string) => Promise.resolve(NAMES[name] ?? []);

  it.each([
    { about: "some of them", claimed: [PUBLIC], dialled: [PUBLIC] },
    { about: "one that the name does not have", claimed: [PUBLIC, "93.184.216.99"], dialled: [PUBLIC] },
  ])("leaves those addresses of a name that it allows: $about", async ({ claimed, dialled }) => {
    const token = tokenOf();
    vi.spyOn(token, "checkAddresses").mockReturnValue(claimed);
    const exchange = { ...exchangeOf({ runtime: { resolve } }), resolver: new Resolver(1000), token };
    expect(await checkAccess(address, exchange, address)).toEqual(dialled);
  });
});
