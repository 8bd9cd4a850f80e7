/** The jar that hosts share in a browser: whose a cookie is stands in its name, and only that host gets it back. */
import { describe, expect, it } from "vitest";
import { keptName, noteName, ownerOf, readNotes, releaseCookies } from "../../../src/core/http/cookie-jar.ts";

const OWNER = "https_app.test_8443";

describe("the name of a host", () => {
  it.each([
    { origin: "http://localhost:3000", owner: "http_localhost_3000" },
    { origin: "https://app.test", owner: "https_app.test_" },
    { origin: "https://a_b.test", owner: "https_a!5Fb.test_" },
    { origin: "http://[::1]:3000", owner: "http_!5B!3A!3A1!5D_3000" },
    { origin: "http://a~b!c.test", owner: "http_a!7Eb!21c.test_" },
    { origin: "https://bücher.test", owner: "https_xn--bcher-kva.test_" },
  ])("$origin: $owner", ({ origin, owner }) => {
    expect(ownerOf(new URL(origin))).toBe(owner);
    expect(owner).toMatch(/^[\w.!-]+$/);
  });

  it("is no other host's", () => {
    const origins = [
      "http://a.test",
      "https://a.test",
      "http://a.test:81",
      "http://a_.test",
      "http://a.test_",
      "http://a_81.test",
    ];
    expect(new Set(origins.map((origin) => ownerOf(new URL(origin)))).size).toBe(origins.length);
  });
});

describe("the cookies of a request", () => {
  const kept = keptName("sid", OWNER, false);
  it.each([
    { header: "a=1; b=2", released: "a=1; b=2" },
    { header: `${kept}=1`, released: "sid=1" },
    { header: `a=1;  ${kept}=x=y; b=2`, released: "a=1;  sid=x=y; b=2" },
    { header: `proxy_at_https_app.test_~sid=1; a=1`, released: "a=1" },
    { header: `a=1; proxy_at_http_app.test_8443~sid=1`, released: "a=1" },
    { header: `proxy_at_~sid=1`, released: "" },
    { header: `proxy_at_${OWNER}sid=1`, released: "" },
    { header: `proxy_at_${OWNER}~~sid=1`, released: "~sid=1" },
    { header: `proxy_at_${OWNER}~__Host-sid=1`, released: "__Host-sid=1" },
    { header: `__Secure-proxy_at_${OWNER}~__Host-sid=1`, released: "__Host-sid=1" },
    { header: `x=proxy_at_${OWNER}~sid`, released: `x=proxy_at_${OWNER}~sid` },
  ])("$header over http: $released", ({ header, released }) => {
    expect(releaseCookies(header, OWNER, false)).toBe(released);
  });

  it.each([
    { header: `proxy_at_${OWNER}~sid=1`, released: "sid=1" },
    { header: `proxy_at_${OWNER}~__Host-sid=1`, released: "" },
    { header: `__Secure-proxy_at_${OWNER}~__Host-sid=1`, released: "__Host-sid=1" },
    { header: `__Secure-proxy_at_${OWNER}~sid=1`, released: "" },
  ])(
    "$header over https: $released, because nobody on the way plants a prefixed one",
    ({ header, released }) => expect(releaseCookies(header, OWNER, true)).toBe(released),
  );

  it.each([false, true])("come back as they were set (secure: %s)", (isSecure) => {
    const names = ["sid", "__Host-sid", "__Secure-a", "a~b", "_x", "a.b-c"];
    const header = names.map((name) => `${keptName(name, OWNER, isSecure)}=1`).join("; ");
    expect(releaseCookies(header, OWNER, isSecure)).toBe(names.map((name) => `${name}=1`).join("; "));
  });
});

describe("notes", () => {
  it.each([
    { name: "ui", path: "/app" },
    { name: "my_ui~", path: "/a~b/c_d/" },
    { name: "a!b%c", path: "/%2F!" },
    { name: "proxy_carried__Host-a", path: "/x" },
  ])("tell $name at $path", (note) => {
    const name = noteName(note);
    expect(name).toMatch(/^[\w.!~-]+$/);
    expect(readNotes(`a=1; ${name}=1; b=2`)).toEqual([note]);
  });

  it("are no more than may be noted, however many a page plants", () => {
    const header = Array.from({ length: 60 }, (_, at) => `proxy_set_c${at}~!2Fx=1`).join("; ");
    expect(readNotes(header)).toHaveLength(16);
  });

  it.each([
    { about: "a path that is none", header: "proxy_set_a~app=1" },
    { about: "a line break", header: "proxy_set_a~!2F!0D!0ASet-Cookie!3Ax=1" },
    { about: "a control byte", header: "proxy_set_a!00~!2F=1" },
    { about: "an attribute", header: "proxy_set_a~!2F!3B!20Domain!3Dx=1" },
    { about: "a space", header: "proxy_set_a!20b~!2F=1" },
    { about: "no name", header: "proxy_set_~!2F=1" },
    { about: "no code", header: "proxy_set_a!zz~!2F=1" },
    { about: "no end", header: "proxy_set_a=1" },
    { about: "the host", header: "proxy_set_proxy!5Fhost~!2F=1" },
    { about: "the token", header: "proxy_set_proxy!5Ftoken~!2F=1" },
    { about: "the session of another host", header: "proxy_set_proxy!5Fat!5Fhttp!5Fa.test!5F!7Esid~!2F=1" },
  ])("with $about are none", ({ header }) => expect(readNotes(header)).toEqual([]));
});
