/**
 * Claims only narrow: over random settings, claims and requests, what a token allows is what the settings allow and the
 * claims allow, by the very functions of the door and of step 2.
 * @module
 */
import { describe, expect, it } from "vitest";
import { decodeAddress } from "../../../src/core/address/address.ts";
import { decodeSomeTargets, judgeAddresses } from "../../../src/core/address/target-lists.ts";
import { Resolver } from "../../../src/core/address/dns-cache.ts";
import { readCallerToken } from "../../../src/parts/tokens/caller-token.ts";
import { isBelow } from "../../../src/core/address/path-prefix.ts";
import type { BoundToken } from "../../../src/parts/tokens/token-limits.ts";
import { mintToken } from "../../../src/parts/tokens/mint.ts";
import type { Options } from "../../../src/core/settings/config.ts";
import type { TargetTable } from "../../../src/parts/gate/targets/table.ts";
import { checkAccess } from "../../../src/core/steps/access.ts";
import { Dice } from "../../support/dice.ts";
import { exchangeOf } from "../../support/parts-exchange.ts";
import type { Exchange } from "../../../src/core/exchange/exchange.ts";
import { hooksFor, tableOf } from "../../support/table.ts";
import { words } from "../../support/rows.ts";

const CASES = 500;
const SIGNING_KEY = "k";
const NAMES: Readonly<Record<string, string[]>> = {
  "a.test": ["93.184.216.34"],
  "b.a.test": ["93.184.216.35", "2606:4700::1111"],
  "private.test": ["10.1.2.3"],
  "mixed.test": ["93.184.216.34", "10.1.2.3"],
  "metadata.test": ["169.254.169.254"],
};
/** Of localhost, of which each address is judged by itself. */
const FAMILIES = ["127.0.0.1", "::1"];
const HOSTS = [...Object.keys(NAMES), "localhost", "10.1.2.3", "93.184.216.34", "[::1]", "169.254.169.254"];
const LISTED = words`a.test *.a.test *.test private.test localhost:81 * 10.0.0.0/8 93.184.216.0/24 ::/0
  127.0.0.1 a.test:81`;
const METHODS = ["GET", "POST", "PUT", "DELETE"];
const PATHS = ["/", "/v1/", "/v1/x", "/v1/../v2/", "/v2/%2e%2e/v1/x", "/v1//x", "/v1;a/x", "/v1%2fx"];
const PREFIXES = ["/", "/v1/", "/v1", "/v2/"];
const ORIGINS = ["https://app.test", "https://other.test", "http://localhost:5173"];

/** One random case. */
function dealCase(dice: Dice) {
  const options: Options = {
    allowTargets: dice.maybe(() => dice.some(LISTED)),
    denyTargets: dice.maybe(() => dice.some(LISTED.filter((entry) => entry !== "*"))),
    privateTargets: dice.pick(["true", "false", "auto"] as const),
    corsOrigins: dice.maybe(() => dice.some([...ORIGINS, "*"])),
  };
  const table = dice.maybe(() =>
    tableOf({
      [dice.pick(["a.test", "*.test", "*"])]: { methods: dice.some(METHODS), paths: dice.some(PREFIXES) },
    })
  );
  const claims = {
    targets: dice.maybe(() => dice.some(LISTED)),
    methods: dice.maybe(() => dice.some(METHODS)),
    paths: dice.maybe(() => dice.some(PREFIXES)),
    origins: dice.maybe(() => dice.some([...ORIGINS, "*"])),
  };
  const port = dice.pick(["", ":81"]);
  const request = {
    address: `http://${dice.pick(HOSTS)}${port}${dice.pick(PATHS)}`,
    method: dice.pick(METHODS),
    origin: dice.maybe(() => dice.pick(ORIGINS)),
  };
  return { options, table, claims, request };
}

type Case = ReturnType<typeof dealCase>;

/** True if door and step 2 let the request through, with these settings, and with the token if there is one. */
async function isAllowed(
  { address: text, method, origin }: Case["request"],
  options: Options,
  table: TargetTable | undefined,
  shown: string | undefined,
  resolver: Exchange["resolver"] = new Resolver(1_000, false),
): Promise<boolean> {
  const fields = {
    host: "localhost:8080",
    proxy_token: shown,
    ...(origin && { origin, "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors" }),
  };
  const resolve = (name: string) => Promise.resolve(NAMES[name] ?? []);
  const known = {
    ...exchangeOf({
      method,
      fields,
      options: { ...options, signingKey: SIGNING_KEY, callerTokens: true },
      runtime: { resolve, listensOnLoopback: true, clientAddress: "127.0.0.1" },
    }),
    resolver,
    parts: hooksFor(table),
  };
  const address = decodeAddress(text)!;
  const target = { ...address, basePath: "", selector: "url" } as const;
  try {
    const token = await readCallerToken(known, false, new Set()) as BoundToken | undefined;
    token?.checkOrigin(known);
    await checkAccess(address, token ? { ...known, token } : known, target, method);
    return true;
  } catch {
    return false;
  }
}

/** Settings that refuse as little as they can. */
const OPEN: Options = { privateTargets: "true", corsOrigins: "*" };

/** What the claims say of a request, each by its grammar alone. */
function isClaimed(
  { targets, methods, paths, origins }: Case["claims"],
  request: Case["request"],
  address: string,
): boolean {
  const { origin, path } = decodeAddress(request.address)!;
  const { hostname } = origin;
  const lists = { allow: decodeSomeTargets(targets ?? ["*"])!, deny: [] };
  const addresses = NAMES[hostname] ?? [address];
  return judgeAddresses(lists, hostname, Number(origin.port || 80), addresses) === "allowed" &&
    (methods ?? METHODS).includes(request.method) &&
    isBelow(paths ?? ["/"], path) &&
    (request.origin === undefined || ["*", request.origin].some((one) => (origins ?? ["*"]).includes(one)));
}

async function judge({ options, table, claims, request }: Case) {
  const token = await mintToken({ id: "ci", expires: 4_000_000_000, ...claims }, SIGNING_KEY);
  const { hostname } = decodeAddress(request.address)!.origin;
  const ways = hostname === "localhost" ? FAMILIES : [hostname.replace(/[[\]]/g, "")];
  const byBoth = await isAllowed(request, options, table, token);
  const each = await Promise.all(ways.map(async (address) => {
    const resolver = resolverTo(NAMES[hostname] ?? [address]);
    // What denies one of them denies the name.
    const open = { ...OPEN, denyTargets: options.denyTargets };
    const [isOpen, bySettings, byClaims] = await Promise.all([
      isAllowed(request, open, undefined, undefined, resolver),
      isAllowed(request, options, table, undefined, resolver),
      isAllowed(request, OPEN, undefined, token, resolver),
    ]);
    return { isOpen, bySettings, byClaims, isWithin: isClaimed(claims, request, address) };
  }));
  return { each, byBoth, given: JSON.stringify({ options, claims, request }) };
}

/** Knows one answer. */
function resolverTo(addresses: readonly string[]): Exchange["resolver"] {
  return { recall: () => addresses, resolve: () => Promise.resolve(addresses), forget: () => {} };
}

describe("claims", () => {
  it(`only narrow what the settings allow, in ${CASES} random cases`, async () => {
    const dice = new Dice(20);
    const judged = await Promise.all(Array.from({ length: CASES }, () => judge(dealCase(dice))));
    const wrong = judged.filter(({ each, byBoth }) =>
      byBoth !== (each.every(({ isOpen }) => isOpen) &&
          each.some(({ bySettings, byClaims }) => bySettings && byClaims)) ||
      byBoth !== (each.every(({ isOpen }) => isOpen) &&
          each.some(({ bySettings, isWithin }) => bySettings && isWithin))
    );
    expect(wrong.slice(0, 3)).toEqual([]);
    // Each kind is there, so the cases say something.
    const kinds = judged.flatMap(({ each }) =>
      each.map(({ bySettings, byClaims }) => `${bySettings} ${byClaims}`)
    );
    const counts = ["true true", "true false", "false true", "false false"].map((kind) =>
      kinds.filter((one) => one === kind).length
    );
    expect(counts.filter((count) => count < CASES / 50)).toEqual([]);
  });
});
