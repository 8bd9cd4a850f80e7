/**
 * A real Redis server (or Valkey, which speaks the same) as a child process, on a port of loopback.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { expect } from "vitest";
import { freePort } from "./free-port.ts";
import { waitFor } from "./wait.ts";

/** Debian puts it there. */
const REDIS = "/usr/bin/redis-server";

/** The server; nothing of it is written to disk. */
export class Redis {
  readonly port: number;
  readonly password = "marker-password";
  #process: ChildProcess | undefined;

  constructor(port: number) {
    this.port = port;
  }

  /** A server that does not run yet. */
  static async create(): Promise<Redis> {
    return new Redis(await freePort());
  }

  get address(): string {
    return `redis://:${this.password}@127.0.0.1:${this.port}/1`;
  }

  async start(): Promise<void> {
    const options = {
      port: this.port,
      bind: "127.0.0.1",
      requirepass: this.password,
      save: "",
      dir: tmpdir(),
    };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    this.#process = spawn(REDIS, args, { stdio: "ignore" });
    await waitFor(async () => expect(await this.#ask("PING")).toContain("PONG"));
  }

  /** Stops it, and forgets everything. */
  async stop(): Promise<void> {
    const server = this.#process;
    if (!server) return;
    this.#process = undefined;
    const closed = once(server, "close");
    server.kill("SIGKILL");
    await closed;
  }

  /** Keeps it from answering, with its connections open; or lets it go on. */
  pause(isPaused: boolean): void {
    this.#process?.kill(isPaused ? "SIGSTOP" : "SIGCONT");
  }

  /** The names of everything that it holds. */
  async keys(): Promise<string[]> {
    const text = await this.#ask("SELECT 1\r\nKEYS *");
    return text.split("\r\n").filter((line) => line.startsWith("fetchvia"));
  }

  async #ask(command: string): Promise<string> {
    const socket = connect(this.port, "127.0.0.1");
    socket.end(`AUTH ${this.password}\r\n${command}\r\nQUIT\r\n`);
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString();
  }
}
