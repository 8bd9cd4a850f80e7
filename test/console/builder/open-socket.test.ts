/** The WebSocket client's pure parts. @module */
import { describe, expect, it } from "vitest";
import { emptyDraft } from "../../../src/console/builder/draft.ts";
import { nameClose, readHandshake, readHex } from "../../../src/console/builder/socket-view.ts";

describe("readHandshake", () => {
  it("makes a GET of the draft, with its protocols apart", () => {
    const headers: [string, string][] = [["Sec-WebSocket-Protocol", "a, b,"], ["authorization", "x"], [
      "Host",
      "h",
    ]];
    const draft = {
      ...emptyDraft(),
      method: "POST",
      kind: "raw" as const,
      body: "x",
      address: " WSS://a.test/p?q",
    };
    expect(readHandshake({ ...draft, headers }, { host: null })).toEqual({
      request: {
        method: "GET",
        url: "https://a.test/p?q",
        headers: [["authorization", "x"]],
        redirect: "manual",
      },
      protocols: ["a", "b"],
      notes: [expect.stringMatching(/around the address/), "Does not go out: Host"],
    });
  });

  it("tells what is wrong", () =>
    expect(readHandshake({ ...emptyDraft(), address: "ws://" }, { host: null }).problem)
      .toMatch(/no address/));
});

describe("hexadecimal digits", () => {
  it.each([
    { text: "00 fF\n10", bytes: [0, 255, 16] },
    { text: "", bytes: [] },
  ])("$text", ({ text, bytes }) => expect([...readHex(text) ?? [-1]]).toEqual(bytes));

  it.each(["0", "0g", "0x00"])("are not %s", (text) => expect(readHex(text)).toBeUndefined());
});

it.each([
  { code: 1000, name: "normal" },
  { code: 1006, name: /no close frame/ },
  { code: 4001, name: "of the application" },
  { code: 1999, name: "reserved" },
])("nameClose $code", ({ code, name }) => expect(nameClose(code)).toMatch(name));
