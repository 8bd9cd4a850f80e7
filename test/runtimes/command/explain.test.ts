/**
 * `fetchvia explain` without a process.
 * @module
 */
import { describe, expect, it } from "vitest";
import { encodeArg } from "../../../src/address/arg.ts";
import { explainRequest } from "../../../src/runtimes/command/explain.ts";

const TARGETS = JSON.stringify({ "127.0.0.1": { methods: ["GET"], set: { "x-a": "v4lue" } } });

describe("explain", () => {
  it.each([
    { words: ["http://127.0.0.1:9/x"], chosen: "url", isAllowed: true },
    { words: ["http://127.0.0.1:9/x", "--private-targets", "false"], chosen: "url", isAllowed: false },
    { words: ["http://127.0.0.1:9/x", "--host", "0.0.0.0"], chosen: "url", isAllowed: false },
    { words: ["http://127.0.0.1:8080/"], chosen: "url", isAllowed: false },
    { words: ["http://127.0.0.1:8080/", "--port", "9000"], chosen: "url", isAllowed: true },
    { words: [encodeArg({ url: "http://127.0.0.1:9/" })], chosen: "arg", isAllowed: true },
    {
      words: ["https://p.test/m/__proxy__/?url=http%3A%2F%2F127.0.0.1:9%2F", "--mount-path", "/m"],
      chosen: "url",
      isAllowed: true,
    },
    { words: ["/x", "--target", "http://127.0.0.1:9"], chosen: "preset", isAllowed: true },
    { words: ["/x"], chosen: null, isAllowed: true },
    { words: ["nonsense"], chosen: null, isAllowed: false },
    {
      words: ["http://127.0.0.1:9/", "--targets", TARGETS, "--method", "POST"],
      chosen: "url",
      isAllowed: false,
    },
    { words: ["http://127.0.0.1:9/", "--method=GET", "--targets", TARGETS], chosen: "url", isAllowed: true },
    {
      words: [
        "http://127.0.0.1:9/",
        "--workers",
        "4",
        "--rate-limit",
        "1/1s",
        "--rate-limit-store",
        "redis://x",
      ],
      chosen: "url",
      isAllowed: true,
    },
  ])("of $words", async ({ words, chosen, isAllowed }) => {
    const told = await explainRequest(words, { PROXY_TOKEN: "t0ken" });
    expect([JSON.parse(told.text).chosen, told.isAllowed]).toEqual([chosen, isAllowed]);
    expect(told.text).not.toMatch(/t0ken|v4lue/);
  });

  it("of a proxy where everyone shows a token of their own", async () => {
    const environment = { CALLER_TOKENS: "true", SIGNING_KEY: "s1gning" };
    const told = await explainRequest(["http://127.0.0.1:9/x"], environment);
    expect(told.isAllowed).toBe(true);
    expect(told.text).not.toMatch(/s1gning|fv1/);
  });

  it.each([
    { words: [], says: /^Cannot explain: there is no input, expected / },
    { words: ["--port", "1"], says: /^Cannot explain: there is no input, expected / },
    { words: ["http://a.test", "--method"], says: /^Cannot explain: --method is empty, expected / },
    { words: ["http://a.test", "--method", "TRACE"], says: /^Cannot explain this: method is not usable/ },
    { words: ["http://a.test", "--prt", "1"], says: /--prt/ },
    { words: ["http://a.test", "--port", "x"], says: /--port|PORT/ },
  ])("refuses $words", async ({ words, says }) => {
    await expect(explainRequest(words, {})).rejects.toThrow(says);
  });
});
