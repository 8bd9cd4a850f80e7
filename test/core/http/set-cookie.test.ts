/** Rewriting of `Set-Cookie`: works at the proxy's address, never steers the proxy, and everything else stays. */
import { describe, expect, it } from "vitest";
import { releaseCookies } from "../../../src/core/http/cookie-jar.ts";
import { CARRIER, restoreCarriedCookies, SECURE_CARRIER } from "../../../src/core/http/cookies.ts";
import { type CookieMapping, rewriteSetCookie } from "../../../src/core/http/set-cookie.ts";
import { rowsOf } from "../../support/rows.ts";

const PLAIN: CookieMapping = {
  origin: { hosts: ["www.a.test"], isTrusted: true },
  secure: false,
  basePath: "",
  mountPath: "",
  path: "map",
};
const SECURE: CookieMapping = { ...PLAIN, secure: true };
const BASED: CookieMapping = { ...SECURE, basePath: "/v1" };
const WIDENED: CookieMapping = { ...SECURE, path: "widen" };
/** The line as it goes on; `undefined` for none. */
function rewrite(line: string, context: CookieMapping): string | undefined {
  const [first, ...others] = rewriteSetCookie(line, context);
  expect(others).toEqual([]);
  return first;
}

const MOUNTED: CookieMapping = { ...SECURE, mountPath: "/p" };

describe("stays byte for byte", () => {
  const rows = [
    { about: "an empty value", line: "a=" },
    { about: "a nameless cookie", line: "=x; Path=/" },
    { about: "a nameless cookie without =", line: "x" },
    { about: "a quoted value", line: 'a="b c,d"; HttpOnly' },
    { about: "a value with =", line: "a=b=c==; Max-Age=5" },
    { about: "bytes beyond ASCII", line: "\u00c3\u00a0=\u00e9\u00a0; Max-Age=5" },
    { about: "unknown attributes", line: "a=1; Priority=High; x; y=; =z" },
    { about: "odd spacing, case and order", line: " a = 1 ;HTTPONLY;  sameSITE = strict ; max-age=3;; " },
    { about: "repeated attributes", line: "a=1; Path=/x; Path=/y" },
    { about: "SameSite=Lax", line: "a=1; SameSite=Lax" },
    { about: "a path", line: "a=1; path = /x/y " },
    { about: "attribute words as value", line: "a=Secure=Domain" },
    { about: "attribute words inside others", line: "a=1; NotSecure; Domains=x; x=Secure" },
    { about: "names that only look like the proxy's", line: "proxy_hosts=1; Path=/" },
    { about: "the proxy's name as a value", line: "a=proxy_host=x" },
    { about: "the proxy's name as an attribute", line: "a=1; proxy_host=x" },
  ];
  it.each(rows)("over http, $about: $line", ({ line }) => expect(rewrite(line, PLAIN)).toBe(line));
  it.each(rows)("over https, $about: $line", ({ line }) => expect(rewrite(line, SECURE)).toBe(line));
});

describe("never reaches the caller", () => {
  const rows = [
    { about: "__Secure- in another case", line: "__sEcUrE-proxy_token=x; Secure" },
    { about: "__Http-", line: "__Http-proxy_host=x; Secure; HttpOnly" },
    { about: "__Host-Http-", line: "__Host-Http-proxy_host=x; Path=/; Secure; HttpOnly" },
    { about: "blanks around the name", line: " \tproxy_host\t =x" },
    { about: "control bytes around the name", line: "\u000b\u0001proxy_host\u0001=x" },
    { about: "a no-break space", line: "\u00a0proxy_host\u00a0=x" },
    { about: "a byte order mark", line: "\u00ef\u00bb\u00bfproxy_host=x" },
    { about: "no value, with blanks", line: "\tproxy_token " },
    { about: "a nameless cookie with blanks", line: " = proxy_host = x" },
    { about: "a nameless cookie, twice nameless", line: "==proxy_host=x" },
    { about: "a nameless cookie with a prefix", line: "=__Host-proxy_host=x" },
    { about: "a nameless cookie that is the name", line: "=proxy_host" },
    { about: "the carrier in another case", line: `${CARRIER.toUpperCase()}__Host-sid=x` },
    { about: "the carrier of the proxy's own", line: `${CARRIER}__Host-proxy_host=x` },
    { about: "the beginning of the carrier", line: `${CARRIER}x=1` },
    { about: "the carrier without a name", line: `=${CARRIER}__Host-sid=x` },
    { about: "the carrier with blanks", line: `\t ${CARRIER}__Host-sid =x` },
    { about: "the carrier of https", line: `${SECURE_CARRIER}__Host-sid=x; Secure` },
    { about: "the carrier of https in another case", line: `__sECURE-${CARRIER}__Host-sid=x; Secure` },
  ];
  it.each(rows)("over http, $about: $line", ({ line }) => expect(rewrite(line, PLAIN)).toBeUndefined());
  it.each(rows)("over https, $about: $line", ({ line }) => expect(rewrite(line, SECURE)).toBeUndefined());
});

describe("over plain http", () => {
  it.each(rowsOf(["about", "line", "rewritten"], [
    ["Domain without value", "a=1; domain", "a=1"],
    ["Domain, spaced, in capitals, twice", "a=1;DOMAIN = b ; x;Domain=.a.test", "a=1; x"],
    ["Secure with a value", "a=1; secure=false; HttpOnly", "a=1; HttpOnly"],
    ["Partitioned", "a=1; Secure; Partitioned; Path=/", "a=1; Path=/"],
    ["SameSite=None, spelled oddly", "a=1;  samesite = NONE ;x;Secure", "a=1;  samesite =Lax;x"],
    ["__Host-", "__Host-sid=1; Path=/; Secure", `${CARRIER}__Host-sid=1; Path=/`],
    ["__Secure-", "__Secure-sid=1; Secure", `${CARRIER}__Secure-sid=1`],
    ["__Http-", "__Http-sid=1; Secure; HttpOnly", `${CARRIER}__Http-sid=1; HttpOnly`],
    ["a prefix in another case", "__hOST-sid=1; Path=/; Secure", `${CARRIER}__hOST-sid=1; Path=/`],
    ["a prefix with blanks", " \t__Secure-sid =1;Secure", ` \t${CARRIER}__Secure-sid =1`],
    ["an unknown prefix, which stays", "__Other-sid=1", "__Other-sid=1"],
    ["a prefix in the value, which stays", "a=__Host-b=1", "a=__Host-b=1"],
  ]))("$about: $line", ({ line, rewritten }) => expect(rewrite(line, PLAIN)).toBe(rewritten));

  it.each(["__Host-sid=1", "__secure-A.b~=x=y", "__Http-sid=", "__Host-=1", `__Host-${CARRIER}__Host-sid=1`])(
    "gives %s back to the target",
    (pair) => {
      const [stored] = rewrite(`${pair}; Path=/; Secure; HttpOnly`, PLAIN)?.split(";") ?? [];
      expect(restoreCarriedCookies(`a=1; ${stored}`)).toBe(`a=1; ${pair}`);
    },
  );
});

it.each([
  {
    about: "Domain only",
    line: "a=1; Domain=a.test; Secure; Partitioned; SameSite=None",
    rewritten: "a=1; Secure; Partitioned; SameSite=None",
  },
  { about: "no prefix", line: "__Host-sid=1; Path=/; Secure", rewritten: "__Host-sid=1; Path=/; Secure" },
])(
  "over https changes $about: $line",
  ({ line, rewritten }) => expect(rewrite(line, SECURE)).toBe(rewritten),
);

describe("over https, where Path is not /", () => {
  const contexts = [
    { about: "mounted", context: MOUNTED, path: "/p" },
    { about: "mounted and widened", context: { ...WIDENED, mountPath: "/p" }, path: "/p" },
  ];
  it.each(contexts)("carries a name that browsers would refuse, $about", ({ context, path }) => {
    const names = ["__Host-sid", "__hOST-Sid", "__Host-Http-sid"];
    expect(names.map((name) => rewrite(`${name}=1; Path=/; Secure; HttpOnly`, context)))
      .toEqual(names.map((name) => `${SECURE_CARRIER}${name}=1; Path=${path}; Secure; HttpOnly`));
  });

  it.each(contexts)("keeps every other name, $about", ({ context, path }) => {
    const names = ["__Secure-sid", "__Http-sid", "sid", "a__Host-sid"];
    expect(names.map((name) => rewrite(`${name}=1; Path=/; Secure; HttpOnly`, context)))
      .toEqual(names.map((name) => `${name}=1; Path=${path}; Secure; HttpOnly`));
  });

  it.each(["__Host-sid=1", "__hOST-a=x=y", `__Host-${SECURE_CARRIER}__Host-x=1`])(
    "gives %s back to the target",
    (pair) => {
      const [stored = ""] = rewrite(`${pair}; Path=/; Secure`, MOUNTED)?.split(";") ?? [];
      expect(restoreCarriedCookies(`a=1; ${stored}`, true)).toBe(`a=1; ${pair}`);
    },
  );
});

describe("a name that would become too long", () => {
  /** A pair of so many bytes, with a value that fills it. */
  const fill = (name: string, bytes: number) => `${name}=${"x".repeat(bytes - name.length)}`;
  const jar = { owner: "http_a.test_", defaultPath: "/app", room: 1, isShown: () => false };
  const names = [
    { about: "in the jar", name: "sid", context: { ...PLAIN, jar }, longer: "proxy_at_http_a.test_~" },
    { about: "over http", name: "__Host-a", context: PLAIN, longer: CARRIER },
    { about: "mounted", name: "__Host-a", context: MOUNTED, longer: SECURE_CARRIER },
  ];

  it.each(names)("stays, $about", ({ name, context, longer }) => {
    const kept = fill(name, 4_097 - longer.length);
    const changed = fill(name, 4_096 - longer.length);
    const pairs = [kept, changed].map((pair) =>
      rewriteSetCookie(`${pair}; Path=/; Secure; HttpOnly`, context).map((line) => line.split(";")[0])
    );
    expect(pairs).toEqual([[kept], [longer + changed]]);
    expect(releaseCookies(kept, jar.owner, false)).toBe(kept);
  });

  it("is noted below a path, so that a change of host ends it", () => {
    const pair = fill("sid", 4_090);
    expect(rewriteSetCookie(`${pair}; Path=/x; HttpOnly`, { ...PLAIN, jar }))
      .toEqual([`${pair}; Path=/x; HttpOnly`, "proxy_set_sid~!2Fx=1; Path=/; HttpOnly; SameSite=Lax"]);
  });

  it.each([
    { about: "no note is left", pair: fill("sid", 4_090), room: 0 },
    { about: "its note would be too long", pair: `${"x".repeat(4_085)}=`, room: 1 },
  ])("is not stored below a path where $about", ({ pair, room }) => {
    const context = { ...PLAIN, jar: { ...jar, room } };
    expect(rewriteSetCookie(`${pair}; Path=/x; HttpOnly`, context)).toEqual([]);
    expect(rewriteSetCookie(`${pair}; Path=/x`, context)).toEqual([]);
  });

  it("has its host where its note would be too long", () => {
    const name = "%".repeat(1_500);
    expect(rewriteSetCookie(`${name}=1; Path=/x`, { ...PLAIN, jar }))
      .toEqual([`proxy_at_http_a.test_~${name}=1; Path=/x; HttpOnly`]);
  });
});

describe("Path seen through the base path /v1", () => {
  it.each([
    { about: "inside, with a slash at the end", path: "/v1/users/", mapped: "/users/" },
    { about: "another case", path: "/V1/users", mapped: "/V1/users" },
    { about: "no path, which is the default", path: "", mapped: "" },
    { about: "relative, which is the default", path: "v1/users", mapped: "v1/users" },
    { about: "bytes beyond ASCII", path: "/v1/\u00c3\u00a0", mapped: "/\u00c3\u00a0" },
    { about: "two slashes", path: "/v1//users", mapped: "//users" },
  ])("$about: $path → $mapped", ({ path, mapped }) => {
    expect(rewrite(`a=1; HttpOnly; Path=${path}; x`, BASED)).toBe(`a=1; HttpOnly; Path=${mapped}; x`);
  });

  it.each(rowsOf(["about", "line", "rewritten"], [
    ["the spelling of the name", "a=1;  PATH = /v1/x ;y", "a=1;  PATH =/x;y"],
    ["each of two", "a=1; Path=/v1/x; Path=/v1", "a=1; Path=/x; Path=/"],
    ["no value", "a=1; Path; x", "a=1; Path; x"],
    ["none, where the default is right", "a=1; x", "a=1; x"],
    ["a __Host- cookie", "__Host-a=1; Path=/; Secure", "__Host-a=1; Path=/; Secure"],
  ]))("$about: $line", ({ line, rewritten }) => expect(rewrite(line, BASED)).toBe(rewritten));

  it("is / above a base of two parts", () =>
    expect(rewrite("a=1; Path=/api", { ...BASED, basePath: "/api/v1" })).toBe("a=1; Path=/"));
});

it.each([
  { about: "a path", line: "a=1; Path=/users; x", widened: "a=1; Path=/; x" },
  { about: "/", line: "a=1; Path=/", widened: "a=1; Path=/" },
  { about: "none", line: "a=1", widened: "a=1" },
  { about: "no value", line: "a=1;path", widened: "a=1;path=/" },
  { about: "two", line: "a=1; Path=/x; Path=y", widened: "a=1; Path=/; Path=/" },
  { about: "a dropped attribute at the end", line: "a=1; Domain=a.test", widened: "a=1" },
])(
  "Path of answers whose address on the proxy holds none: $about: $line",
  ({ line, widened }) => expect(rewrite(line, WIDENED)).toBe(widened),
);

describe("in the jar that hosts share", () => {
  const jar = { owner: "http_a.test_", defaultPath: "/app", room: 1, isShown: () => false };
  const shared: CookieMapping = { ...PLAIN, jar };
  const securely: CookieMapping = { ...SECURE, jar };
  const note = (name: string, path: string, rest = "") =>
    `proxy_set_${name}~${path}=1; Path=/; HttpOnly; SameSite=Lax${rest}`;

  it.each(rowsOf(["line", "lines"], [
    ["sid=1; Path=/; HttpOnly", ["proxy_at_http_a.test_~sid=1; Path=/; HttpOnly"]],
    ["sid=1; path=/x; httponly ", ["proxy_at_http_a.test_~sid=1; path=/x; httponly "]],
    ["__Host-a=1; Path=/; Secure; HttpOnly", ["proxy_at_http_a.test_~__Host-a=1; Path=/; HttpOnly"]],
    ["ui=2", ["ui=2", note("ui", "!2Fapp")]],
    ["my_ui=2; Path=y; Max-Age=5", ["my_ui=2; Path=y; Max-Age=5", note("my!5Fui", "!2Fapp", "; Max-Age=5")]],
    ["proxy_at_http_b.test_~sid=1; HttpOnly", []],
  ]))("$line becomes $lines", ({ line, lines }) => expect(rewriteSetCookie(line, shared)).toEqual(lines));

  it("keeps what can't be noted any more, hidden from the scripts of the next host", () =>
    expect(rewriteSetCookie("ui=2; Path=/x", { ...shared, jar: { ...jar, room: 0 } }))
      .toEqual(["proxy_at_http_a.test_~ui=2; Path=/x; HttpOnly"]));

  it.each(rowsOf(["line", "lines"], [
    ["__Host-a=1; Path=/; Secure; HttpOnly", [
      "__Secure-proxy_at_http_a.test_~__Host-a=1; Path=/; Secure; HttpOnly",
    ]],
    ["a=1; Path=/; Secure; HttpOnly", ["proxy_at_http_a.test_~a=1; Path=/; Secure; HttpOnly"]],
    ["ui=2; Path=/x", ["ui=2; Path=/x", note("ui", "!2Fx", "; Secure")]],
  ]))("over https $line becomes $lines", ({ line, lines }) => {
    expect(rewriteSetCookie(line, securely)).toEqual(lines);
  });

  describe("a name is one cookie, with and without HttpOnly", () => {
    const kept = "proxy_at_http_a.test_~";
    const past = "Expires=Thu, 01 Jan 1970 00:00:00 GMT";

    it.each([
      { line: `sid=; Path=/; ${past}`, twin: `${kept}sid=; Path=/; ${past}; Max-Age=0` },
      { line: "sid=x; Path=/; Max-Age=-1", twin: `${kept}sid=; Path=/; Max-Age=-1; Max-Age=0` },
      { line: "sid=x; Path=/; Max-Age=0", twin: `${kept}sid=; Path=/; Max-Age=0; Max-Age=0` },
      { line: "sid=x; Path=/; Max-Age=1", twin: undefined },
      { line: "sid=x; Path=/; Max-Age=0; Max-Age=5", twin: undefined },
      { line: `sid=x; Path=/; Max-Age=5; ${past}`, twin: undefined },
      { line: "sid=x; Path=/; Expires=Fri, 01 Jan 2999 00:00:00 GMT", twin: undefined },
      { line: "sid=x; Path=/; Expires=never", twin: undefined },
    ])("$line ends $twin, shown or not", ({ line, twin }) => {
      expect(rewriteSetCookie(line, shared)).toEqual([line, ...(twin === undefined ? [] : [twin])]);
    });

    it.each([
      { line: "sid=2; Path=/", twin: `${kept}sid` },
      { line: "sid=2; Path=/; HttpOnly", twin: "sid" },
      { line: "__Host-sid=2; Path=/; HttpOnly; Secure", twin: "proxy_carried__Host-sid" },
    ])("$line ends $twin where that is shown", ({ line, twin }) => {
      const context = { ...shared, jar: { ...jar, isShown: (name: string) => name === twin } };
      const [, rest = ""] = line.replace("; Secure", "").split(/;(.*)/);
      expect(rewriteSetCookie(line, context).at(-1)).toBe(`${twin}=;${rest}; Max-Age=0`);
    });

    it("ends the twin on the path that is noted", () =>
      expect(rewriteSetCookie(`ui=; Path=/x; ${past}`, shared)).toEqual([
        `ui=; Path=/x; ${past}`,
        note("ui", "!2Fx", `; ${past}`),
        `${kept}ui=; Path=/x; ${past}; Max-Age=0`,
      ]));
  });

  it("gives a cookie without a path the one that it has on the host, where `url` asked for it", () =>
    expect(rewriteSetCookie("sid=1; HttpOnly", { ...shared, isDirect: true }))
      .toEqual(["proxy_at_http_a.test_~sid=1; HttpOnly; Path=/app"]));
});
