/**
 * A real nginx as a child process, on a port of loopback: `/v1/` and `/admin` are two locations, and each says its name.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { freePort } from "./free-port.ts";
import { waitFor } from "./wait.ts";

/** Debian puts it there. */
const NGINX = "/usr/sbin/nginx";

const TEMPORARY = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) =>
  `${name}_temp_path tmp;`
);

const configOf = (port: number, mergesSlashes: boolean) => `
daemon off;
master_process off;
pid nginx.pid;
events {}
http {
  access_log off;
  keepalive_requests 100000;
  ${TEMPORARY.join("\n  ")}
  server {
    listen 127.0.0.1:${port};
    merge_slashes ${mergesSlashes ? "on" : "off"};
    location /v1/ { return 200 v1; }
    location /admin { return 200 admin; }
    location / { return 200 root; }
  }
}
`;

/** The server. */
export class Nginx {
  readonly port: number;
  readonly #folder: string;
  readonly #process: ChildProcess;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor(port: number, folder: string) {
    this.port = port;
    this.#folder = folder;
    const args = ["-p", folder, "-e", "stderr", "-c", join(folder, "nginx.conf")];
    this.#process = spawn(NGINX, args, { stdio: "ignore" });
  }

  /** Starts it, and waits until it answers. */
  static async start(mergesSlashes: boolean): Promise<Nginx> {
    const [port, folder] = await Promise.all([freePort(), mkdtemp(join(tmpdir(), "fetchvia-nginx-"))]);
    await writeFile(join(folder, "nginx.conf"), configOf(port, mergesSlashes));
    const nginx = new Nginx(port, folder);
    await waitFor(async () => expect(await nginx.locate("/")).toBe("root"));
    return nginx;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** The location that answers a path, sent as it is written; the status where none does. */
  locate(path: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const request = get({ port: this.port, host: "127.0.0.1", path, agent: this.#agent }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("end", () => resolve(response.statusCode === 200 ? text : String(response.statusCode)));
      });
      request.on("error", reject);
    });
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    const closed = once(this.#process, "close");
    this.#process.kill("SIGKILL");
    await closed;
    await rm(this.#folder, { recursive: true, force: true });
  }
}
