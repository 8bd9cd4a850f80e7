/**
 * A front end of Vite in a browser, with backends behind the plugin.
 * @module
 */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { App, fetchvia, MAJORS } from "../apps/vite.ts";
import { launchBrowser } from "../console-e2e/browser.ts";
import { Site } from "./site.ts";

/** A backend with a login, whose cookies are for https alone. */
function answerAs(name: string): Site["answer"] {
  return ({ url, headers }, response) => {
    const isLogin = url === "/api/login";
    response.writeHead(200, {
      "set-cookie": isLogin
        ? [
          `__Host-session=${name}; Secure; HttpOnly; Path=/; SameSite=None`,
          `seen=${name}; Secure; Path=/api`,
        ]
        : [],
    });
    const cookies = headers.cookie?.split("; ").sort().join("; ") ?? "nobody";
    response.end(isLogin ? "welcome" : `${name} knows ${cookies}`);
  };
}

/** Asks as the front end's own script does. */
function ask(page: Page, path: string, method = "GET"): Promise<string> {
  return page.evaluate(([path = "", method]) => fetch(path, { method }).then((answer) => answer.text()), [
    path,
    method,
  ]);
}

let browser: Browser;
let app: App;
let first: Site;
let second: Site;
let port: number;

beforeAll(async () => {
  app = new App();
  [browser, first, second] = await Promise.all([launchBrowser(), new Site().listen(), new Site().listen()]);
  [first.answer, second.answer] = [answerAs("first"), answerAs("second")];
  const { create } = MAJORS.at(-1)!;
  ({ port } = await app.serve(create, { plugins: [fetchvia({ prefix: "/api", target: first.origin })] }));
});
afterAll(() => Promise.all([browser.close(), app.close(), first.close(), second.close()]));

it("logs in with Secure cookies over http", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://localhost:${port}/`);
  expect(await ask(page, "/api/me")).toBe("first knows nobody");
  expect(await ask(page, "/api/login", "POST")).toBe("welcome");
  expect(await ask(page, "/api/me")).toBe("first knows __Host-session=first; seen=first");
  await context.close();
});

it("shows two backends in two tabs at once, each logged in on its own", async () => {
  const context = await browser.newContext();
  const [one, other] = [await context.newPage(), await context.newPage()];
  await one.goto(`http://one.localhost:${port}/__proxy__/?host=${encodeURIComponent(first.origin)}`);
  await other.goto(`http://other.localhost:${port}/__proxy__/?host=${encodeURIComponent(second.origin)}`);
  await one.goto(`http://one.localhost:${port}/`);
  await other.goto(`http://other.localhost:${port}/`);
  expect([await ask(one, "/api/login", "POST"), await ask(other, "/api/login", "POST")])
    .toEqual(["welcome", "welcome"]);
  expect(await Promise.all([ask(one, "/api/me"), ask(other, "/api/me"), ask(one, "/api/me")])).toEqual([
    "first knows __Host-session=first; seen=first",
    "second knows __Host-session=second; seen=second",
    "first knows __Host-session=first; seen=first",
  ]);
  await context.close();
});

it("goes to another backend from the next request on", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://localhost:${port}/`);
  expect(await ask(page, "/api/me")).toBe("first knows nobody");
  const console = await context.newPage();
  await console.goto(`http://localhost:${port}/__proxy__/`);
  await console.getByLabel("Base address of the host").fill(second.origin);
  await console.getByRole("button", { name: "Set host" }).click();
  await console.getByText("set by cookie", { exact: true }).waitFor();
  expect(await ask(page, "/api/me")).toBe("second knows nobody");
  await context.close();
});

it("updates a module of the page without a reload", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`http://localhost:${port}/`);
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => {
    document.title = "as it was";
  });
  const updated = page.waitForEvent("console", (message) => message.text() === "new code");
  app.write("main.js", `console.log("new code"); import.meta.hot?.accept();`);
  await updated;
  expect(await page.title()).toBe("as it was");
  await context.close();
});
