/**
 * A target that answers no attempt to connect, on loopback.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import process from "node:process";

/** Listens with room for hardly anyone, and says where. */
const LISTENER = `const server = require("node:net").createServer();
const [host, port] = process.argv.slice(1);
server.listen({ host, port: Number(port), backlog: 1 }, () => console.log(server.address().port));`;
/** So many fill the room. */
const WAITING = 3;

/** A running one. */
export interface Deaf {
  origin: string;
  /** Ends it: whoever still tries to connect is refused. */
  close(): void;
}

/** Starts one: a listener that is stopped, and whose queue is full. A free port unless one is given. */
export async function listenDeaf(host = "127.0.0.1", wanted = 0): Promise<Deaf> {
  const command = ["-e", LISTENER, host, String(wanted)];
  const child = spawn(process.execPath, command, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data") as [Buffer];
  const port = Number(line);
  child.kill("SIGSTOP");
  const waiting = Array.from({ length: WAITING }, () => connect({ port, host }).on("error", () => {}));
  await once(waiting[0]!, "connect");
  return {
    origin: `http://${host}:${port}`,
    close() {
      child.kill("SIGKILL");
      for (const socket of waiting) socket.destroy();
    },
  };
}
