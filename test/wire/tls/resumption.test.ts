/**
 * Which connections resume the sessions of which others. On every runtime: `test/conformance/secure-targets.ts`.
 * @module
 */
import { Buffer } from "node:buffer";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Route } from "../../../src/core/address/route.ts";
import { type ConnectionOptions, connectionOptions } from "../../../src/wire/client/connection-options.ts";
import { uncheckedOptions } from "../../../src/wire/tls/refused-certificate.ts";
import { resume, type Resumption } from "../../../src/wire/tls/resumption.ts";
import { rowsOf } from "../../support/rows.ts";

const MINUTE = 60_000;
const BYTES = Buffer.from("session");
let targets = 0;

/** Options for a target, a new one unless its address is given. */
function optionsFor(
  route?: Route,
  address = `https://t${++targets}.test`,
  addresses?: string[],
): ConnectionOptions {
  return connectionOptions({ origin: new URL(address), addresses, route });
}

/** Makes a connection that is given a session. */
function visit(options: ConnectionOptions, isResumed = false, protocol = "TLSv1.2"): void {
  const resumption = resume(options);
  resumption?.accept(isResumed, protocol);
  resumption?.keep(BYTES);
  resumption?.close();
}

const offered = (options: ConnectionOptions) => resume(options)?.session?.toString();

describe("resumption", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it("offers the session of the same target, whatever its address", () => {
    visit(optionsFor(undefined, "https://same.test", ["192.0.2.1"]));
    expect(offered(optionsFor(undefined, "https://same.test", ["192.0.2.2"]))).toBe("session");
  });

  const secure: Route = { tls: { insecure: true } };
  it.each<{ about: string; made: [Route | undefined, string]; other: [Route | undefined, string] }>([
    { about: "name", made: [undefined, "https://a.test"], other: [undefined, "https://b.test"] },
    { about: "port", made: [undefined, "https://c.test"], other: [undefined, "https://c.test:8443"] },
    { about: "check", made: [secure, "https://d.test"], other: [undefined, "https://d.test"] },
    {
      about: "entry",
      made: [secure, "https://e.test"],
      other: [{ tls: { insecure: true } }, "https://e.test"],
    },
    { about: "way", made: [undefined, "https://f.test"], other: [{}, "https://f.test"] },
  ])("offers none of another $about", ({ made, other }) => {
    visit(optionsFor(...made));
    expect(offered(optionsFor(...other))).toBeUndefined();
    expect(offered(optionsFor(...made))).toBe("session");
  });

  it("offers nothing with a pin, and for a look", () => {
    expect(resume(optionsFor({ tls: { pin: ["sha256/x"] } }))).toBeUndefined();
    expect(resume(uncheckedOptions(optionsFor()))).toBeUndefined();
  });

  it("keeps what comes before the certificate is accepted, once it is", () => {
    const options = optionsFor();
    const resumption = resume(options);
    resumption?.keep(BYTES);
    expect(offered(options)).toBeUndefined();
    resumption?.accept(false, "TLSv1.2");
    expect(offered(options)).toBe("session");
  });

  it("keeps nothing of a connection that is not accepted", () => {
    const options = optionsFor();
    const resumption = resume(options);
    resumption?.keep(BYTES);
    resumption?.close();
    expect(offered(options)).toBeUndefined();
  });

  it.each(rowsOf(["about", "end"], [
    ["that broke the handshake", (resumption: Resumption) => resumption.close()],
    ["that the target did not take", (resumption: Resumption) => resumption.accept(false, "TLSv1.2")],
  ]))("drops a session $about", ({ end }) => {
    const options = optionsFor();
    visit(options);
    const resumption = resume(options)!;
    expect(resumption.session).toBeDefined();
    end(resumption);
    expect(offered(options)).toBeUndefined();
  });

  it("uses a session of TLS 1.3 once", () => {
    const options = optionsFor();
    visit(options, false, "TLSv1.3");
    expect([offered(options), offered(options)]).toEqual(["session", undefined]);
  });

  it("checks the certificate anew after ten minutes, however often it resumes", () => {
    const options = optionsFor();
    visit(options);
    vi.advanceTimersByTime(6 * MINUTE);
    visit(options, true);
    vi.advanceTimersByTime(4 * MINUTE - 1);
    expect(offered(options)).toBe("session");
    vi.advanceTimersByTime(1);
    expect(offered(options)).toBeUndefined();
  });
});
