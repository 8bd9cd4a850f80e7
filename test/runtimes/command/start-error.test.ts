/**
 * Failures to start, as the runtimes tell them, and the line that each becomes.
 * @module
 */
import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../src/index.ts";
import { explain } from "../../../src/runtimes/command/start-error.ts";

const CONFIG = { host: "192.0.2.1", port: 80, tlsCert: "" };
const TLS_CONFIG = { ...CONFIG, tlsCert: "cert.pem" };
const DENIED = "PORT 80 is not open to this user, expected a port such as 8080";
const IN_USE = "PORT 80 is in use, expected a free port";
const NO_ADDRESS = "HOST 192.0.2.1 can't be listened on, expected an address of this machine";

const NO_KEY =
  "TLS_CERT and TLS_KEY can't be used here, expected a key type that this runtime supports, such as P-256";

describe("a failure to start", () => {
  it.each([
    { about: "Bun", code: "EACCES", message: "permission denied 127.0.0.1:80", line: DENIED },
    { about: "Deno", code: "EACCES", message: "Permission denied (os error 13)", line: DENIED },
    { about: "Node", code: "EACCES", message: "listen EACCES: permission denied 127.0.0.1:80", line: DENIED },
    { about: "Bun", code: "EADDRINUSE", message: "Failed to start server. Is port 80 in use?", line: IN_USE },
    { about: "Deno", code: "EADDRINUSE", message: "Address already in use (os error 98)", line: IN_USE },
    { about: "an older Deno", code: undefined, message: "Address already in use", line: IN_USE },
    { about: "Node", code: "EADDRNOTAVAIL", message: "listen EADDRNOTAVAIL", line: NO_ADDRESS },
    { about: "Bun", code: "ENXIO", message: "ENXIO: no such device or address, listen", line: NO_ADDRESS },
    { about: "Node", code: "ENOTFOUND", message: "getaddrinfo ENOTFOUND a.test", line: NO_ADDRESS },
    { about: "Node", code: "EINVAL", message: "listen EINVAL: invalid argument fe80::1", line: NO_ADDRESS },
    { about: "Deno", code: undefined, message: "failed to lookup address information", line: NO_ADDRESS },
    { about: "Deno", code: undefined, message: "invalid host 'a b': invalid char", line: NO_ADDRESS },
    {
      about: "a parser",
      code: "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL",
      message: "Unexpected argument '9000'. This command does not take positional arguments",
      line: "Unexpected argument '9000', expected flags such as --port 8080 (see --help)",
    },
    {
      about: "a parser",
      code: "ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL",
      message: "Unexpected argument 'https://a.test'. This command does not take positional arguments",
      line:
        "Unexpected argument 'https://a.test', expected flags such as --target https://example.com (see --help)",
    },
    { about: "nobody", code: undefined, message: "no address for 192.0.2.1", line: NO_ADDRESS },
  ])("of $about, $code, is told as $line", ({ code, message, line }) => {
    const error = Object.assign(new Error(message), { code });
    expect([explain(error, CONFIG), explain(error, TLS_CONFIG)]).toEqual([line, line]);
  });

  it.each([
    {
      about: "Bun",
      code: "ERR_OSSL_EVP_UNSUPPORTED_ALGORITHM",
      message: "error:06000080:public key routines",
    },
    {
      about: "Deno",
      code: undefined,
      message: "unexpected error: failed to parse private key as RSA, ECDSA, or EdDSA",
    },
    {
      about: "Node",
      code: "ERR_SSL_EE_KEY_TOO_SMALL",
      message: "error:0A00018F:SSL routines::ee key too small",
    },
  ])("of TLS on $about is told as one of its files", ({ code, message }) => {
    expect(explain(Object.assign(new Error(message), { code }), TLS_CONFIG)).toBe(NO_KEY);
  });

  it("of a setting is told as it is", () => {
    expect(explain(new ConfigError("PORT is x, expected a number"), undefined)).toBe(
      "PORT is x, expected a number",
    );
  });
});
