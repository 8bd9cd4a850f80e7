/**
 * Chromium as the caller: one browser for a file, a context of its own for each visit, and all that goes wrong in it.
 * @module
 */
import { type Browser, type BrowserContext, type BrowserContextOptions } from "playwright-core";
import { chromium, type Page } from "playwright-core";

/** What every browser of the tests is started with: no window, and nothing that it asks for by itself. */
export const QUIET_ARGUMENTS: readonly string[] = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-quic",
];

const ARGUMENTS = [
  ...QUIET_ARGUMENTS,
  // Pages of the tests, and what the browser itself would ask for, find loopback alone: no name is looked up.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, EXCLUDE 127.0.0.1",
];

/** Chromium without its window, which takes a third of the time: Debian's, or `CHROMIUM`, as `/usr/bin/chromium`. */
export const CHROMIUM: string = process.env["CHROMIUM"] ?? "/usr/bin/chromium-headless-shell";

/** Starts the browser. */
export function launchBrowser(executablePath: string = CHROMIUM): Promise<Browser> {
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

const VIEWPORT = { width: 1280, height: 900 };

/** A console in a window. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  /** What the page complained of: errors, policy violations, dialogs. */
  troubles: string[];
  /** Every address that anything in the window asked for, and was let. */
  asked: string[];
}

/** Opens the console of a proxy. */
export async function openConsole(
  browser: Browser,
  origin: string,
  { path = "/__proxy__/", ...options }: BrowserContextOptions & { path?: string } = {},
): Promise<Visit> {
  const context = await browser.newContext({ viewport: VIEWPORT, ...options });
  const visit: Visit = { page: await context.newPage(), context, troubles: [], asked: [] };
  context.on("request", (request) => visit.asked.push(request.url()));
  // What a policy stops is announced too, but never leaves the browser.
  context.on("requestfailed", (request) => {
    if (request.failure()?.errorText === "csp") visit.asked.splice(visit.asked.indexOf(request.url()), 1);
  });
  context.on("page", (page) => watch(page, visit));
  watch(visit.page, visit);
  await visit.page.goto(origin + path);
  return visit;
}

/** Empties a window, so that it is as good as a new one, which would take twice the time. */
export async function emptyWindow({ page, context, troubles, asked }: Visit): Promise<void> {
  const origin = new URL(page.url()).origin;
  await Promise.all([
    ...context.pages().filter((other) => other !== page).map((other) => other.close()),
    page.unrouteAll(),
    context.unrouteAll(),
    page.mouse.move(0, 0),
  ]);
  await page.goto("about:blank");
  const session = await context.newCDPSession(page);
  await Promise.all([
    session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" }),
    context.clearCookies(),
    context.clearPermissions(),
  ]);
  await session.detach();
  troubles.length = asked.length = 0;
}

/** Opens the console in an empty window, which can be told its size, colours and permissions alone. */
export async function reuseWindow(
  { page, context }: Visit,
  address: string,
  options: BrowserContextOptions,
): Promise<void> {
  await page.setViewportSize(options.viewport ?? VIEWPORT);
  await page.emulateMedia({ colorScheme: options.colorScheme ?? "light", forcedColors: null });
  await context.grantPermissions(options.permissions ?? []);
  await page.goto(address);
}

function watch(page: Page, { troubles }: Visit): void {
  page.on("console", (message) => {
    if (message.type() === "error") troubles.push(message.text());
  });
  page.on("pageerror", (error) => troubles.push(error.message));
  page.on("dialog", (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
}
