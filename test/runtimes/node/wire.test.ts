/** Large bodies at the same time: each caller gets its own bytes, however slowly it reads. */
import { createHash } from "node:crypto";
import { createServer, get, type IncomingMessage, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createProxy } from "../../../src/index.ts";
import { createNodeHandler } from "../../../src/runtimes/node/handler.ts";
import { runtime } from "../../../src/runtimes/node/runtime.ts";

const BYTES = 6 * 1024 * 1024;

/** Bytes that tell where they belong. */
function bodyOf(seed: number): Buffer {
  const body = Buffer.alloc(BYTES);
  for (let at = 0; at < BYTES; at += 4) body.writeUInt32LE((at * 2_654_435_761 + seed * 97) >>> 0, at);
  return body;
}

const digest = (body: Buffer) => createHash("sha1").update(body).digest("hex");
const bodies = [0, 1, 2, 3, 4, 5].map(bodyOf);

async function collect(incoming: IncomingMessage, isSlow: boolean): Promise<string> {
  const hash = createHash("sha1");
  let sinceRest = 0;
  for await (const chunk of incoming) {
    hash.update(chunk as Buffer);
    sinceRest += (chunk as Buffer).length;
    if (!isSlow || sinceRest < 512 * 1024) continue;
    sinceRest = 0;
    await sleep(5);
  }
  return hash.digest("hex");
}

/** Answers with a body, of a length or in chunks of several sizes; to an upload with its digest. */
const target = createServer((incoming, outgoing) => {
  if (incoming.method === "POST") return void collect(incoming, true).then((seen) => outgoing.end(seen));
  const [, form = "", seed = ""] = incoming.url!.split("/");
  const body = bodies[Number(seed)]!;
  if (form === "length") return outgoing.setHeader("content-length", BYTES).end(body);
  for (let at = 0, size = 1_000; at < BYTES; at += size, size = (size * 7) % 90_001 + 1) {
    outgoing.write(body.subarray(at, at + size));
  }
  outgoing.end();
});
const proxy = createServer(createNodeHandler(createProxy({ privateTargets: true }), runtime));

const listen = (server: Server) => new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
const portOf = (server: Server) => (server.address() as AddressInfo).port;
const options = (method: string, path: string) => ({
  method,
  path,
  port: portOf(proxy),
  host: "127.0.0.1",
  headers: { proxy_host: `http://127.0.0.1:${portOf(target)}` },
});

beforeAll(() => Promise.all([listen(target), listen(proxy)]));
afterAll(() => {
  proxy.close();
  target.close();
});

describe("large bodies at the same time", () => {
  it.each([
    { form: "length", isSlow: false },
    { form: "length", isSlow: true },
    { form: "chunks", isSlow: false },
    { form: "chunks", isSlow: true },
  ])("come whole: $form, slow $isSlow", async ({ form, isSlow }) => {
    const seen = await Promise.all(
      bodies.map((_, seed) =>
        new Promise<string>((resolve, reject) =>
          void get(
            options("GET", `/${form}/${seed}`),
            (answer) => collect(answer, isSlow).then(resolve, reject),
          )
        )
      ),
    );
    expect(seen).toEqual(bodies.map(digest));
  });

  it.each([{ framing: { "content-length": BYTES } }, { framing: { "transfer-encoding": "chunked" } }])(
    "go out whole: $framing",
    async ({ framing }) => {
      const seen = await Promise.all(bodies.map((body) =>
        new Promise<string>((resolve, reject) => {
          const { headers, ...rest } = options("POST", "/");
          const sent = request({ ...rest, headers: { ...headers, ...framing } }, async (answer) => {
            resolve(String((await answer.toArray())[0]));
          });
          sent.on("error", reject).end(body);
        })
      ));
      expect(seen).toEqual(bodies.map(digest));
    },
  );
});
