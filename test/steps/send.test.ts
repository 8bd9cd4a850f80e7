/**
 * Step 4, when it goes wrong: deadlines, aborts, failures, and answers that can't be handed on.
 * @module
 */
import { describe, expect, it } from "vitest";
import { createProxy } from "../../src/proxy.ts";
import type { Outgoing, Upstream } from "../../src/exchange/runtime.ts";
import { incoming, target } from "../support/handle.ts";
import { MESSAGE } from "../support/message.ts";

const REQUEST = () => incoming("/p?secret=1", { proxy_host: "https://a.test:8443" }, "POST");

/** Never answers; fails as `fetch` does when it is aborted. */
const silent = ({ signal }: Outgoing) =>
  new Promise<Upstream>((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  );

describe("a target that fails", () => {
  it.each([
    {
      failure: Object.assign(new Error("connect 10.1.2.3:80"), { code: "ECONNREFUSED" }),
      status: 502,
      type: "connection_refused",
    },
    {
      failure: Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }),
      status: 502,
      type: "dns_error",
    },
    {
      failure: Object.assign(new Error("reset"), { code: "ECONNRESET" }),
      status: 502,
      type: "connection_terminated",
    },
    {
      failure: Object.assign(new Error("x"), { code: "CERT_HAS_EXPIRED" }),
      status: 502,
      type: "tls_certificate_error",
    },
    {
      failure: Object.assign(new Error("x"), { code: "HPE_INVALID_VERSION" }),
      status: 502,
      type: "http_protocol_error",
    },
    {
      failure: Object.assign(new Error("x"), { code: "ETIMEDOUT" }),
      status: 504,
      type: "connection_timeout",
    },
    { failure: "thrown text", status: 502, type: "connection_terminated" },
    { failure: undefined, status: 502, type: "connection_terminated" },
  ])("is answered with $status and $type, and asked once", async ({ failure, status, type }) => {
    const { runtime } = target();
    let count = 0;
    const send = () => {
      count += 1;
      return Promise.reject(failure);
    };
    const response = await createProxy().handle(REQUEST(), { ...runtime, send });
    expect(response.status).toBe(status);
    expect(response.headers.get("proxy-status")).toBe(`fetchvia; error=${type}`);
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

describe("TIMEOUT_MS", () => {
  it("ends a request without response headers with 504, and aborts it", async () => {
    let asked: Outgoing | undefined;
    const send = (outgoing: Outgoing) => silent(asked = outgoing);
    const response = await createProxy({ timeoutMs: 20 }).handle(REQUEST(), { ...target().runtime, send });
    expect(response.status).toBe(504);
    expect(response.headers.get("proxy-status")).toBe("fetchvia; error=http_response_timeout");
    expect(await response.json()).toMatchObject({ detail: expect.stringMatching(/a\.test:8443.*20 ms/) });
    expect(asked?.signal.aborted).toBe(true);
  });

  it.each([{ timeoutMs: 20 }, { timeoutMs: 0 }])(
    "of $timeoutMs does not end what answered in time",
    async ({ timeoutMs }) => {
      let asked: Outgoing | undefined;
      const { runtime } = target();
      const send = async (outgoing: Outgoing) => {
        asked = outgoing;
        return await runtime.send!(outgoing);
      };
      const response = await createProxy({ timeoutMs }).handle(REQUEST(), { ...runtime, send });
      await new Promise((resolve) => setTimeout(resolve, 40));
      expect(response.status).toBe(200);
      expect(asked?.signal.aborted).toBe(false);
    },
  );
});

describe("a caller that goes away", () => {
  it.each([{ when: "before" }, { when: "meanwhile" }])(
    "aborts the request to the target: $when",
    async ({ when }) => {
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
    },
  );

  it("aborts it in the middle of the body too", async () => {
    const caller = new AbortController();
    const { sent, runtime } = target({ body: new ReadableStream<Uint8Array>() });
    await createProxy().handle({ ...REQUEST(), signal: caller.signal }, runtime);
    expect(sent[0]?.signal.aborted).toBe(false);
    caller.abort();
    expect(sent[0]?.signal.aborted).toBe(true);
  });
});

describe("an answer that no runtime can send", () => {
  it.each([{ status: 101 }, { status: 103 }, { status: 199 }, { status: 600 }, { status: 999 }, {
    status: 0,
  }])(
    "of status $status is a 502 that names it",
    async ({ status }) => {
      const response = await createProxy().handle(REQUEST(), target({ status }).runtime);
      expect(response.status).toBe(502);
      expect(await response.json()).toMatchObject({ detail: expect.stringContaining(String(status)) });
    },
  );
});

describe("MAX_REQUEST_BYTES", () => {
  it.each([
    { length: "3", status: 200 },
    { length: "4", status: 413 },
  ])("of 3 gives $status for an announced length of $length", async ({ length, status }) => {
    const { sent, runtime } = target();
    const body = new Uint8Array(Number(length));
    const request = incoming("/", { proxy_host: "https://a.test", "content-length": length }, "POST", body);
    expect((await createProxy({ maxRequestBytes: 3 }).handle(request, runtime)).status).toBe(status);
    expect(sent).toHaveLength(status === 200 ? 1 : 0);
  });
});
