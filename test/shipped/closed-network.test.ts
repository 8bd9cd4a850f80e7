/**
 * A proxy outside, and a program in a network that reaches the proxy alone, as docs/agents.md has it: a network namespace stands
 * for the container.
 * @module
 */
import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placeOf } from "../support/ways.ts";
import { mintToken } from "../../src/parts/tokens/mint.ts";
import { commandOf, ROOT } from "../support/proxy.ts";
import { rowsOf } from "../support/rows.ts";

const KEY = "the-real-key-0123456789";
const SIGNING_KEY = "a-signing-key-of-the-test-0123456789";
const API = "http://127.0.0.1:8000";
/** Another address of the machine outside, which stands for all that is reached without the proxy. */
const DIRECT = "http://198.51.100.7:8000";
const PROXY = "http://10.9.0.1:8080";
/** Tells whether it was shown the key. */
const SERVER = `
const answer = ({ headers }, response) => response.end(String(headers.authorization === "Bearer ${KEY}"));
const server = () => require("node:http").createServer(answer);
server().listen(8000, "127.0.0.1", () => server().listen(8000, "198.51.100.7", () => console.log("ready")));`;

/** Programs inside, and what they write: the answer and its status, or that there is none. */
const ROWS = rowsOf(["as", "url", "says"], [
  ["reaches its API with the token, and the API gets the key", PROXY + `${placeOf(API)}/models`, "true 200"],
  ["is refused another target", PROXY + `${placeOf("http://127.0.0.1:8001")}/`, " 403"],
  ["reaches nothing without the proxy", DIRECT, " 000"],
  ["finds nothing else of the proxy's machine", "http://10.9.0.1:8000", " 000"],
  ["finds nothing of its API on its own loopback", API, " 000"],
]);

const started: ChildProcess[] = [];
const folder = mkdtempSync(join(tmpdir(), "fetchvia-closed-"));
/** Starts a process, and waits for its first output. */
async function startReady(words: readonly string[], settings: Record<string, string> = {}): Promise<number> {
  const child = spawn(words[0]!, words.slice(1), {
    cwd: ROOT,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], ...settings },
  });
  started.push(child);
  const ready = await Promise.race([
    once(child.stdout, "data").then(() => true),
    once(child.stderr, "data").then(([text]) => String(text).includes("listening") || String(text)),
  ]);
  expect(ready).toBe(true);
  return child.pid!;
}
const within = (pid: number) => ["nsenter", `--target=${pid}`, "--net"];
const HOLD = (
  more: string,
) => ["unshare", "--net", "sh", "-c", `ip link set lo up && ${more} echo ready && cat`];

describe.each(["bun", "deno", "node"] as const)(
  "a program inside, and the proxy outside on %s",
  (runtime) => {
    let inside: number;
    let token: string;
    beforeAll(async () => {
      const outside = await startReady(HOLD("ip addr add 198.51.100.7/32 dev lo &&"));
      inside = await startReady([...within(outside), ...HOLD("")]);
      const order = (pid: number, line: string) => {
        const [command = "", ...args] = [...within(pid), "sh", "-ec", line];
        execFileSync(command, args);
      };
      order(
        outside,
        `ip link add dev out0 type veth peer name in0 netns ${inside}
      ip addr add 10.9.0.1/30 dev out0; ip link set out0 up`,
      );
      order(inside, "ip addr add 10.9.0.2/30 dev in0; ip link set in0 up");
      await startReady([...within(outside), process.execPath, "-e", SERVER]);
      writeFileSync(join(folder, "key.txt"), SIGNING_KEY);
      await startReady([...within(outside), ...commandOf(runtime)], {
        HOST: "0.0.0.0",
        PORT: "8080",
        LOG: "off",
        SIGNING_KEY_FILE: join(folder, "key.txt"),
        CALLER_TOKENS: "true",
        // The API stands in for one on the internet.
        PRIVATE_TARGETS: "true",
        TARGETS: JSON.stringify({
          "127.0.0.1:8000": { set: { authorization: "Bearer {{OPENAI_API_KEY}}" } },
        }),
        OPENAI_API_KEY: KEY,
      });
      const expires = Date.now() / 1_000 + 3_600;
      token = await mintToken({ id: "agent", targets: ["127.0.0.1:8000"], expires }, SIGNING_KEY);
    });
    afterAll(async () => {
      for (const child of started.splice(0).reverse()) {
        const ended = once(child, "close");
        child.kill("SIGKILL");
        await ended;
      }
    });
    const ask = (url: string, header: string) => {
      const words = ["curl", "-s", "-o", "-", "-w", " %{http_code}", "-H", header, url];
      const [command = "", ...args] = [...within(inside), ...words];
      return new Promise<string>((resolve) => execFile(command, args, (_error, stdout) => resolve(stdout)));
    };

    it.each(ROWS)("$as", async ({ url, says }) => {
      expect(await ask(url, `Authorization: Bearer ${token}`)).toMatch(new RegExp(`${says}$`));
    });

    it("is refused without a token", async () =>
      expect(await ask(`${PROXY}${placeOf(API)}/`, "Accept: */*")).toMatch(/ 401$/));
  },
);

afterAll(() => rmSync(folder, { recursive: true }));
