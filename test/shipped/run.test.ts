/**
 * `fetchvia run`: a program that has base addresses and tokens in place of the keys, on each runtime, as real processes.
 * @module
 */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { reply } from "../support/answers.ts";
import { declareOnce, rowsOnce } from "../support/capabilities.ts";
import { runCommandWith } from "../support/command.ts";
import { Child, commandOf } from "../support/proxy.ts";
import { ASK, findSigningKey, isInMemory, listProcesses, readTree } from "../support/run.ts";
import { listen, type Upstream } from "../support/upstream.ts";

const folder = mkdtempSync(join(tmpdir(), "fetchvia-run-"));
const KEY = "sk-real-0123456789abcdef";
const NODE = [process.execPath, "--input-type=module", "-e"];
/** Tells when it is ready, and stays. */
const STAY = "echo ready; while :; do sleep 0.05; done";
/** A program whose children and their children leave its group and its session; it ends by itself at SIGUSR2. */
const CROWD = `
import { spawn } from "node:child_process";
spawn("sh", ["-c", "sleep 600 & exec sleep 600"], { detached: true, stdio: "inherit" });
spawn("sleep", ["600"], { stdio: "inherit" });
process.on("SIGUSR2", () => process.exit(0));
console.log(JSON.stringify({ base: process.env.OPENAI_BASE_URL, key: process.env.OPENAI_API_KEY }));
setInterval(() => {}, 1000);`;
/** Asks with a token of another run, and with its own until it is refused, and tells of the refusals. */
const UNTIL_REFUSED = `
const { OPENAI_BASE_URL: base, OPENAI_API_KEY: own, OLD_TOKEN: old } = process.env;
const ask = (key) => fetch(base + "/models", { headers: { authorization: "Bearer " + key } });
console.log((await ask(old)).status);
let response;
while ((response = await ask(own)).ok) await new Promise((resolve) => setTimeout(resolve, 50));
console.log(response.status, response.headers.get("proxy-status"));`;

/** Programs that the system does not start; what else is refused is a unit. */
const UNSTARTED = [
  { program: "no-such-program", code: 127, says: "it was not found" },
  { program: "/etc/passwd", code: 126, says: "it can't be executed" },
];
/** Those that a program gets and goes on. */
const SIGNALS = ["TERM", "INT", "HUP", "QUIT", "USR2"] as const;

let target: Upstream;
let other: Upstream;

/** Writes a file; gives its path. */
function writeOut(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

/** When a token expires, in Unix seconds. */
function readExpiry(token: string): number {
  return JSON.parse(Buffer.from(token.split(".")[1]!, "base64url").toString()).exp as number;
}

beforeAll(async () => {
  [target, other] = await Promise.all([listen(), listen()]);
});
afterAll(async () => {
  await Promise.all([target.close(), other.close()]);
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  target.requests.length = 0;
  other.requests.length = 0;
  target.answer = reply(200, {}, "{}");
});

describe.each(
  [
    { runtime: "bun", usr1: { code: 40, says: "in place of OPENAI_API_KEY" } },
    // Deno opens a debugger in the proxy at this signal.
    { runtime: "deno", usr1: { code: 138, says: "SIGUSR1 ends a run on Deno" } },
    { runtime: "node", usr1: { code: 40, says: "in place of OPENAI_API_KEY" } },
  ] as const,
)(
  "a program under fetchvia run on $runtime",
  ({ runtime, usr1 }) => {
    const own = (more: Record<string, string> = {}) => ({
      OPENAI_API_KEY: KEY,
      OPENAI_BASE_URL: `${target.origin}/v1`,
      ...more,
    });
    const run = (words: string[], more: Record<string, string> = {}, input = "") =>
      runCommandWith(runtime, ["run", ...words], input, own(more));

    /** Starts a run and waits for the first line of its program. */
    const start = async (program: string[], more: Record<string, string> = {}, flags: string[] = []) => {
      const child = new Child(runtime, own(more), ["run", ...flags, "--", ...program]);
      await expect.poll(() => child.stdout() + (child.running ? "" : child.stderr())).toContain("\n");
      return child;
    };

    it("has a token for its API alone, as long as --ttl says, and the API gets the key; no other run takes it", async () => {
      const start = Math.floor(Date.now() / 1_000);
      const { stdout, stderr, code } = await run(["--ttl", "2h", "--", ...NODE, ASK]);
      const { base, key = "", ...statuses } = JSON.parse(stdout) as Record<string, string>;
      expect(base).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/__proxy__\/at\/s?-?[\w-]+\/v1$/);
      expect(key).toMatch(/^fv1\./);
      expect(statuses).toEqual({ known: 200, none: 401, other: 403, page: 401 });
      expect(target.requests.map((request) => [request.target, request.headersNamed("authorization")]))
        .toEqual([["/v1/models", [`Bearer ${KEY}`]]]);
      expect([code, stderr.trim().split("\n")])
        .toEqual([0, ["fetchvia: in place of OPENAI_API_KEY the program has tokens, for 2h at most"]]);
      expect(readExpiry(key) - 7_200).toBeGreaterThanOrEqual(start);
      expect(readExpiry(key) - 7_200).toBeLessThanOrEqual(Date.now() / 1_000);
      const short = await run(["--ttl", "1s", "--", ...NODE, UNTIL_REFUSED], { OLD_TOKEN: key });
      expect(short.stdout).toMatch(/^401\n401 .*it has expired/);
    });

    declareOnce(runtime, () => {
      it("is in no sandbox: it asks its API itself, reads a key in a body, and whoever is its user those in memory", async () => {
        target.answer = reply(200, {}, `this is ${KEY}`);
        const program = `
        const { OPENAI_BASE_URL: base, OPENAI_API_KEY: key } = process.env;
        const headers = { authorization: "Bearer " + key };
        await fetch("${target.origin}/itself", { headers });
        console.log(await fetch(base, { headers }).then((response) => response.text()));
        setInterval(() => {}, 1000);`;
        const child = await start([...NODE, program]);
        expect(child.stdout()).toBe(`this is ${KEY}\n`);
        const sent = target.requests.map((request) => request.headersNamed("authorization")[0]);
        expect(sent).toEqual([expect.stringMatching(/^Bearer fv1\./), `Bearer ${KEY}`]);
        expect(isInMemory(child.process.pid!, KEY)).toBe(true);
        await child.stop();
      });
    });

    declareOnce(runtime, () => {
      it("has the tokens of the run that this one is inside of, where there is no key", async () =>
        expect(await run(["--", "printenv", "OPENAI_API_KEY"], { OPENAI_API_KEY: "fv1.a.b" })).toEqual({
          code: 0,
          stdout: "fv1.a.b\n",
          stderr: "fetchvia: the program has the tokens of the run that this one is inside of\n",
        }));

      it("has no other secret, which the only line names, unless it is passed", async () => {
        const secrets = {
          DB_PASSWORD: "hunter22",
          STRIPE: "sk_live_0123456789",
          DATABASE_URL: "postgres://me:hunter22@a.test/db",
          COPY_OF_IT: `{"key":"${KEY}"}`,
          NPM_TOKEN: "npm_0123456789",
        };
        const flags = [
          "--pass",
          "NPM_TOKEN",
          "--targets",
          JSON.stringify({ [`127.0.0.1:${target.port}`]: {} }),
        ];
        const { stdout, stderr } = await run([...flags, "--", "printenv"], {
          ...secrets,
          XDG_SESSION_ID: "3",
          MAX_TOKENS: "4096",
        });
        const names = stdout.trim().split("\n").map((line) => line.split("=")[0]!);
        expect(names.filter((name) => Object.hasOwn(secrets, name))).toEqual(["NPM_TOKEN"]);
        expect(names).toEqual(expect.arrayContaining(["XDG_SESSION_ID", "MAX_TOKENS", "OPENAI_API_KEY"]));
        const [, replaced, left] = stderr.trim().split("; ");
        expect(replaced).toBe(
          `WARNING, entry "127.0.0.1:${target.port}" of --targets replaces the preset openai, without its {{OPENAI_API_KEY}}`,
        );
        expect(left).toMatch(
          /^WARNING, not handed on: (?:(?:DB_PASSWORD|STRIPE|DATABASE_URL|COPY_OF_IT)(?:, )?){4} \(--pass NAME/,
        );
      });
    });

    it.each(rowsOnce(runtime, [
      { given: "in a file", pass: (table: string) => writeOut("targets.json", table) },
      { given: "as text", pass: (table: string) => table },
    ]))("has what a table $given and a preset of one's own are for", async ({ pass }) => {
      const table = JSON.stringify({
        $comment: null,
        [`127.0.0.1:${other.port}`]: { label: "own", set: { "x-key": "{{OWN_SECRET}}" } },
      });
      const show = `
        const { OWN_SECRET: own, OWN_BASE_URL, ACME_CODE: code, ACME_BASE_URL } = process.env;
        const ask = (base, headers) => fetch(base + "/x", { headers }).then(({ status }) => status);
        const none = [await ask(OWN_BASE_URL, {}), await ask(OWN_BASE_URL, {}), await ask(OWN_BASE_URL, {})];
        console.log(...none, await ask(OWN_BASE_URL, { "x-key": own }), await ask(ACME_BASE_URL, { "x-acme": code }),
          await ask(ACME_BASE_URL, { "x-acme": own }), await ask(OWN_BASE_URL, { "x-key": code }),
          await ask(OWN_BASE_URL, { "x-key": own }), await ask(ACME_BASE_URL, { "x-acme": code }));`;
      const preset = `acme=${target.origin}/base,key=ACME_CODE,header=X-Acme`;
      const flags = ["--targets", pass(table), "--preset", preset, "--rate-limit", "2/60s"];
      const { stdout } = await run([...flags, "--", ...NODE, show], {
        OPENAI_API_KEY: "",
        OWN_SECRET: "the own key",
        ACME_CODE_FILE: writeOut("key", "the key of acme\n"),
      });
      expect(stdout.trim()).toBe("401 401 401 200 200 403 403 429 429");
      const arrived = [...other.requests, ...target.requests].map((request) => [
        request.target,
        ...request.headersNamed("x-key"),
        ...request.headersNamed("x-acme"),
      ]);
      expect(arrived).toEqual([["/x", "the own key"], ["/base/x", "the key of acme"]]);
    });

    it.concurrent.each(UNSTARTED)(
      "is not started where $program can't be",
      async ({ program, code, says }) => {
        const written = await run(["--", program]);
        expect([written.code, written.stdout]).toEqual([code, ""]);
        expect(written.stderr).toContain(`fetchvia run: Cannot run ${JSON.stringify(program)}: ${says}`);
        expect(written.stderr.trim().split("\n")).toHaveLength(1);
      },
    );

    it.concurrent.each([
      { script: "kill -9 $$", code: 137, stdout: "" },
      { script: 'cat; printf "%s," "$@"; exit 3', code: 3, stdout: "from stdin--help,-v," },
    ])("gives its exit code, and has stdin and its own flags: $script", async ({ script, code, stdout }) => {
      const written = await run(["--", "sh", "-c", script, "sh", "--help", "-v"], {}, "from stdin");
      expect([written.code, written.stdout]).toEqual([code, stdout]);
    });

    it("is let through and recorded by --report", async () => {
      const cwd = mkdtempSync(join(folder, "report-"));
      const beyond = `
        const { OPENAI_BASE_URL: base, OPENAI_API_KEY: key } = process.env;
        const url = new URL("/__proxy__/at/127-0-0-1-${other.port}/", base);
        console.log((await fetch(url, { headers: { proxy_token: key } })).status);`;
      const words = ["run", "--report", "--", ...NODE, beyond];
      const { stdout } = await runCommandWith(runtime, words, "", own(), cwd);
      expect(stdout.trim()).toBe("200");
      expect(readFileSync(join(cwd, "fetchvia-audit.jsonl"), "utf8")).toContain("would_refuse");
    });

    declareOnce(runtime, () => {
      it("writes no record through a link that someone else has made", async () => {
        const cwd = mkdtempSync(join(folder, "link-"));
        symlinkSync(join(cwd, "other"), join(cwd, "fetchvia-audit.jsonl"));
        const { code, stderr } = await runCommandWith(
          runtime,
          ["run", "--report", "--", "true"],
          "",
          own(),
          cwd,
        );
        expect([code, readdirSync(cwd)]).toEqual([1, ["fetchvia-audit.jsonl"]]);
        expect(stderr)
          .toContain('AUDIT is "fetchvia-audit.jsonl", expected a file that can be written, with one name');
      });
    });

    it("gets each signal, and opens no debugger at SIGUSR1", async () => {
      const traps = SIGNALS.map((name) => `trap "echo ${name}" ${name}; `).join("");
      const child = await start(["sh", "-c", `${traps}trap "exit 40" USR1; ${STAY}`]);
      for (const name of SIGNALS) {
        child.process.kill(`SIG${name}`);
        await expect.poll(() => child.stdout()).toContain(`${name}\n`);
      }
      expect((await child.stop("SIGUSR1")).code).toBe(usr1.code);
      expect(child.stderr()).toContain(usr1.says);
    });

    it.each<{ when: string; signal: NodeJS.Signals; to: 0 | 1; code: number | null }>([
      { when: "the proxy is killed", signal: "SIGKILL", to: 0, code: null },
      { when: "the program has ended", signal: "SIGUSR2", to: 1, code: 0 },
    ])(
      "leaves nothing when $when: no process, no port, no token",
      async ({ signal, to, code }) => {
        const mark = `TEST_MARK=${randomUUID()}`;
        const child = await start(
          [...NODE, CROWD],
          Object.fromEntries([mark.split("=") as [string, string]]),
        );
        const { base, key } = JSON.parse(child.stdout()) as Record<string, string>;
        await expect.poll(() => listProcesses(mark).length).toBe(5);
        const program = listProcesses(mark).find((id) =>
          readTree(id).includes("spawn") && id !== child.process.pid
        )!;
        process.kill([child.process.pid!, program][to]!, signal);
        // The processes hold its output, so it ends with the last of them.
        expect((await child.exit()).code).toBe(code);
        expect(listProcesses(mark)).toEqual([]);
        await expect(fetch(`${base}/models`, { headers: { authorization: `Bearer ${key}` } })).rejects
          .toThrow();
      },
    );

    it("leaves nothing when the group of the proxy is killed", async () => {
      const mark = randomUUID();
      const [command, ...args] = commandOf(runtime);
      const { HOME } = process.env;
      // Where PATH is short, what ends the rest is found all the same.
      const PATH = mkdtempSync(join(folder, "path-"));
      for (const file of [process.execPath, "/bin/sh", "/bin/sleep"]) {
        symlinkSync(file, join(PATH, basename(file)));
      }
      const child = spawn(command, [...args, "run", "--", ...NODE, CROWD], {
        env: own({ PATH, HOME: HOME!, TEST_MARK: mark }),
        detached: true,
        stdio: ["ignore", "pipe", "ignore"],
      });
      const ended = text(child.stdout);
      await expect.poll(() => listProcesses(`TEST_MARK=${mark}`).length).toBe(5);
      process.kill(-child.pid!, "SIGKILL");
      // The processes hold its output, so it ends with the last of them.
      await ended;
      expect(listProcesses(`TEST_MARK=${mark}`)).toEqual([]);
    });

    it("finds keys and signing key nowhere: environment, arguments, files, output, errors, explain, metrics", async () => {
      const folder = mkdtempSync(join(tmpdir(), "fetchvia-run-"));
      const program = `
        import { spawn } from "node:child_process";
        const { OPENAI_BASE_URL: base, OPENAI_API_KEY: key } = process.env;
        const { origin } = new URL(base);
        const pages = ["explain?url=" + encodeURIComponent(base), "explain?dns=true&path=/", "metrics", "", "at/-/", "health",
          "traffic", "traffic.har", "traffic.har?id=ID", "capture?id=ID", "capture", "send", "socket", "sign-in"];
        const own = { authorization: "Bearer " + key };
        let id = "";
        for (const headers of [own, { proxy_token: key }, { ...own, proxy_token: key }, {}]) {
          for (const url of [base + "/echo?" + key.slice(0, 4), ...pages.map((page) => origin + "/__proxy__/" + page)]) {
            const response = await fetch(url.replace("ID", id), { headers });
            id ||= response.headers.get("x-request-id");
            console.log(response.status, url, JSON.stringify([...response.headers]), await response.text());
          }
        }
        spawn("sleep", ["600"]);
        console.log("asked with " + key);
        setInterval(() => {}, 1000);`;
      target.answer = reply(401, { "x-echo": KEY, "www-authenticate": `Bearer error="${KEY}"` }, "no");
      writeFileSync(join(folder, "key"), "key-in-a-file-0123");
      const child = await start([...NODE, program], {
        TMPDIR: folder,
        GROQ_API_KEY_FILE: join(folder, "key"),
        GH_TOKEN: "ghp_0123456789abcdef",
        "PÄSSE_PASSWORD": "hunter22-0123",
        LOG: "json",
      }, ["--metrics", "true", "--audit", join(folder, "audit.jsonl")]);
      await expect.poll(() => child.stdout()).toContain("asked with");
      const keys = [KEY, "key-in-a-file-0123", "ghp_0123456789abcdef", "hunter22-0123"]
        .flatMap((key) => [key, Buffer.from(`x-access-token:${key}`).toString("base64")]);
      const token = /fv1\.[\w.-]+/.exec(child.stdout().split("asked with")[1]!)![0];
      const during = readTree(child.process.pid!);
      await child.stop();
      // Nobody sees what others send: neither the program nor whoever else asks.
      expect(child.stdout()).toMatch(/^40[134] \S*traffic\.har\?id=[\w-]+ /m);
      expect(child.stdout()).not.toMatch(/^2\d\d \S*\/__proxy__\/(?:traffic|capture|metrics|send|socket)/m);
      const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
        name !== "key"
      );
      const seen = [
        during,
        child.stdout(),
        child.stderr(),
        ...files.map((name) => readFileSync(join(folder, name), "latin1")),
      ];
      expect(keys.filter((key) => seen.some((text) => text.includes(key)))).toEqual([]);
      expect(await findSigningKey(seen.join("\n"), token)).toEqual([]);
      expect(during).toContain("OPENAI_API_KEY=fv1.");
      expect(files).toContain("audit.jsonl");
      rmSync(folder, { recursive: true });
    });
  },
);

it.each([
  { as: "takes the place of a shell", script: 'exec "$0" "$@"', shows: false },
  { as: "is the child of a shell", script: '"$0" "$@"; exit', shows: true },
])("the system shows keys of who started a run: $shows where it $as", async ({ script, shows }) => {
  const words = [
    "-c",
    script,
    process.execPath,
    "dist/command/main.js",
    "run",
    "--",
    "sh",
    "-c",
    "echo ready; cat",
  ];
  const child = spawn("sh", words, { env: { PATH: process.env["PATH"], OPENAI_API_KEY: KEY } });
  const [began] = await Promise.race([once(child.stdout, "data"), once(child, "close")]);
  expect(String(began)).toBe("ready\n");
  const tree = readTree(child.pid!);
  child.stdin.end();
  await once(child, "close");
  expect([tree.includes("OPENAI_API_KEY=fv1."), tree.includes(KEY)]).toEqual([true, shows]);
});
