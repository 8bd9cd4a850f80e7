/** What a target must be before a link hides it; the links themselves are in `client.test.ts`. */
import { describe, expect, it } from "vitest";
import { checkTarget, fetchUrl, proxyUrl } from "../../src/client/proxy-link.ts";
import { labelFor } from "../../src/client/client.ts";
import { MESSAGE } from "../support/message.ts";

const BASE = "http://localhost:8080";

const FAULTS = [
  { target: "localhost:21001/x", says: /its scheme is localhost:, expected http:\/\/localhost:21001\/x/ },
  { target: "example.com/x", says: /it has no scheme, expected an absolute address/ },
  { target: "/x", says: /it has no scheme/ },
  { target: "", says: /it has no scheme/ },
  { target: "127.0.0.1:3000", says: /it has no scheme/ },
  { target: "ftp://example.com/", says: /its scheme is ftp:, expected http or https/ },
  { target: "mailto:a@example.com", says: /its scheme is mailto:, expected http or https/ },
  { target: "https:example.com", says: /expected https:\/\/ in front/ },
  { target: "https:/example.com", says: /expected https:\/\/ in front/ },
  { target: "https://", says: /its host or port is malformed/ },
  { target: "https://example.com:99999/", says: /its host or port is malformed/ },
  { target: "https://user:secret@exa mple.com/", says: /\*\*\*@exa mple\.com.* malformed/ },
];

describe.each(FAULTS)("a target such as $target", ({ target, says }) => {
  it.each([
    { by: "proxyUrl", act: () => proxyUrl(BASE, target) },
    { by: "fetchUrl", act: () => fetchUrl(BASE, { url: target }) },
    { by: "labelFor", act: () => Promise.resolve(target).then(labelFor) },
  ])("is refused by $by, which says why", async ({ act }) => {
    const error: unknown = await act().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(says);
    expect((error as Error).message).toMatch(MESSAGE);
  });
});

describe("checkTarget", () => {
  it.each([
    { target: "https://example.com" },
    { target: "HTTP://localhost:21001/x?y=:1#z" },
    { target: "https://user:pass@[::1]:1/" },
    { target: new URL("https://example.com/ü") },
  ])("gives $target back as it is written", ({ target }) => expect(checkTarget(target)).toBe(String(target)));

  it("leaves WebSockets to links by url", async () => {
    expect(await proxyUrl(BASE, "wss://a.test/s")).toBe(`${BASE}/__proxy__/?url=wss%3A%2F%2Fa.test%2Fs`);
    await expect(fetchUrl(BASE, { url: "wss://a.test/s" })).rejects.toThrow(/its scheme is wss:/);
  });
});
