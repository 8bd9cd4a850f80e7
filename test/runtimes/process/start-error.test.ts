/** Failures to start, as the runtimes tell them, and the line that each becomes. */
import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../src/index.ts";
import { explain } from "../../../src/runtimes/process/start-error.ts";
import { rowsOf } from "../../support/rows.ts";

const CONFIG = { host: "192.0.2.1", port: 80, tlsCert: "" };
const TLS_CONFIG = { ...CONFIG, tlsCert: "cert.pem" };
const DENIED = "PORT 80 is not open to this user, expected a port such as 8080";
const IN_USE = "PORT 80 is in use, expected a free port";
const NO_ADDRESS = "HOST 192.0.2.1 can't be listened on, expected an address of this machine";

const NO_KEY =
  "TLS_CERT and TLS_KEY can't be used here, expected a key type that this runtime supports, such as P-256";

describe("a failure to start", () => {
  it.each(rowsOf(["about", "code", "message", "line"], [
    ["Bun", "EACCES", "permission denied 127.0.0.1:80", DENIED],
    ["Deno", "EACCES", "Permission denied (os error 13)", DENIED],
    ["Node", "EACCES", "listen EACCES: permission denied 127.0.0.1:80", DENIED],
    ["Bun", "EADDRINUSE", "Failed to start server. Is port 80 in use?", IN_USE],
    ["Deno", "EADDRINUSE", "Address already in use (os error 98)", IN_USE],
    ["an older Deno", undefined, "Address already in use", IN_USE],
    ["Node", "EADDRNOTAVAIL", "listen EADDRNOTAVAIL", NO_ADDRESS],
    ["Bun", "ENXIO", "ENXIO: no such device or address, listen", NO_ADDRESS],
    ["Node", "ENOTFOUND", "getaddrinfo ENOTFOUND a.test", NO_ADDRESS],
    ["Node", "EINVAL", "listen EINVAL: invalid argument fe80::1", NO_ADDRESS],
    ["Deno", undefined, "failed to lookup address information", NO_ADDRESS],
    ["Deno", undefined, "invalid host 'a b': invalid char", NO_ADDRESS],
    ["nobody", undefined, "no address for 192.0.2.1", NO_ADDRESS],
  ]))("of $about, $code, is told as $line", ({ code, message, line }) => {
    const error = Object.assign(new Error(message), { code });
    expect([explain(error, CONFIG), explain(error, TLS_CONFIG)]).toEqual([line, line]);
  });

  it.each(rowsOf(["about", "code", "message"], [
    ["Bun", "ERR_OSSL_EVP_UNSUPPORTED_ALGORITHM", "error:06000080:public key routines"],
    ["Deno", undefined, "unexpected error: failed to parse private key as RSA, ECDSA, or EdDSA"],
    ["Node", "ERR_SSL_EE_KEY_TOO_SMALL", "error:0A00018F:SSL routines::ee key too small"],
  ]))("of TLS on $about is told as one of its files", ({ code, message }) => {
    expect(explain(Object.assign(new Error(message), { code }), TLS_CONFIG)).toBe(NO_KEY);
  });

  it("of a setting is told as it is", () =>
    expect(explain(new ConfigError("PORT is x, expected a number"), undefined))
      .toBe("PORT is x, expected a number"));
});
