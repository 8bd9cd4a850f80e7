/**
 * Secrets in addresses, wherever they stand.
 * @module
 */
import { describe, expect, it } from "vitest";
import { maskAddress, maskTokens } from "../../../src/exchange/capture/mask-address.ts";
import type { Masker } from "../../../src/exchange/capture/masker.ts";
import { SECRET_ADDRESSES, SECRET_PARAMETERS } from "../../support/secret-names.ts";

/** Shows what is masked. */
const masker: Masker = {
  hide: () => "***",
  hideInAddress: (secret) => /^(?:\*{3}\d+)?$/.test(secret) ? secret : `***${secret.length}`,
};

const ADDRESSES = [
  { address: "https://a.test/x?y=1&z#top", masked: "https://a.test/x?y=1&z#top" },
  { address: "https://u:pass@a.test/", masked: "https://***6@a.test/" },
  { address: "https://u:p@ss@a.test/", masked: "https://***6@a.test/" },
  { address: "https://a.test/@user/x@y", masked: "https://a.test/@user/x@y" },
  { address: "/x?token=abc&y=1", masked: "/x?token=***3&y=1" },
  { address: "/x?TOKEN=abc", masked: "/x?TOKEN=***3" },
  { address: "/x?pass%77ord=a%26b", masked: "/x?pass%77ord=***3" },
  { address: "/x?password=a;b=c", masked: "/x?password=***5" },
  { address: "/x?token=", masked: "/x?token=" },
  { address: "/x?y=%zz", masked: "/x?y=%zz" },
  { address: "/#access_token=abc&state=1", masked: "/#access_token=***3&state=1" },
  { address: "?code=abc", masked: "?code=***3" },
  { address: "/x;sig=abc/y", masked: "/x;sig=***3/y" },
  {
    address: "/__proxy__/fetch?arg=eyJ1cmwiOiJodHRwczovL2EudGVzdC8ifQ",
    masked: "/__proxy__/fetch?arg=***34",
  },
  {
    address: "/__proxy__/?url=https://u:p@a.test/?x=1&key=abc",
    masked: "/__proxy__/?url=https://***3@a.test/?x=1&key=***3",
  },
  {
    address: `/__proxy__/?url=${encodeURIComponent("https://u:p@a.test/?x=1&token=abc")}`,
    masked: `/__proxy__/?url=${encodeURIComponent("https://***3@a.test/?x=1&token=***3")}`,
  },
  {
    address: `/?a=${encodeURIComponent(`/?b=${encodeURIComponent("/?token=abc")}`)}`,
    masked: `/?a=${encodeURIComponent(`/?b=${encodeURIComponent("/?token=***3")}`)}`,
  },
  { address: "/?https://u:p@a.test/", masked: "/?https://***3@a.test/" },
  { address: "/https://u:p@a.test/?token=abc", masked: "/https://***3@a.test/?token=***3" },
  { address: "/https:/u:p@a.test/", masked: "/https:/***3@a.test/" },
  {
    address: `/${encodeURIComponent("https://u:p@a.test/?token=abc")}`,
    masked: `/${encodeURIComponent("https://***3@a.test/?token=***3")}`,
  },
  { address: '/?q={"password":"abc","x":"y"}', masked: '/?q={"password":"***3","x":"y"}' },
  { address: "/?x=fv1.abc.def", masked: "/?x=***11" },
  { address: "/bot1:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/send", masked: "/bot1:***34/send" },
  { address: "https://d111111abcdef8abcdefgh.a.test/x", masked: "https://d111111abcdef8abcdefgh.a.test/x" },
  { address: "/x?cursor=AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw", masked: "/x?cursor=***34" },
  { address: "/x/507f1f77bcf86cd799439011", masked: "/x/507f1f77bcf86cd799439011" },
  { address: "", masked: "" },
];

describe("an address", () => {
  it.each(ADDRESSES)("$address → $masked", ({ address, masked }) => {
    expect(maskAddress(address, masker)).toBe(masked);
  });

  it.each(SECRET_PARAMETERS)("loses the parameter %s", (name) => {
    const start = `/x?a=1&${encodeURIComponent(name)}=`;
    expect(maskAddress(`${start}PLANTED&b`, masker)).toBe(`${start}***7&b`);
  });

  it.each(SECRET_ADDRESSES.filter(({ address }) => /^\w+:\/\/\S+$/.test(address)))(
    "loses $what",
    ({ address }) => {
      expect(maskAddress(address, masker)).not.toContain("PLANTED");
    },
  );

  it("that lies too deep in others is masked whole", () => {
    let address = "/?token=abc";
    for (let depth = 0; depth < 8; depth += 1) address = `/?x=${encodeURIComponent(address)}`;
    expect(maskAddress(address, masker)).not.toContain("abc");
  });

  it("is masked in time, however long", () => {
    const start = performance.now();
    for (const part of ["%2f", "?a=", "//", "&x=%3d", '"a":', "eyJ", "a@", ";="]) {
      maskAddress(`/x?${part.repeat(5_000)}`, masker);
    }
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe("a text", () => {
  it.each([
    { text: "a fv1.aa.bb, c", masked: "a ***9, c" },
    { text: "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.", masked: "***36" },
    { text: '{"token" : "a\\"b"}', masked: '{"token" : "***4"}' },
    { text: "plain", masked: "plain" },
  ])("$text → $masked", ({ text, masked }) => {
    expect(maskTokens(text, masker)).toBe(masked);
  });
});
