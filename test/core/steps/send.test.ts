/** Step 4, when it goes wrong: deadlines, aborts, failures, and answers that can't be handed on. */
import { describe, expect, it } from "vitest";
import { createProxy } from "../../../src/index.ts";
import type { Outgoing, Upstream } from "../../../src/core/runtime.ts";
import { incoming, target } from "../../support/handle.ts";

const REQUEST = () => incoming("/p?secret=1", { proxy_host: "https://a.test:8443" }, "POST");

/** Never answers; fails as `fetch` does when it is aborted. */
const silent = ({ signal }: Outgoing) =>
  new Promise<Upstream>((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true })
  );

describe("a target that fails", () => {
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
