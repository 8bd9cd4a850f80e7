/** `fetchvia explain` without a process. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { encodeArg } from "../../src/core/address/arg.ts";
import { mintToken, type TokenOptions } from "../../src/parts/tokens/mint.ts";
import { explainRequest } from "../../src/command/explain-command.ts";
import { rowsOf } from "../support/rows.ts";

const TARGETS = JSON.stringify({ "127.0.0.1": { methods: ["GET"], set: { "x-a": "v4lue" } } });

describe("explain", () => {
  it.each(rowsOf(["words", "chosen", "isAllowed"], [
    [["http://127.0.0.1:9/x"], "url", true],
    [["http://127.0.0.1:9/x", "--private-targets", "false"], "url", false],
    [["http://127.0.0.1:9/x", "--host", "0.0.0.0"], "url", false],
    [["http://127.0.0.1:8080/"], "url", false],
    [["http://127.0.0.1:8080/", "--port", "9000"], "url", true],
    [[encodeArg({ url: "http://127.0.0.1:9/" })], "arg", true],
    [["https://p.test/m/__proxy__/?url=http%3A%2F%2F127.0.0.1:9%2F", "--mount-path", "/m"], "url", true],
    [["/x", "--target", "http://127.0.0.1:9"], "preset", true],
    [["ws://127.0.0.1:9/x"], "url", true],
    [["ws://127.0.0.1:9/x", "--private-targets", "false"], "url", false],
    [["http://p.test/__proxy__/?url=ws%3A%2F%2F127.0.0.1:9%2F"], "url", true],
    [["/x", "--target", "http://127.0.0.1:9", "--header", "Upgrade: websocket"], "preset", true],
    [["/x", "--header", "Upgrade: websocket"], null, false],
    [["http://127.0.0.1:8080/__proxy__/at/127-0-0-1-9/x"], "at", true],
    [["/__proxy__/at/h-localhost-9/x"], null, false],
    [["/x"], null, true],
    [["nonsense"], null, false],
    [["http://127.0.0.1:9/", "--method", "TRACE"], null, false],
    [["http://127.0.0.1:9/", "--method", "TRACK"], "url", true],
    [["--targets", TARGETS, "--method", "POST", "http://127.0.0.1:9/"], "url", false],
    [["http://127.0.0.1:9/", "--method=GET", "--targets", TARGETS], "url", true],
    [
      ["http://127.0.0.1:9/", "--workers", "4", "--rate-limit", "1/1s", "--rate-limit-store", "redis://x"],
      "url",
      true,
    ],
  ]))("of $words", async ({ words, chosen, isAllowed }) => {
    const told = await explainRequest(words, { PROXY_TOKEN: "t0ken" });
    expect([JSON.parse(told.text).chosen, told.isAllowed]).toEqual([chosen, isAllowed]);
    expect(told.text).not.toMatch(/t0ken|v4lue/);
  });

  const folder = mkdtempSync(join(tmpdir(), "fetchvia-explain-"));
  const revoked = join(folder, "revoked.txt");
  writeFileSync(revoked, "gone\n");
  afterAll(() => rmSync(folder, { recursive: true }));

  const ASKING = { CALLER_TOKENS: "true", SIGNING_KEY: "s1gning" };
  const mint = (claims: Partial<TokenOptions> = {}) =>
    mintToken({ id: "ci", expires: 4_000_000_000, ...claims }, ASKING.SIGNING_KEY);

  it.each([
    { about: "none", make: () => Promise.resolve(""), rule: "token_missing" },
    { about: "a guess", make: () => Promise.resolve("guess"), rule: "token_wrong" },
    { about: "an old one", make: () => mint({ expires: 1 }), rule: "token_expired" },
    { about: "a revoked one", make: () => mint({ id: "lost" }), rule: "token_revoked" },
    { about: "one revoked in a file", make: () => mint({ id: "gone" }), rule: "token_revoked" },
    { about: "one for another path", make: () => mint({ paths: ["/v1/"] }), rule: "forbidden" },
    { about: "one that allows it", make: () => mint({ paths: ["/x"] }), rule: "addresses" },
  ])("of a proxy where everyone shows a token, with $about", async ({ make, rule }) => {
    const token = await make();
    const words = [
      "http://127.0.0.1:9/x",
      `--revoked-tokens=lost,@${revoked}`,
      ...(token ? ["--token", token] : []),
    ];
    const told = await explainRequest(words, ASKING);
    const { verdict, target } = JSON.parse(told.text);
    expect({ ...verdict, target }).toMatchObject({ rule, target: "http://127.0.0.1:9/x" });
    expect([told.isAllowed, verdict.allowed]).toEqual([rule === "addresses", rule === "addresses"]);
    expect(told.text).not.toMatch(/s1gning|fv1/);
  });

  const ALL = "https://app.test";
  const CROSS = ["--header", `Origin: ${ALL}`, "--header=Sec-Fetch-Site: cross-site"];
  const HOST = ["--header", "proxy_host: http://127.0.0.1:9"];

  it.each([
    { words: ["/x", ...HOST], rule: "addresses" },
    { words: ["/x", "--header", "Host: 127-0-0-1-9.w.localhost:8080"], rule: "addresses" },
    { words: ["/x", ...HOST, "--header", "Host: other.test"], rule: "address_prohibited" },
    { words: ["http://127.0.0.1:9/x", ...CROSS], rule: "forbidden" },
    { words: ["http://127.0.0.1:9/x", ...CROSS, "--cors-origins", ALL], rule: "addresses" },
    { words: ["http://127.0.0.1:9/x", "--header", "proxy_token: guess"], rule: "token_wrong" },
    { words: ["/x", ...HOST, "--header", "Service-Worker: script"], rule: "forbidden" },
    {
      words: ["http://127.0.0.1:9/x", "--header", "Content-Length: 9", "--max-request-bytes", "1"],
      rule: "request_too_large",
    },
  ])("judges $words at the door too", async ({ words, rule }) => {
    const { text, isAllowed } = await explainRequest(words, { PROXY_TOKEN: "t0ken" });
    const { verdict, target } = JSON.parse(text);
    expect({ rule: verdict.rule, target, isAllowed })
      .toEqual({ rule, target: "http://127.0.0.1:9/x", isAllowed: rule === "addresses" });
    expect(text).not.toMatch(/t0ken|guess/);
  });

  it.each(rowsOf(["origin", "flags", "grant", "why"], [
    [ALL, [], "none", "CORS_ORIGINS is not set, so the target decides"],
    [ALL, ["--cors-origins", "https://b.test"], "none", "CORS_ORIGINS does not list the origin"],
    [ALL, ["--cors-origins", ALL], "listed", "CORS_ORIGINS lists the origin"],
    ["http://localhost:3000", [], "listed", "The origin is one of this machine"],
    ["http://localhost:8080", [], "none", "CORS_ORIGINS is not set, so the target decides"],
  ]))("tells of the page's origin $origin with $flags: $grant", async ({ origin, flags, grant, why }) => {
    const { text } = await explainRequest(["/x", ...HOST, "--header", `Origin: ${origin}`, ...flags], {});
    expect(JSON.parse(text).cors).toEqual({ origin, grant, why });
  });

  it.each(rowsOf(["words", "says"], [
    [["/", "--header", "s3cret"], /^Cannot explain: --header is not usable, expected (?!.*s3cret)/],
    [["/", "--header", "a b: s3cret"], /^Cannot explain: --header is not usable/],
    [
      ["/", "--header"],
      /^Option '--header <value>' argument missing, expected a value behind it \(see fetchvia explain/,
    ],
    [[], /^Cannot explain: there is no input, expected /],
    [["--port", "1"], /^Cannot explain: there is no input, expected /],
    [["http://a.test", "--method"], /^Option '--method <value>' argument missing/],
    [["http://a.test", "--method="], /^Cannot explain: --method is empty, expected /],
    [["http://a.test", "--method=GET", "--method=PUT"], /^Option '--method' is there twice/],
    [["http://a.test", "b"], /^Cannot explain: there are 2 arguments, expected an address/],
    [["--nope"], /^Unknown option '--nope', expected .+ \(see fetchvia explain --help\)$/],
    [["http://a.test", "--token="], /^Cannot explain: --token is empty, expected /],
    [["http://a.test", "--method", "a b"], /^Cannot explain this: method is not usable/],
    [["http://a.test", "--prt", "1"], /--prt/],
    [["http://a.test", "--port", "x"], /--port|PORT/],
  ]))("refuses $words", ({ words, says }) => expect(explainRequest(words, {})).rejects.toThrow(says));
});
