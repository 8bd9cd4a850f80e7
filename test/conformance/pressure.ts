import { once } from "node:events";
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { dial, digestOf, drain, type Drained, flood } from "../support/flood.ts";
import { listenSink, peakBytes, pour, residentBytes } from "../support/flood.ts";
import { expectedOf, type Pool, settled, STALLED_BYTES, useLink } from "../support/topic.ts";

const MEBIBYTE = 1_048_576;
const LARGE = 100_000_000;
/** So many that garbage which is not collected yet does not count for much. */
const STALLED = 60;
/** About a MiB. */
const STALLED_LIMIT = 1.2 * MEBIBYTE;
/** What the kernel may hold on both sides of the proxy: it lets a buffer grow to 6 MiB, where it is told so to 32. */
const KERNEL_BYTES = 48 * MEBIBYTE;
/** Garbage that is not collected yet may be tens of megabytes more than the time before; this is much more than that. */
const HUGE = 3 * LARGE;

/** How long the buffers of two proxies in a row may take to fill, in milliseconds. */
const STALLED_MS = 240_000;

export function describePressure(pool: Pool): void {
  describe("pressure", () => {
    describe("that stops", () => {
      // A proxy of its own: its memory is looked at.
      const link = useLink(pool, { TIMEOUT_MS: "29999" });

      it("stops the target, at little cost", async () => {
        await link.call("GET /warm");
        const { pid = 0 } = link.proxy.child.process;
        const sockets: Socket[] = [];
        link.upstream.answer = (request, socket) => {
          sockets.push(socket);
          return flood(LARGE)(request, socket);
        };
        const stall = async () => {
          const connection = await link.write("GET /p");
          connection.pause();
          return connection;
        };
        const pushed = async (count: number) => {
          // Through another proxy they come late.
          await expect.poll(() => sockets.length, { timeout: STALLED_MS }).toBe(count);
          return settled(() => sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0), 1_500);
        };
        // The first ones grow the heap of the runtime; only what others add is theirs.
        const first = await Promise.all(Array.from({ length: STALLED }, stall));
        const pushedFirst = await pushed(STALLED);
        const before = await residentBytes(pid);
        const others = await Promise.all(Array.from({ length: STALLED }, stall));
        const pushedOthers = await pushed(2 * STALLED) - pushedFirst;
        const grown = await residentBytes(pid) - before;
        [...first, ...others].map((connection) => connection.destroy());
        expect(pushedFirst / STALLED).toBeLessThan(KERNEL_BYTES);
        expect(pushedOthers / STALLED).toBeLessThan(KERNEL_BYTES);
        expect(grown / STALLED).toBeLessThan(expectedOf(STALLED_BYTES, pool.runtime, "one", STALLED_LIMIT));
      }, STALLED_MS);

      it.each([{ framing: `Content-Length: ${LARGE}` }, { framing: "Transfer-Encoding: chunked" }])(
        "is stopped by a target that stops, $framing",
        async ({ framing }) => {
          link.early = (_request, socket) => void socket.pause();
          const socket = await dial(link.proxy.port);
          const [name = "", value = ""] = framing.split(": ");
          socket.write(link.bytes("POST /p", { fields: { [name]: value } }));
          socket.write(framing.endsWith("chunked") ? `${LARGE.toString(16)}\r\n` : "");
          void pour(socket, LARGE);
          expect(await settled(() => socket.bytesWritten)).toBeLessThan(KERNEL_BYTES);
          socket.destroy();
        },
      );
    });

    describe("with 300 MB", () => {
      const link = useLink(pool, { TIMEOUT_MS: "29998" });
      const peak = () => peakBytes(link.proxy.child.process.pid ?? 0);

      async function download(size: number): Promise<Drained> {
        link.upstream.answer = flood(size);
        const socket = await dial(link.proxy.port);
        // HTTP/1.0, so that nothing but the body comes after the head.
        socket.write(link.bytes("GET /p").toString("latin1").replace("HTTP/1.1", "HTTP/1.0"));
        const drained = await drain(socket, size);
        socket.destroy();
        return drained;
      }

      async function upload(size: number): Promise<Drained> {
        const sink = await listenSink(size);
        const socket = await dial(link.proxy.port);
        const bytes = link.bytes("POST /p", { fields: { "Content-Length": String(size) } }).toString(
          "latin1",
        );
        socket.write(bytes.replace(link.upstream.origin, sink.origin));
        void pour(socket, size);
        const [drained] = await Promise.all([sink.drained, once(socket, "data")]);
        socket.destroy();
        sink.close();
        return drained;
      }

      it.each([{ name: "downloads", move: download }, { name: "uploads", move: upload }])(
        "$name them whole, in no more memory than a third of them",
        async ({ move }) => {
          await move(LARGE);
          const before = await peak();
          expect(await move(HUGE)).toMatchObject({ size: HUGE, digest: digestOf(HUGE) });
          expect(await peak() - before).toBeLessThan(LARGE);
        },
      );
    });
  });
}
