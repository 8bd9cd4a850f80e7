import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { encodeArg } from "../../../src/core/address/arg.ts";
import { HOP_BY_HOP, requestFate, responseFate } from "../../../src/core/http/headers.ts";
import { type ChangeState, compareFields } from "../../../src/console/inspector/changes.ts";
import { explainChange, type Side, UNKNOWN } from "../../../src/console/inspector/explain-change.ts";
import type { Capture, FieldLine } from "../../../src/parts/capture/capture.ts";
import { captureGet } from "./captures.ts";
import { typedRows, words } from "../../support/rows.ts";

const PLAIN = captureGet("https://api.test/");

/** A capture whose heads are these; each rule may look at them. */
function captureOf(
  side: Side,
  before: FieldLine[],
  after: FieldLine[],
  changes: Partial<Capture> = {},
): Capture {
  const [hop] = PLAIN.hops;
  const sent = { ...PLAIN.request, headers: side === "request" ? before : [] };
  const received = { status: 200, statusText: "", headers: side === "answer" ? before : [] };
  return {
    ...PLAIN,
    selector: "header",
    request: sent,
    response: { ...received, headers: side === "answer" ? after : [] },
    hops: [{ ...hop!, response: received }],
    ...changes,
  };
}

function explain(
  side: Side,
  before: FieldLine[],
  after: FieldLine[],
  changes: Partial<Capture> = {},
): string[] {
  const capture = captureOf(side, before, after, changes);
  return compareFields(before, after).filter(({ state }) => state !== "same")
    .map((change) => explainChange(side, change, capture, capture.hops[0]!));
}

/** Every field that a step, the door, an address form, a WebSocket or a runtime's server may remove, change or add. */
const TOUCHED: { side: Side; state: ChangeState; names: readonly string[] }[] = typedRows(
  ["side", "state", "names"],
  [
    ["request", "removed", [
      ...HOP_BY_HOP,
      ...words`proxy-authorization proxy-connection proxy-host proxy-token proxy-headers proxy-seal
        proxy_host proxy_token proxy_headers proxy_seal x-fetchvia-ticket x-fetchvia-viewer forwarded
        x-forwarded-for x-real-ip cf-connecting-ip true-client-ip x_forwarded_host cookie authorization
        referer content-length sec-websocket-extensions x-cors-headers x-corsfix-headers x-corsfix-key
        x-scalar-cookie`,
    ]],
    [
      "request",
      "changed",
      words`host cookie authorization origin referer destination if sec-fetch-site max-forwards
        content-length cdn-loop via user-agent sec-websocket-key sec-websocket-extensions connection upgrade`,
    ],
    [
      "request",
      "added",
      words`host cdn-loop via forwarded x-forwarded-for x-forwarded-proto x-forwarded-host content-length
        transfer-encoding authorization cookie date dnt referer user-agent content-type connection upgrade
        sec-websocket-key sec-websocket-version keep-alive`,
    ],
    [
      "redirect",
      "removed",
      words`authorization cookie cookie2 content-type content-length content-encoding transfer-encoding
        origin referer`,
    ],
    ["redirect", "changed", ["host"]],
    ["redirect", "added", ["authorization", "cookie"]],
    ["answer", "removed", [
      ...HOP_BY_HOP,
      ...words`proxy-authenticate strict-transport-security clear-site-data public-key-pins
        public-key-pins-report-only service-worker-allowed use-as-dictionary set-login
        secure-session-registration accept-ch critical-ch avail-language origin-agent-cluster expect-ct no-vary-search cross-origin-opener-policy alt-svc nel
        report-to reporting-endpoints x-fetchvia-head set-cookie www-authenticate x-final-url content-length location refresh
        content-location sourcemap x-sourcemap cdn-cache-control surrogate-control edge-control x-accel-expires
        access-control-allow-origin access-control-expose-headers access-control-max-age`,
    ]],
    [
      "answer",
      "changed",
      words`set-cookie location content-location sourcemap x-sourcemap refresh link content-length
        cache-control x-content-type-options referrer-policy cross-origin-resource-policy sec-websocket-accept
        sec-websocket-extensions access-control-allow-origin vary via x-final-url connection date`,
    ],
    [
      "answer",
      "added",
      words`vary via content-security-policy x-content-type-options referrer-policy x-final-url
        cross-origin-resource-policy set-cookie x-request-url cors-received-headers content-length
        access-control-allow-origin access-control-allow-credentials access-control-expose-headers
        access-control-allow-methods access-control-allow-headers access-control-max-age
        access-control-allow-private-network x-request-id proxy-status retry-after allow content-type
        cache-control x-fetchvia-head sec-websocket-accept sec-websocket-protocol connection keep-alive date
        transfer-encoding`,
    ],
  ],
);

const HEADS: Record<ChangeState, (name: string) => [before: FieldLine[], after: FieldLine[]]> = {
  removed: (name) => [[[name, "1"]], []],
  changed: (name) => [[[name, "1"]], [[name, "2"]]],
  added: (name) => [[], [[name, "2"]]],
  same: (name) => [[[name, "1"]], [[name, "1"]]],
};

describe("explainChange", () => {
  const all = TOUCHED.flatMap(({ side, state, names }) => names.map((name) => ({ side, state, name })));

  it.each(all)("has a rule for $name, $state in the $side", ({ side, state, name }) => {
    const [before, after] = HEADS[state](name);
    const [rule] = explain(side, before, after);
    expect(rule).not.toBe(UNKNOWN);
    expect(rule).toMatch(/^[^.].*[^.]$/);
  });

  it.each(all.filter(({ side }, at) => all.findIndex((row) => row.side === side) === at))(
    "knows nothing of a name that every object has, in the $side",
    ({ side }) => {
      const heads = [HEADS.removed, HEADS.changed, HEADS.added].flatMap((write) => [
        write("constructor"),
        write("__proto__"),
      ]);
      expect(heads.flatMap(([before, after]) => explain(side, before, after)))
        .toEqual(Array<string>(6).fill(UNKNOWN));
    },
  );

  it.each(
    [{ side: "request", fate: requestFate }, { side: "answer", fate: responseFate }] as const,
  )("has a rule for each name in the core's own tables: $side", async ({ side, fate }) => {
    const tables = await readFile("src/core/http/headers.ts", "utf8");
    const names = [...new Set([...tables.matchAll(/"([a-z0-9_-]+)",?$/gm)].map(([, name = ""]) => name))];
    const touched = names.filter((name) => fate(name) !== "pass");
    const listed = all.filter((row) => row.side === side).map(({ name }) => name);
    const rewritten = touched.filter((name) => fate(name) === "rewrite");
    expect(touched.length).toBeGreaterThan(20);
    expect(rewritten.filter((name) => !listed.includes(name))).toEqual([]);
    const dropped = touched.filter((name) => fate(name) === "drop");
    expect(dropped.filter((name) => explain(side, [[name, "1"]], []).includes(UNKNOWN))).toEqual([]);
  });

  type Row = {
    side: Side;
    rules: string[];
    before?: FieldLine[];
    after?: FieldLine[];
    changes?: Partial<Capture>;
  };
  const NAMED = [
    "hop-by-hop: ends here (RFC 9110 §7.6.1)",
    "Connection names it: ends here (RFC 9110 §7.6.1)",
  ];
  const SEALED = "stands in the sealed headers, which browsers do not act on";
  const cookies = (...lines: string[]) => lines.map((line): FieldLine => ["set-cookie", line]);
  it.each(typedRows<Row, readonly ["side", "rules", "before", "after", "changes"]>(
    ["side", "rules", "before", "after", "changes"],
    [
      ["request", ["Host names the target (RFC 9110 §7.2)"], [["Host", "localhost"]], [["host", "api.test"]]],
      ["request", NAMED, [["Connection", "close, X-Own"], ["x-own", "1"]]],
      [
        "request",
        ["several lines are joined (RFC 9110 §5.3)", UNKNOWN],
        [["x-a", "1"], ["x-a", "2"]],
        [["x-a", "1, 2"]],
      ],
      ["request", ["blanks around a value mean nothing (RFC 9110 §5.5)"], [["x-a", " 1 "]], [["x-a", "1"]]],
      [
        "request",
        ["for the proxy: no target gets it", "proxy_headers asks for it", "proxy_headers asks for it"],
        [["proxy_headers", encodeArg({ Origin: "https://shop.test", "x-b*": null })], ["x-bad", "1"]],
        [["origin", "https://shop.test"]],
      ],
      [
        "request",
        [
          "the arg's own, in place of the caller's",
          "Host names the target (RFC 9110 §7.2)",
          "from the arg",
          "frames the body: new on each hop (RFC 9112 §6)",
        ],
        [["accept", "a/b"], ["host", "x"]],
        [["x-a", "1"], ["host", "y"], ["accept", "c/d"], ["content-length", "1"]],
        { selector: "arg" },
      ],
      ["request", [UNKNOWN], [["x-own", "1"]]],
      [
        "answer",
        ["made for the proxy's origin: without Domain; Path is mapped to /; without Secure and its kin, because the caller came over http; SameSite is Lax, because browsers refuse None over http"],
        cookies("a=1; Domain=api.test; Path=/v1; Secure; SameSite=None"),
        cookies("a=1; Path=/; SameSite=Lax"),
      ],
      [
        "answer",
        [
          "made for the proxy's origin: without Secure and its kin, because the caller came over http; under a name that browsers accept here",
          "made for the proxy's origin: under a name with its host, because all hosts share one jar",
          "ours: ends the same cookie in its other place",
        ],
        cookies("__Host-a=1; Path=/; Secure", "b=1; HttpOnly"),
        cookies("proxy_carried__Host-a=1; Path=/", "proxy_at_http_api.test_~b=1; HttpOnly", "c=; Max-Age=0"),
      ],
      [
        "answer",
        [
          "withheld: browsers refuse it from the target too, because it is __Host- without Secure",
          "withheld: browsers refuse it from the target too, because its Domain is another host",
          "withheld: it would set a cookie of the proxy's own, or the browser would send it to another host",
        ],
        cookies("__Host-a=1", "a=1; Domain=b.test", "proxy_host=x"),
      ],
      ["answer", ["ours: notes which host asked for a password"], [], cookies("proxy_auth=x")],
      ["answer", ["ours: another origin gets other CORS fields"], [], [["vary", "Origin"]]],
      ["answer", ["ours: proxy_headers changed the request"], [], [["vary", "proxy_headers, proxy-headers"]]],
      ["answer", NAMED, [["connection", "x-own"], ["x-own", "1"]]],
      [
        "answer",
        [
          SEALED,
          SEALED,
          "ours: the sealed headers, which browsers do not act on",
          "ours: keeps a sealed response from being shown or stored",
        ],
        [["content-type", "a/b"], ["etag", "x"]],
        [["content-type", "application/octet-stream"], ["x-fetchvia-head", "e30"], [
          "cache-control",
          "no-store",
        ]],
      ],
    ],
  ))("$side $before $after", ({ side, before = [], after = [], changes, rules }) => {
    expect(explain(side, before, after, changes)).toEqual(rules);
  });

  it("says nothing of what stayed", () => {
    const change = compareFields([["a", "1"]], [["a", "1"]])[0]!;
    expect(explainChange("request", change, PLAIN, PLAIN.hops[0]!)).toBe("");
  });
});

it.each([
  { after: [["Content-Security-Policy", "img-src *"]] as FieldLine[] },
  { after: [] },
])("a policy that upgrades requests leaves over http, and that is told: $after", ({ after }) => {
  const before: FieldLine[] = [["Content-Security-Policy", "img-src *; Upgrade-Insecure-Requests"]];
  expect(explain("answer", before, after))
    .toEqual(["without upgrade-insecure-requests, because the caller came over http"]);
});
