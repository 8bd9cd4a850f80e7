/** Attempts at several addresses by `node:net`: one is used, and none is left. */
import { Socket } from "node:net";
import { expect, it } from "vitest";
import { RacedWire } from "../../src/wire/raced-wire.ts";
import { waitFor } from "../support/wait.ts";

/** Two attempts under way, and what the watch has been told. */
async function race() {
  const sockets: Socket[] = [];
  const told: string[] = [];
  const watch = {
    onOpen() {},
    onBytes() {},
    onDrain() {},
    onClose: (failure?: Error) => void told.push(`${failure?.message}`),
  };
  const connect = () => {
    const socket = new Socket();
    sockets.push(socket);
    return socket;
  };
  const adopt = (socket: Socket) => {
    told.push("adopted");
    return socket;
  };
  const wire = new RacedWire(["192.0.2.1", "192.0.2.2"], watch, { connect, adopt });
  await waitFor(() => expect(sockets).toHaveLength(2));
  const [first, second] = sockets as [Socket, Socket];
  return { wire, told, first, second };
}

it("ends the others once one is connected, and all with the wire", async () => {
  const { wire, told, first, second } = await race();
  second.emit("connect");
  expect([told, wire.socket, first.destroyed, second.destroyed]).toEqual([["adopted"], second, true, false]);
  wire.destroy();
  expect(second.destroyed).toBe(true);
});

it("ends all attempts when nobody waits any more, and one that is connected all the same", async () => {
  const { wire, told, first, second } = await race();
  wire.destroy();
  first.emit("connect");
  expect([told, first.destroyed, second.destroyed]).toEqual([[], true, true]);
});

it("fails as the first has failed, once all have", async () => {
  const { told, first, second } = await race();
  second.destroy(new Error("second"));
  await waitFor(() => expect(second.closed).toBe(true));
  first.destroy(new Error("first"));
  await waitFor(() => expect(told).toEqual(["second"]));
});
