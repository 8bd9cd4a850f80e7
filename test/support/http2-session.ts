/**
 * A client's session of HTTP/2 that ends with its connection, without GOAWAY, which may end a server's process on Deno
 * (deno#36788).
 * @module
 */
import { type ClientHttp2Session, connect } from "node:http2";
import { connect as connectSocket } from "node:net";

/** Opens it. `end` cuts its connection. */
export function openSession(port: number): { session: ClientHttp2Session; end(): void } {
  const socket = connectSocket(port, "127.0.0.1");
  const options = { createConnection: () => socket, maxHeaderListPairs: 1_000 };
  const session = connect(`http://127.0.0.1:${port}`, options as object);
  session.on("error", () => {});
  return { session, end: () => void socket.destroy() };
}
