/** Which requests are dressed, and how the changes of several parts are joined. @module */
import { describe, expect, it } from "vitest";
import type { Dress, Exchange, HopRequest } from "../../../src/core/exchange/exchange.ts";
import { dressHop, hooksOf } from "../../../src/core/exchange/hooks.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { hooksFor, tableOf } from "../../support/table.ts";
import { rowsOf } from "../../support/rows.ts";
import { tokenRules } from "../../../src/parts/tokens/caller-token.ts";

const exchange: Exchange = { ...exchangeOf({ fields: { host: "localhost:8080" } }), asker: "program" };
const hopTo = (address: string) => ({
  origin: new URL(address),
  path: "/",
  headers: new Fields(),
  addresses: undefined,
});
const NAMED = { isNamed: true, isWhole: false };
const isDressed = (known: Exchange, address: string) => dressHop(hopTo(address), NAMED, known) !== undefined;

describe("whether there is anything to dress", () => {
  it.each(rowsOf(["members", "expected"], [
    [{ set: { a: "1" } }, true],
    [{ set: { "?a": "1" } }, true],
    [{ set: { "?a": "{{KEY}}" } }, true],
    [{ remove: ["a"] }, true],
    [{ host: "caller" }, true],
    [{ sign: { aws: { region: "r", service: "s", key: "k", secret: "{{KEY}}" } } }, true],
    [{ methods: ["GET"] }, true],
    [{ paths: ["/"] }, true],
    [{ answerSet: { a: "1" }, timeoutMs: 5 }, false],
    [{}, false],
  ]))("is $expected for $members", ({ members, expected }) => {
    const known = { ...exchange, parts: hooksFor(tableOf({ "a.test": members })) };
    expect(isDressed(known, "https://a.test")).toBe(expected);
    expect(isDressed(known, "https://b.test")).toBe(false);
  });

  it("holds for every target where callers may place keys: elsewhere that is refused", () => {
    const known = { ...exchange, parts: hooksFor(tableOf({ "a.test": { keys: ["KEY"] } })) };
    expect(isDressed(known, "https://b.test")).toBe(true);
  });

  it.each([
    { claims: {}, expected: false },
    { claims: { paths: ["/v1/"] }, expected: true },
    { claims: { methods: ["GET"] }, expected: true },
  ])("is $expected without a table, for a token with $claims", ({ claims, expected }) => {
    const token = { claims } as never;
    const known = { ...exchange, parts: hooksOf([tokenRules({ revoked: new Set() })]) };
    expect(isDressed({ ...known, token }, "https://a.test")).toBe(expected);
    expect(isDressed(known, "https://a.test")).toBe(false);
  });
});

describe("the changes of parts", () => {
  it("get of a request the hop alone: what else it holds stays behind", () => {
    const hops: HopRequest[] = [];
    const parts = hooksOf([{ dress: (hop) => void hops.push(hop) as undefined }]);
    const hop = hopTo("https://a.test");
    const request = { ...hop, body: null } as typeof hop;
    expect(dressHop(request, NAMED, { ...exchange, parts })).toBeUndefined();
    expect(hops).toEqual([{ ...hop, ...NAMED }]);
  });

  it("are made one after the other, and what each hides is hidden", () => {
    const hide = (secret: string, next: string) => ({
      dress: ({ path, headers }: HopRequest): Dress => ({
        path: path + next,
        headers,
        redact: (answer) => ({ ...answer, statusText: answer.statusText?.replace(secret, "-") ?? "" }),
      }),
    });
    const parts = hooksOf([hide("a", "1"), {}, hide("b", "2")]);
    const dress = dressHop(hopTo("https://a.test"), NAMED, { ...exchange, parts });
    const answer = { status: 200, statusText: "abc", headers: new Fields(), body: null };
    expect([dress?.path, dress?.redact?.(answer).statusText]).toEqual(["/12", "--c"]);
  });

  it("keep the signature of the one that signs", () => {
    const signing: Dress["signing"] = { sign: (outgoing) => Promise.resolve(outgoing), release() {} };
    const plain = { dress: ({ path, headers }: HopRequest): Dress => ({ path, headers }) };
    const signer = { dress: (hop: HopRequest): Dress => ({ ...plain.dress(hop), signing }) };
    for (const rules of [[signer, plain], [plain, signer]]) {
      expect(dressHop(hopTo("https://a.test"), NAMED, { ...exchange, parts: hooksOf(rules) })?.signing)
        .toBe(signing);
    }
  });
});
