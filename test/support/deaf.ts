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
server.listen({ host: "127.0.0.1", port: 0, backlog: 1 }, () => console.log(server.address().port));`;
/** So many fill the room. */
const WAITING = 3;

/** A running one. */
export interface Deaf {
  origin: string;
  /** Ends it: whoever still tries to connect is refused. */
  close(): void;
}

/** Starts one: a listener that is stopped, and whose queue is full. */
export async function listenDeaf(): Promise<Deaf> {
  const child = spawn(process.execPath, ["-e", LISTENER], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(child.stdout, "data") as [Buffer];
  const port = Number(line);
  child.kill("SIGSTOP");
  const waiting = Array.from(
    { length: WAITING },
    () => connect({ port, host: "127.0.0.1" }).on("error", () => {}),
  );
  await once(waiting[0]!, "connect");
  return {
    origin: `http://127.0.0.1:${port}`,
    close() {
      child.kill("SIGKILL");
      for (const socket of waiting) socket.destroy();
    },
  };
}
