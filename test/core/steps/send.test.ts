/** Step 4, when it goes wrong: deadlines, aborts, failures, and answers that can't be handed on. */
import { describe, expect, it } from "vitest";
import { createProxy } from "../../../src/index.ts";
import type { Outgoing, Upstream } from "../../../src/core/runtime.ts";
import { rowsOf } from "../../support/rows.ts";
import { incoming, target } from "../../support/handle.ts";
import { MESSAGE } from "../../support/message.ts";

const REQUEST = () => incoming("/p?secret=1", { proxy_host: "https://a.test:8443" }, "POST");

/** Never answers; fails as `fetch` does when it is aborted. */
const silent = ({ signal }: Outgoing) =>
  new Promise<Upstream>((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  );

describe("a target that fails", () => {
  it.each(rowsOf(["failure", "status", "type"], [
    [Object.assign(new Error("connect 10.1.2.3:80"), { code: "ECONNREFUSED" }), 502, "connection_refused"],
    [Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }), 502, "dns_error"],
    [Object.assign(new Error("reset"), { code: "ECONNRESET" }), 502, "connection_terminated"],
    [Object.assign(new Error("x"), { code: "CERT_HAS_EXPIRED" }), 502, "tls_certificate_error"],
    [Object.assign(new Error("x"), { code: "HPE_INVALID_VERSION" }), 502, "http_protocol_error"],
    [Object.assign(new Error("x"), { code: "ETIMEDOUT" }), 504, "connection_timeout"],
    ["thrown text", 502, "connection_terminated"],
    [undefined, 502, "connection_terminated"],
  ]))("is answered with $status and $type, and asked once", async ({ failure, status, type }) => {
    const { runtime } = target();
    let count = 0;
    const send = () => {
      count += 1;
      return Promise.reject(failure);
    };
    const response = await createProxy().handle(REQUEST(), { ...runtime, send });
    expect(response.status).toBe(status);
    expect(response.headers.get("proxy-status")).toContain(`fetchvia; error=${type}; details="`);
    const { title, detail, ...others } = await response.json();
    expect(title).toBe("Proxy Error");
    expect(detail).toMatch(/^Cannot reach a\.test:8443: /);
    expect(detail).toMatch(MESSAGE);
    expect(detail).not.toMatch(/10\.1|93\.184|secret|thrown|\bat \//);
    expect(others).toEqual({});
    expect(count).toBe(1);
  });

  it("may also fail at once", async () => {
    const send = () => {
      throw new TypeError("Invalid URL");
    };
    expect((await createProxy().handle(REQUEST(), { ...target().runtime, send })).status).toBe(502);
  });
});

describe("a caller that goes away", () => {
  it.each(["before", "meanwhile"])("aborts the request to the target: %s", async (when) => {
    const caller = new AbortController();
    let asked: Outgoing | undefined;
    const send = (outgoing: Outgoing) => {
      asked = outgoing;
      const answer = outgoing.signal.aborted ? Promise.reject(outgoing.signal.reason) : silent(outgoing);
      caller.abort();
      return answer;
    };
    const leaveEarly = { before: () => caller.abort(), meanwhile: () => {} }[when];
    leaveEarly?.();
    const response = await createProxy().handle({ ...REQUEST(), signal: caller.signal }, {
      ...target().runtime,
      send,
    });
    expect(response).toBeInstanceOf(Response);
    expect(asked?.signal.aborted ?? true).toBe(true);
  });

  it("aborts it in the middle of the body too", async () => {
    const caller = new AbortController();
    const { sent, runtime } = target({ body: new ReadableStream<Uint8Array>() });
    await createProxy().handle({ ...REQUEST(), signal: caller.signal }, runtime);
    expect(sent[0]?.signal.aborted).toBe(false);
    caller.abort();
    expect(sent[0]?.signal.aborted).toBe(true);
  });
});
