/**
 * A server that is drained: what its callers have yet to read is still sent.
 * @module
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { watchConnections } from "../../../src/runtimes/node/drain.ts";
import { open, request } from "../../support/client.ts";

/** More than the kernel takes of an answer that nobody reads. */
const SLOW_BYTES = 12_000_000;
/** Several rounds of closing what idles. */
const DRAINING_MS = 300;

it("sends the whole answer to a caller that reads slowly, then closes the connection", async () => {
  const server = createServer((_, outgoing) => void outgoing.end(Buffer.alloc(SLOW_BYTES, "x")));
  const drain = watchConnections(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const connection = await open((server.address() as AddressInfo).port);
  connection.write(request("GET", "/", { Host: "127.0.0.1" }));
  await connection.until("HTTP/1.1 200");
  connection.pause();
  const drained = drain();
  await sleep(DRAINING_MS);
  connection.resume();
  const { body, ended } = await connection.answer();
  expect([body.length, ended]).toEqual([SLOW_BYTES, "end"]);
  await drained;
});
