/**
 * SDKs in a page, as the recipe shows them: a model that streams, and an MCP server.
 * @module
 */
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMcpServer, type McpLog } from "../apps/mcp.ts";
import { APPS } from "../support/apps.ts";
import { freePort } from "../support/free-port.ts";
import { type Proxy, startProxy } from "../support/proxy.ts";
import { readSteps, type Step } from "../support/recipe.ts";
import { Model } from "./model.ts";
import { Site } from "./site.ts";
import type { Stage } from "./stage.ts";
import { waitFor } from "../support/wait.ts";

/** The code of a page with the packages that it imports, as one script. */
async function bundle({ code, file = "" }: Step): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: APPS, sourcefile: file },
    bundle: true,
    format: "esm",
    write: false,
    logLevel: "silent",
  });
  return outputFiles[0]!.text;
}

/** A site whose page at `/openai` runs `openai.js`. */
function serve(site: Site, scripts: ReadonlyMap<string, string>): void {
  site.answer = ({ url = "" }, response) => {
    const script = scripts.get(url.slice(1));
    response.setHeader("Content-Type", script ? "text/javascript" : "text/html");
    response.end(
      script ??
        `<!doctype html><title>SDK</title><output></output><script type="module" src="${url}.js"></script>`,
    );
  };
}

/** Declares the tests. */
export function describeSdks(stage: Stage): void {
  describe("an SDK in a page of another origin", () => {
    const model = new Model();
    const mcp: McpLog = { asked: [] };
    let sites: Site[];
    let proxy: Proxy;
    let page: Page;
    let origin: string;
    let troubles: string[];
    /** Waits until the page shows exactly this, without a complaint. */
    const waitForText = (text: string) =>
      waitFor(async () => expect([await page.textContent("output"), troubles]).toEqual([text, []]));

    beforeAll(async () => {
      sites = await Promise.all([new Site().listen(), new Site().listen(), new Site().listen()]);
      const [own, api, tools] = sites as [Site, Site, Site];
      const port = await freePort();
      api.answer = model.answer;
      tools.answer = createMcpServer(mcp);
      const [start, ...pages] = await readSteps(
        "sdks",
        new Map([["https://api.openai.com", api.origin], ["https://mcp.example.com", tools.origin], [
          "8080",
          `${port}`,
        ]]),
      );
      const scripts = await Promise.all(pages.map(async (step) => [step.file!, await bundle(step)] as const));
      serve(own, new Map(scripts));
      origin = own.origin.replace("127.0.0.1", "localhost");
      const [, flags = ""] = /^npx fetchvia (.*)/.exec(start!.code) ?? [];
      proxy = await startProxy(stage.runtime, { LOG: "off" }, { flags: flags.split(" "), port });
    });
    beforeEach(async () => {
      page = await (await stage.open()).newPage();
      troubles = [];
      page.on("pageerror", (error) => troubles.push(String(error)));
      page.on("console", (message) => troubles.push(message.text()));
      page.on("dialog", (dialog) => dialog.accept("sk-of-the-user"));
    });
    afterAll(() => Promise.all([proxy.stop(), ...sites.map((site) => site.close())]));

    it("shows each word of a model before the next one is sent", async () => {
      await page.goto(`${origin}/openai`);
      await model.send("one");
      await waitForText("one");
      await model.send(", two");
      await waitForText("one, two");
      await model.end();
      await waitForText("one, two (end)");
      expect(model.asked)
        .toMatchObject({ method: "POST", path: "/v1/chat/completions", key: "Bearer sk-of-the-user" });
      expect(model.asked.body).toMatchObject({ stream: true, messages: [{ content: "Count to three" }] });
      await page.context().close();
    });

    it("keeps a session with an MCP server, lists its tools and calls one", async () => {
      await page.goto(`${origin}/mcp`);
      await waitForText("add: 5 (end)");
      const [first, ...others] = mcp.asked;
      expect(first).toEqual({ method: "POST", session: undefined });
      expect(new Set(others.map(({ session }) => session))).toEqual(new Set(["the-session"]));
      expect(mcp.asked.map(({ method }) => method)).not.toContain("OPTIONS");
      await page.context().close();
    });
  });
}
