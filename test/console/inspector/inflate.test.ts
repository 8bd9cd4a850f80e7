import { constants, createDeflateRaw, deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Inflater } from "../../../src/console/inspector/messages-view.ts";

/** Compresses messages as a WebSocket does: one stream, the end of each flush left out (RFC 7692 §7.2.1). */
async function compress(messages: readonly string[]): Promise<Uint8Array<ArrayBuffer>[]> {
  const stream = createDeflateRaw();
  const chunks: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => void chunks.push(chunk));
  const payloads: Uint8Array<ArrayBuffer>[] = [];
  for (const message of messages) {
    stream.write(message);
    await new Promise<void>((resolve) => stream.flush(constants.Z_SYNC_FLUSH, resolve));
    payloads.push(new Uint8Array(Buffer.concat(chunks.splice(0)).subarray(0, -4)));
  }
  return payloads;
}

const read = (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes);

describe("Inflater", () => {
  it("undoes messages that refer to those before, empty and long ones too", async () => {
    const messages = ["hello hello", "hello hello", "", "x".repeat(200_000), "hello"];
    const inflater = new Inflater();
    const seen: (string | undefined)[] = [];
    for (const payload of await compress(messages)) seen.push(read(inflater.inflate(payload)));
    expect(seen).toEqual(messages);
  });

  it("says where it cannot go on", async () => {
    const inflater = new Inflater();
    const [, second] = await compress(["hello hello hello", "hello hello hello"]);
    expect(inflater.inflate(Uint8Array.of(255, 255, 255))).toBeUndefined();
    expect(inflater.inflate(second!)).toBeUndefined();
  });

  it("says so once a message is missing", async () => {
    const inflater = new Inflater();
    inflater.miss();
    const [first] = await compress(["hello"]);
    expect(inflater.inflate(first!)).toBeUndefined();
  });

  it("gives up on a bomb", () => {
    const inflater = new Inflater();
    const bomb = deflateRawSync(Buffer.alloc(6_000_000), { finishFlush: constants.Z_SYNC_FLUSH });
    expect(inflater.inflate(new Uint8Array(bomb.subarray(0, -4)))).toBeUndefined();
  });
});
