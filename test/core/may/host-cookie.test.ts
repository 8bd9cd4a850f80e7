/** Links that set the host and go on: which answers hold one, and how it is marked. @module */
import { describe, expect, it } from "vitest";
import { Fields } from "../../../src/core/http/fields.ts";
import { hasHostLink, markHostLinks } from "../../../src/core/may/host-cookie.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { rowsOf } from "../../support/rows.ts";

const LINK = "/__proxy__/?host=https%3A%2F%2Fb.test&then=%2Fx";
const HERE = { cookie: "proxy_host=https://a.test" };

describe("an answer", () => {
  it.each([
    { name: "location", value: LINK, has: true },
    { name: "location", value: `/mounted${LINK}`, has: true },
    { name: "refresh", value: `0; url=${LINK}`, has: true },
    { name: "refresh", value: `0; url='${LINK}'`, has: true },
    { name: "location", value: "/__proxy__/?host=https%3A%2F%2Fb.test", has: false },
    { name: "location", value: "/__proxy__/?url=x&then=y", has: false },
    { name: "link", value: LINK, has: false },
  ])("with $name: $value holds one: $has", ({ name, value, has }) => {
    expect(hasHostLink(new Fields([[name, value]]))).toBe(has);
  });

  it.each(rowsOf(["name", "value", "marked"], [
    ["location", LINK, /^\/__proxy__\/\?host=https%3A%2F%2Fb\.test&then=%2Fx&proof=[\w-]{22}$/],
    ["refresh", `5;url="${LINK}"`, /^5;url="[^"]*&then=%2Fx&proof=[\w-]{22}"$/],
    ["location", "/plain", /^\/plain$/],
  ]))("has it marked: $name: $value", async ({ name, value, marked }) => {
    const headers = new Fields([[name, value]]);
    await markHostLinks(headers, exchangeOf({ fields: HERE }));
    expect(headers.get(name)).toMatch(marked);
  });
});
