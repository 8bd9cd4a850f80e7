/**
 * isomorphic-git, the git of web pages, with the proxy as its `corsProxy`: it clones and pushes.
 * @module
 */
import fs from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { add, clone, commit, push } from "isomorphic-git";
import http from "isomorphic-git/http/web";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { git, GitHost } from "../support/git.ts";
import { type Proxy, startProxy } from "../support/proxy.ts";

const SIZE = 100_000;
const AUTHOR = { name: "a", email: "a@a.test" };
const TIMEOUT_MS = 60_000;

let host: GitHost;
beforeAll(async () => {
  host = await GitHost.start(SIZE);
  return () => host.stop();
});

describe.each([{ runtime: "bun" }, { runtime: "deno" }, { runtime: "node" }, { runtime: "worker" }] as const)(
  "isomorphic-git through $runtime",
  ({ runtime }) => {
    let proxy: Proxy;
    beforeAll(async () => void (proxy = await startProxy(runtime, { ADDRESS_FORMS: "git,corsproxy" })));
    afterAll(async () => void await proxy.stop("SIGKILL"));

    // It puts the address behind the proxy's without its scheme, or whole behind a `?`.
    it.each([{ form: "git", end: "" }, { form: "corsproxy", end: "/?" }])(
      "clones and pushes in the form $form",
      async ({ form, end }) => {
        const name = await host.create();
        const bare = join(host.folder, name);
        const dir = join(host.folder, `${runtime}-${form}`);
        const remote = { fs, http, url: `${host.origin}/${name}`, corsProxy: proxy.origin + end };
        expect(await push({ ...remote, dir: host.work, ref: "main" })).toMatchObject({ ok: true });
        expect(await host.read(bare)).toEqual(await host.read(host.work));

        await clone({ ...remote, dir, ref: "main" });
        expect(await readFile(join(dir, "large"))).toEqual(await readFile(join(host.work, "large")));

        await writeFile(join(dir, "new"), "written in a page");
        await add({ fs, dir, filepath: "new" });
        const made = await commit({ fs, dir, message: "new", author: AUTHOR });
        expect(await push({ ...remote, dir, ref: "main" })).toMatchObject({ ok: true });
        expect(await git("-C", bare, "rev-parse", "main")).toBe(made);
        expect(await git("-C", bare, "show", "main:new")).toBe("written in a page");
      },
      TIMEOUT_MS,
    );
  },
);
