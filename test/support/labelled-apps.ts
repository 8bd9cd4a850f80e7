/**
 * Apps behind a label: a proxy that tells them its address, and the apps that are run beside it.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect } from "vitest";
import { encodeLabel } from "../../src/core/address/label.ts";
import { nextEnvironment, PATIENCE_MS } from "../apps/next.ts";
import { makeAppFolder } from "./apps.ts";
import { call } from "./client.ts";
import { freePort } from "./free-port.ts";
import { type Proxy, startProxy } from "./proxy.ts";
import { waitFor } from "./wait.ts";

/** What an app said, and where it is. */
export interface Said {
  text: string;
  /** Origin of its label. */
  label: string;
  /** Its own origin. */
  own: string;
}

/** A proxy, and the apps behind it. */
export class LabelledApps {
  readonly folder: string = makeAppFolder();
  readonly #children: ChildProcess[] = [];
  readonly #proxy: Proxy;

  private constructor(proxy: Proxy) {
    this.#proxy = proxy;
  }

  static async start(): Promise<LabelledApps> {
    return new LabelledApps(await startProxy("node", { LOG: "off", FORWARD_CLIENT: "true" }));
  }

  /** Runs an app in a folder, and asks it by its label once it listens. */
  async ask(port: number, path: string, cwd: string, command: readonly [string, ...string[]]): Promise<Said> {
    const env = { ...process.env, ...nextEnvironment(), NODE_ENV: "development" };
    const [program, ...args] = command;
    this.#children.push(spawn(program, args, { cwd, env, stdio: "ignore", detached: true }));
    const own = `http://127.0.0.1:${port}`;
    const Host = `${encodeLabel(own)}.w.localhost:${this.#proxy.port}`;
    const { text } = await waitFor(async () => {
      const answer = await call(this.#proxy.port, `GET ${path}`, { fields: { Host }, timeout: PATIENCE_MS });
      expect(answer.status).toBe(200);
      return answer;
    }, PATIENCE_MS);
    return { text, label: `http://${Host}`, own };
  }

  /** The same for a program, with these words for its switch, in a file that a command takes as its last argument. */
  async askProgram(
    { program, path }: { program: string; path: string },
    words: string,
    command: readonly [string, ...string[]] = [process.execPath],
  ): Promise<Said> {
    const port = await freePort();
    const file = join(this.folder, `${port}.mjs`);
    writeFileSync(file, program.replaceAll("PORT", `${port}`).replace("SWITCH", () => words));
    return await this.ask(port, path, this.folder, [...command, file]);
  }

  async stop(): Promise<void> {
    for (const { pid } of this.#children) process.kill(-pid!, "SIGKILL");
    await this.#proxy.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
