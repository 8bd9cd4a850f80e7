import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { readTable } from "../../../../src/parts/gate/targets/table.ts";
import { faultOf, sourcesOf, tableOf } from "../../../support/table.ts";

const CERT = readFileSync("test/support/cert.pem", "utf8");
const KEY = readFileSync("test/support/key.pem", "utf8");
const FILES = { "ca.pem": CERT, "key.pem": KEY, "empty.pem": "" };
const PIN = `sha256/${"A".repeat(43)}=`;

describe("members about certificates", () => {
  it("reads files beside the table, and PEM text", () => {
    const [entry] = tableOf({ "a.test": { ca: "ca.pem", cert: CERT, key: "key.pem" } }, FILES).entries;
    expect(entry?.tls).toEqual({ ca: CERT, cert: CERT, key: KEY });
    const readFile = vi.fn(() => CERT);
    readTable({ "a.test": { ca: "ca.pem" } }, { ...sourcesOf(), readFile });
    expect(readFile).toHaveBeenCalledExactlyOnceWith("ca.pem", true);
  });

  it("reads pins, a name, and no check at all", () => {
    const { entries, unchecked } = tableOf({
      "a.test": { pin: PIN, serverName: "b.test" },
      "b.test": { pin: [PIN, PIN], insecure: false },
      "10.0.0.1:444": { insecure: true },
    });
    expect(entries.map(({ tls }) => tls))
      .toEqual([{ pin: [PIN], serverName: "b.test" }, { pin: [PIN, PIN] }, { insecure: true }]);
    expect(unchecked).toBe(1);
  });

  it.each(["TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"])(
    "takes the oldest version %s, for many targets too",
    (minVersion) => {
      const { entries } = tableOf({ "a.test": { minVersion }, "*": { minVersion } });
      expect(entries.map(({ tls }) => tls)).toEqual([{ minVersion }, { minVersion }]);
    },
  );

  it.each([{ minVersion: "TLSv1" }, { insecure: true }, { serverName: "b.test" }, { pin: PIN }, {
    ca: CERT,
  }])("let a label of loopback mean https: %j", (members) => {
    const { labels } = tableOf({ "localhost:8443": { label: "box", ...members } });
    expect(labels.get("box")?.origin.origin).toBe("https://localhost:8443");
  });

  it.each([
    [{ ca: "missing.pem" }, /has a bad ca, expected PEM text, or a readable PEM file/],
    [{ ca: "empty.pem" }, /has a bad ca,/],
    [{ ca: "key.pem" }, /has a bad ca,/],
    [{ ca: 1 }, /has ca 1/],
    [{ cert: "ca.pem" }, /has cert, expected key with it/],
    [{ key: "key.pem" }, /has key, expected cert with it/],
    [{ key: "secret text" }, /has a bad key/],
    [{ pin: "sha1/x" }, /has a bad pin, expected sha256\//],
    [{ pin: [] }, /has a bad pin,/],
    [{ serverName: "a b" }, /has a bad serverName,/],
    [{ insecure: "true" }, /has a bad insecure, expected true or false/],
    [
      { minVersion: "TLSv1.0" },
      /entry "a\.test" has a bad minVersion, expected one of "TLSv1", "TLSv1\.1", "TLSv1\.2", "TLSv1\.3"$/,
    ],
    [{ minVersion: "tlsv1.2" }, /has a bad minVersion/],
    [{ minVersion: "TLSv1.2 " }, /has a bad minVersion/],
    [{ minVersion: "TLS 1.2" }, /has a bad minVersion,/],
    [{ minVersion: "SSLv3" }, /has a bad minVersion,/],
    [{ minVersion: ["TLSv1.2"] }, /has a bad minVersion,/],
    [{ minVersion: 1.2 }, /has minVersion 1\.2/],
    [{ minVersion: null }, /has minVersion/],
    [{ minVersion: "" }, /has a bad minVersion,/],
    [{ minversion: "TLSv1.2" }, /has "minversion", expected minVersion, or one of /],
  ])("refuses %j", (members, fault) => expect(faultOf({ "a.test": members }, FILES)).toMatch(fault));

  it.each(["*.a.test", "*", "10.0.0.0/8"])("checks every certificate of %s", (name) => {
    expect(faultOf({ [name]: { insecure: true } }))
      .toMatch(/bad insecure, expected it in an entry for one host/);
  });
});
