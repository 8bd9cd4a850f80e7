/**
 * Five projects: pure unit tests, the conformance suite against each runtime's real entry (which needs the build), the
 * console in a real Chromium, attacks by web pages in one that is in a network namespace, and shared limits in a real
 * Redis. The last three, the recipes, which show curl and others, the tests with git, apps in Python, paths before nginx, and
 * signed links in Python, PHP, Go and a shell run where there is one, and always in CI, which installs them.
 * @module
 */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";
import { defineConfig } from "vitest/config";
import { whyNoNamespace } from "./test/support/namespace.ts";

const BROWSER = "/usr/bin/chromium";
const STORE = "/usr/bin/redis-server";
const GIT_SERVER = "/usr/lib/git-core/git-http-backend";
const WEB_SERVER = "/usr/sbin/nginx";
/** Packages of Python, where Debian installs them. */
const PYTHON_APPS = ["django", "flask"].map((name) => `/usr/lib/python3/dist-packages/${name}`);
const isCi = process.env.CI !== undefined;
const hasBrowser = existsSync(BROWSER) || isCi;
const hasNamespace = whyNoNamespace() === undefined || isCi;
const hasStore = existsSync(STORE) || isCi;
const hasGit = existsSync(GIT_SERVER) || isCi;
const hasWebServer = existsSync(WEB_SERVER) || isCi;
const hasApps = PYTHON_APPS.every((folder) => existsSync(folder)) || isCi;
const missing = ["curl", "git", "openssl", "python3"].filter((tool) => !hasCommand(tool));
const hasTools = missing.length === 0;
/** The languages of `docs/signed-links.md`, and of requests copied from the console, that are not there. */
const LACKING = [
  { language: "python", command: "python3" },
  { language: "php", command: "php" },
  { language: "go", command: "go" },
  { language: "shell", command: "openssl" },
].filter(({ command }) => !hasCommand(command));

function hasCommand(name: string): boolean {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => existsSync(join(folder, name))) || isCi;
}

/**
 * What waits for real clocks, processes and browsers comes late now and then on a machine that others use too. In CI such a
 * test may show once more that it passes; a fault fails twice.
 */
const RETRY = isCi ? 1 : 0;

/** `expect.poll` waits for what comes, and a busy machine lets it come late. */
const PATIENT = { poll: { timeout: 10_000 } };

const CONSOLE = {
  test: {
    expect: PATIENT,
    name: "console",
    retry: RETRY,
    include: ["test/console-e2e/*.test.ts", "test/browser/*.test.ts"],
    globalSetup: ["test/support/build.ts"],
    // Three browsers side by side on two cores are slow.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
};

const ATTACKS = {
  test: {
    expect: PATIENT,
    name: "attacks",
    retry: RETRY,
    include: ["test/attacks/*.test.ts"],
    globalSetup: ["test/support/build.ts"],
    // Three browsers side by side on two cores are slow.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
};

const STORES = {
  test: {
    name: "stores",
    retry: RETRY,
    include: ["test/stores/*.test.ts"],
    globalSetup: ["test/support/build.ts"],
    testTimeout: 20_000,
  },
};

if (!hasBrowser) console.error(`The console is not tested in a browser: there is no ${BROWSER}`);
if (!hasBrowser || !hasNamespace) {
  console.error("Attacks by web pages are not run: they need a browser and a network namespace");
}
if (!hasTools) console.error(`The recipes are not run: there is no ${missing.join(", ")}`);
for (const { language, command } of LACKING) {
  console.error(`Signed links are not tested in ${language}: there is no ${command}`);
}
if (!hasApps) console.error(`Apps in Python are not run: there is no ${PYTHON_APPS.join(", ")}`);
if (!hasGit) console.error(`Clones and pushes are not tested: there is no ${GIT_SERVER}`);
if (!hasWebServer) console.error(`Paths are not tested before nginx: there is no ${WEB_SERVER}`);
if (!hasStore) console.error(`Shared limits are not tested: there is no ${STORE}`);

export default defineConfig({
  test: {
    // The suite mostly waits for sockets, so its three files run side by side even on two cores.
    maxWorkers: 3,
    projects: [
      {
        test: {
          name: "unit",
          expect: PATIENT,
          include: ["test/**/*.test.ts"],
          exclude: [
            "test/conformance/**",
            "test/shipped/**",
            "test/console-e2e/**",
            "test/browser/**",
            "test/attacks/**",
            "test/stores/**",
          ],
          // Some go through all texts of a kind, which takes its time on a busy machine.
          testTimeout: 60_000,
        },
      },
      ...(hasBrowser ? [CONSOLE] : []),
      ...(hasBrowser && hasNamespace ? [ATTACKS] : []),
      ...(hasStore ? [STORES] : []),
      {
        test: {
          name: "runtimes",
          expect: PATIENT,
          retry: RETRY,
          include: ["test/conformance/**/*.test.ts", "test/shipped/*.test.ts"],
          exclude: [
            ...(hasTools ? [] : [
              "test/shipped/recipes.test.ts",
              "test/shipped/programs.test.ts",
              "test/shipped/copied-code.curl.test.ts",
            ]),
            ...(hasApps ? [] : ["test/shipped/trusted-proxies.python.test.ts"]),
            ...(hasGit ? [] : ["test/shipped/git.test.ts", "test/shipped/isomorphic-git.test.ts"]),
            ...(hasWebServer ? [] : ["test/shipped/paths.nginx.test.ts"]),
            ...LACKING.map(({ language }) => `test/shipped/{signed-links,copied-code}.${language}.test.ts`),
          ],
          globalSetup: ["test/support/build.ts"],
          testTimeout: 15_000,
          hookTimeout: 30_000,
          // Start and stop tests wait for processes of their own, so they run side by side within a file too.
          maxConcurrency: 8,
        },
      },
    ],
  },
});
