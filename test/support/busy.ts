/**
 * Many callers who ask again as soon as they are answered, and a target that costs less than any proxy.
 * @module
 */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

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

/**
 * Lets so many callers ask until they have `answers` together; gives how many each of them has. They begin when each has had
 * one answer before: a server takes those who come at once one by one.
 */
export async function askAtOnce(
  port: number,
  request: Buffer,
  callers: number,
  answers: number,
): Promise<number[]> {
  const sockets = Array.from({ length: callers }, () => connect({ port, host: "127.0.0.1", noDelay: true }));
  try {
    await Promise.all(sockets.map(async (socket) => {
      socket.write(request);
      await once(socket, "data");
    }));
    return await count(sockets, request, answers);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

function count(sockets: Socket[], request: Buffer, answers: number): Promise<number[]> {
  const counts = sockets.map(() => 0);
  let left = answers;
  return new Promise((resolve, reject) => {
    for (const [index, socket] of sockets.entries()) {
      socket.on("error", reject);
      socket.on("data", () => {
        counts[index]! += 1;
        left -= 1;
        if (left > 0) socket.write(request);
        else resolve(counts);
      });
      socket.write(request);
    }
  });
}
