/**
 * A body whose request only offers another protocol, as that of Java's HTTP client does (RFC 9110 §7.8), in a server of
 * `node:http` of each runtime: some hand it over parsed, some as bytes of the connection, Deno a part in either way.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { open } from "../support/client.ts";
import { headBytes } from "../support/http.ts";
import { useMounted } from "../support/mounted.ts";
import { HANDSHAKE } from "../support/websocket.ts";

const BODY = "b".repeat(100_000);

describe.each(["node", "bun", "deno"] as const)("beside an upgrade on %s", (runtime) => {
  const mounted = useMounted(runtime);
  beforeEach(() => {
    mounted.target.requests.length = 0;
  });

  it.each([
    { about: "with its head", at: BODY.length },
    { about: "behind its head", at: 0 },
    { about: "in two parts", at: 3 },
  ])("a body passes that comes $about", async ({ at }) => {
    const caller = await open(mounted.program.http1);
    const fields = { Connection: "Upgrade", Upgrade: "h2c", Expect: "100-continue" };
    const head = headBytes("POST /api HTTP/1.1", {
      Host: `127.0.0.1:${mounted.program.http1}`,
      ...fields,
      "Content-Length": String(BODY.length),
    });
    caller.write(Buffer.concat([head, Buffer.from(BODY.slice(0, at))]));
    await caller.until("100 Continue");
    caller.write(BODY.slice(at));
    expect((await caller.answer()).status).toBe(200);
    expect(mounted.target.request.body.toString()).toBe(BODY);
    caller.destroy();
  });

  it("a WebSocket is a 501 where the server tells of no upgrades", async () => {
    const caller = await open(mounted.program.wrapped.http1);
    caller.write(
      headBytes("GET /api HTTP/1.1", { Host: `127.0.0.1:${mounted.program.wrapped.http1}`, ...HANDSHAKE }),
    );
    expect((await caller.answer()).status).toBe(501);
    expect(mounted.target.targets).toEqual([]);
    caller.destroy();
  });
});
