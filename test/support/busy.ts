/**
 * Many callers who ask again as soon as they are answered, and a target that costs less than any proxy.
 * @module
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

/** Answers whatever comes, without reading it. */
export async function listenQuick(): Promise<{ origin: string; close(): void }> {
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on("data", () => socket.write(ANSWER));
    socket.on("error", () => {});
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, close: () => void server.close() };
}

/** Lets so many callers ask until they have `answers` together; gives how many each of them has. */
export async function askAtOnce(
  port: number,
  request: Buffer,
  callers: number,
  answers: number,
): Promise<number[]> {
  const counts = new Array<number>(callers).fill(0);
  let left = answers;
  const sockets = counts.map(() => connect({ port, host: "127.0.0.1", noDelay: true }));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  try {
    await new Promise<void>((resolve, reject) => {
      for (const [index, socket] of sockets.entries()) {
        socket.on("error", reject);
        socket.on("data", () => {
          counts[index]! += 1;
          left -= 1;
          if (left > 0) socket.write(request);
          else resolve();
        });
        socket.write(request);
      }
    });
  } finally {
    for (const socket of sockets) socket.destroy();
  }
  return counts;
}
