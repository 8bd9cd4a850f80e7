/** The cookies that are expired when a browser changes its host. */
import { describe, expect, it } from "vitest";
import { expireCookies } from "../../../src/core/http/expire-cookies.ts";
import { rowsOf } from "../../support/rows.ts";

function expire(cookie: string | null, options: Partial<Parameters<typeof expireCookies>[2]> = {}): Headers {
  const headers = new Headers();
  expireCookies(headers, cookie, { mountPath: "", secure: "", isAll: false, ...options });
  return headers;
}

const gone = (name: string, path = "/", rest = "") => `${name}=; Path=${path}; HttpOnly; Max-Age=0${rest}`;

describe("expireCookies", () => {
  it.each(rowsOf(["cookie", "lines"], [
    [null, []],
    ["proxy_host=http://a.test; proxy_token=t", []],
    ["a=1; b=2; a=3", [gone("a"), gone("b")]],
    ["nameless", []],
    ["proxy_at_x~sid=1; proxy_auth=m", []],
    ["a=1; proxy_set_ui~!2Fapp=1", [gone("ui", "/app"), gone("proxy_set_ui~!2Fapp"), gone("a")]],
  ]))("$cookie: $lines", ({ cookie, lines }) => expect(expire(cookie).getSetCookie()).toEqual(lines));

  it("takes those that are kept for hosts when the host is cleared", () => {
    expect(expire("proxy_at_x~sid=1; proxy_auth=m", { isAll: true }).getSetCookie()).toEqual([
      gone("proxy_at_x~sid"),
      gone("proxy_auth"),
    ]);
  });

  it("knows where the proxy is mounted, and https", () => {
    const options = { mountPath: "/p", secure: "; Secure" };
    expect(expire("a=1", options).getSetCookie()).toEqual([gone("a", "/p", "; Secure")]);
  });

  it.each([{ count: 49, told: null }, {
    count: 50,
    told: 'fetchvia; details="1 cookies are left: ask again"',
  }])("writes 49 lines of $count, and tells of the others: $told", ({ count, told }) => {
    const headers = expire(Array.from({ length: count }, (_, at) => `c${at}=1`).join("; "));
    expect(headers.getSetCookie()).toHaveLength(49);
    expect(headers.get("proxy-status")).toBe(told);
  });
});
