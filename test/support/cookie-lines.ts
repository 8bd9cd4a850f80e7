/**
 * Lines of `Set-Cookie`, and whether Chromium stores them: from `http://www.a.test`, from `https://www.a.test`, and from
 * `http://127.0.0.1`.
 * @module
 */

/** A line, made for the host that sends it, and which origins may set it. */
export interface CookieLine {
  line: (host: string) => string;
  http: boolean;
  https: boolean;
  local: boolean;
}

const everywhere = (...lines: string[]) => row(lines, true, true, true);
const trusted = (...lines: string[]) => row(lines, false, true, true);
const nowhere = (...lines: string[]) => row(lines, false, false, false);
const long = (length: number) => "x".repeat(length);

function row(lines: readonly string[], http: boolean, https: boolean, local: boolean): CookieLine[] {
  return lines.map((line) => ({ line: (host) => line.replaceAll("{host}", host), http, https, local }));
}

export const COOKIE_LINES: readonly CookieLine[] = [
  ...everywhere("a=1", "a=", "a", "x; Path=/", "=x", "\ta=1", "a=\u00e9", "__Host=1", "a=__Host-b=1"),
  ...everywhere("a=1; Domain={host}", "a=1; Domain=.{host}", "a=1; Domain=", "a=1; Domain"),
  ...everywhere(
    "a=1; Domain=b.test; Domain={host}",
    "a=1; Domain=b.test; domain=",
    `a=1; Domain=${long(1_025)}`,
  ),
  ...everywhere("a=1; SameSite=x", "a=1; SameSite=None; SameSite=Lax", `a=1; Secure=${long(1_025)}`),
  ...everywhere(`a=${long(4_095)}`, `${long(4_096)}=`, long(4_096), `a= ${long(4_095)} ; Path=/`),
  ...everywhere(`a=1; Path=/${long(2_000)}`),
  ...row(["a=1; Domain=a.test"], true, true, false),
  ...trusted("a=1; Secure", "a=1; secure=false", "a=1;Secure ;x", "a=1; SameSite=None; Secure"),
  ...trusted("a=1; Partitioned; Secure", "a=1; Secure; Partitioned; SameSite=None"),
  ...trusted("__Host-a=1; Path=/; Secure", "__Host-a=1; Path=/; Secure; Domain=", "__Secure-a=1; Secure"),
  ...trusted("__Host-a=1; Path=/x; Path=/; Secure", "__Secure-a=1; Secure; Domain={host}"),
  ...trusted("__Http-a=1; Secure; HttpOnly", "__hOsT-hTTp-a=1; Secure; HttpOnly; Path=/"),
  ...trusted(`__Host-a=1; Secure; Path=/; Path=/${long(1_024)}`),
  ...row(["__Host-a=1; Path=/; Secure; Domain={host}"], false, false, true),
  ...nowhere("__Host-a=1; Path=/", "__Host-a=1; Secure", "__Host-a=1; Path=/x; Secure"),
  ...nowhere(
    "__Host-a=1; Path=/; Path=/x; Secure",
    "__hOsT-a=1; Path=/",
    " __Host-a =1; Path=/",
    "__Host-=1",
  ),
  ...nowhere("__Secure-a=1", "__SeCuRe-a=1", "__Secure-a=1; HttpOnly", "__Http-a=1; Secure", "__http-a=1"),
  ...nowhere("__Host-Http-a=1; Secure; Path=/", "__Host-Http-a=1; Secure; HttpOnly"),
  ...nowhere("__Host-a", "=__Host-a", "=__Host-a=1", " = __secure-a=1", "__Http-a; Secure; HttpOnly"),
  ...nowhere("", "=", " = ; Path=/", " ; Path=/"),
  ...nowhere("a=1; Domain=b.test", "a=1; Domain=test", "a=1; Domain=.", "a=1; Domain=..{host}"),
  ...nowhere("a=1; Domain={host}.", "a=1; Domain=x.{host}", "a=1; Domain={host}:80", "a=1; Domain=x{host}"),
  ...nowhere("a=1; Domain={host}; Domain=b.test", `a=1; Domain=b.test; Domain=${long(1_025)}`),
  ...nowhere(
    "a=1; SameSite=None",
    "a=1; samesite = NONE",
    "a=1; SameSite=Lax; SameSite=None",
    "a=1; Partitioned",
  ),
  ...nowhere(`a=${long(4_096)}`, `${long(4_097)}=`, long(4_097)),
];
