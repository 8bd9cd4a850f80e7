/** Secrets in addresses, wherever they stand. @module */
import { describe, expect, it } from "vitest";
import { maskAddress, maskTokens } from "../../../src/parts/capture/mask-address.ts";
import type { Masker } from "../../../src/parts/capture/masker.ts";
import { SECRET_ADDRESSES, SECRET_PARAMETERS } from "../../support/secret-names.ts";
import { textRows } from "../../support/rows.ts";

/** Shows what is masked. */
const masker: Masker = {
  hide: () => "***",
  hideInAddress: (secret) => /^(?:\*{3}\d+)?$/.test(secret) ? secret : `***${secret.length}`,
};

const ADDRESSES = textRows(["address", "masked"])`
  https://a.test/x?y=1&z#top | https://a.test/x?y=1&z#top
  https://u:pass@a.test/ | https://***6@a.test/
  https://u:p@ss@a.test/ | https://***6@a.test/
  https://a.test/@user/x@y | https://a.test/@user/x@y
  /x?token=abc&y=1 | /x?token=***3&y=1
  /x?TOKEN=abc | /x?TOKEN=***3
  /x?pass%77ord=a%26b | /x?pass%77ord=***3
  /x?password=a;b=c | /x?password=***5
  /x?token= | /x?token=
  /x?y=%zz | /x?y=%zz
  /#access_token=abc&state=1 | /#access_token=***3&state=1
  ?code=abc | ?code=***3
  /x;sig=abc/y | /x;sig=***3/y
  /__proxy__/fetch?arg=eyJ1cmwiOiJodHRwczovL2EudGVzdC8ifQ | /__proxy__/fetch?arg=***34
  /__proxy__/?url=https://u:p@a.test/?x=1&key=abc | /__proxy__/?url=https://***3@a.test/?x=1&key=***3
  /__proxy__/?url=${encodeURIComponent("https://u:p@a.test/?x=1&token=abc")} | /__proxy__/?url=${
  encodeURIComponent("https://***3@a.test/?x=1&token=***3")
}
  /?a=${encodeURIComponent(`/?b=${encodeURIComponent("/?token=abc")}`)} | /?a=${
  encodeURIComponent(`/?b=${encodeURIComponent("/?token=***3")}`)
}
  /?https://u:p@a.test/ | /?https://***3@a.test/
  /https://u:p@a.test/?token=abc | /https://***3@a.test/?token=***3
  /https:/u:p@a.test/ | /https:/***3@a.test/
  /${encodeURIComponent("https://u:p@a.test/?token=abc")} | /${
  encodeURIComponent("https://***3@a.test/?token=***3")
}
  /https%3Au%3Ap%40a.test/x | /https%3A***3%40a.test/x
  /https%253A%255C%255Cu%253Ap%2540a.test/x | /https%253A%255C%255C***3%2540a.test/x
  /?y=https%253Au%253Ap%2540a.test | /?y=https%253A***3%2540a.test
  /https%3A%2F%2Fa.test%2Ffv1.a.b | /https%3A%2F%2Fa.test%2F***7
  /token/hunter2/x?y=1 | /token/***7/x?y=1
  /token/introspect/x | /token/introspect/x
  /__proxy__/?url=https://u:a+b@a.test/?x=1 | /__proxy__/?url=https://***5@a.test/?x=1
  /?url=https://u:a%2F%20;b@a.test/ | /?url=https://***11@a.test/
  /?url=${encodeURIComponent("https://u:a;b@a.test/")} | /?url=${encodeURIComponent("https://***5@a.test/")}
  /?https://u:a=b@a.test/?sig=abc | /?https://***5@a.test/?sig=***3
  /?https://u:p@a.test/?sig=abc | /?https://***3@a.test/?sig=***3
  /#/way?code=abc&x=1 | /#/way?code=***3&x=1
  /x?a=1&amp;sig=abc | /x?a=1&amp;sig=***3
  /x?%20sig+=abc | /x?%20sig+=***3
  /x&sig=abc/y | /x&sig=***3/y
  /x?a=1%26code%3Dabc | /x?a=1%26code%3D***3
  /x?code[]=abc&key[0][12]=abc | /x?code[]=***3&key[0][12]=***3
  /x/%7B%22pin%22%3A%22abc%22%7D | /x/${encodeURIComponent('{"pin":"***3"}')}
  /x?user[proof]=abc&h.authorization=abc | /x?user[proof]=***3&h.authorization=***3
  /?q={"password":"abc","x":"y"} | /?q={"password":"***3","x":"y"}
  /?x=fv1.abc.def | /?x=***11
  /bot1:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/send | /bot1:***34/send
  https://d111111abcdef8abcdefgh.a.test/x | https://d111111abcdef8abcdefgh.a.test/x
  /x?cursor=AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw | /x?cursor=***34
  /x/507f1f77bcf86cd799439011 | /x/507f1f77bcf86cd799439011
   | `;

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
    ({ address }) => expect(maskAddress(address, masker)).not.toContain("PLANTED"),
  );

  it.each([{ depth: 4, isRead: true }, { depth: 5, isRead: false }])(
    "that lies $depth deep in others is read: $isRead, or masked whole",
    ({ depth, isRead }) => {
      let address = "/?y=1";
      for (let left = depth; left > 0; left -= 1) address = `/?x=${encodeURIComponent(address)}`;
      expect(maskAddress(address, masker) === address).toBe(isRead);
    },
  );
});

it.each([
  { text: "a fv1.aa.bb, c", masked: "a ***9, c" },
  { text: "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.", masked: "***36" },
  { text: '{"token" : "a\\"b"}', masked: '{"token" : "***4"}' },
  { text: '{"pin": 1234, "n": 5}', masked: '{"pin": "***4", "n": 5}' },
  { text: '{"n":[1],"token":["a","b]"],"m":1}', masked: '{"n":[1],"token":"***10","m":1}' },
  { text: '{"a":{"token":{"is":"b"}},"m":1}', masked: '{"a":{"token":"***10"},"m":1}' },
  { text: '{"token":null,"code":', masked: '{"token":null,"code":' },
  { text: '{"a":"{\\"token\\":\\"b\\"}"}', masked: '{"a":"***17"}' },
  { text: '{"a":"\\u0041\\"b\\""}', masked: '{"a":"\\u0041\\"b\\""}' },
  { text: "plain", masked: "plain" },
])("a text $text → $masked", ({ text, masked }) => expect(maskTokens(text, masker)).toBe(masked));
