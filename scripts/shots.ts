/**
 * `npm run shots`: takes the pictures of the console in docs/images, light and dark, from a running proxy in front of a small
 * shop. It needs Chromium (`CHROMIUM=/path`, else Debian's) and the ports 8080 and 3000.
 * @module
 */
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";

const ROOT = resolve(import.meta.dirname, "..");
const IMAGES = join(ROOT, "docs/images");
const PROXY = "http://localhost:8080";
const SHOP = "http://shop.localhost:3000";
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const SCHEMES = ["light", "dark"] as const;
/** How long visitors of the shop are busy before the first picture, so that the charts have something to show. */
const BUSY_MS = 24_000;

const PRODUCTS = [{ id: 7, name: "teapot", price: 18.5 }, { id: 8, name: "cup", price: 4 }];

/** The shop: some answers are good, some are not, and one stream stays open. */
function openShop(): ReturnType<typeof Bun.serve> {
  return Bun.serve({
    port: 3000,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    routes: {
      "/products": () =>
        Response.json(PRODUCTS, { headers: { "set-cookie": "basket=b42; Path=/; HttpOnly" } }),
      "/products/7": () => Response.json(PRODUCTS[0]),
      "/orders": () => Response.json({ id: 1204, item: "teapot", state: "paid" }, { status: 201 }),
      "/stock": () => Response.json({ error: "the warehouse is closed" }, { status: 503 }),
      "/news": () =>
        new Response(new ReadableStream({ start: (stream) => stream.enqueue("data: hello\n\n") }), {
          headers: { "content-type": "text/event-stream" },
        }),
    },
    fetch: () => new Response("no such page", { status: 404 }),
  });
}

/** The ways of the visitors through the shop. */
const VISITS: readonly (readonly [path: string, init?: RequestInit])[] = [
  ["/products"],
  ["/products/7"],
  ["/orders", { method: "POST", body: '{"item":"teapot"}', headers: { "content-type": "application/json" } }],
  ["/products"],
  ["/stock"],
  ["/pictures/teapot.webp"],
];

async function visit([path, init]: (typeof VISITS)[number]): Promise<void> {
  await (await fetch(PROXY + path, { ...init, headers: { ...init?.headers, proxy_host: SHOP } }))
    .arrayBuffer();
}

async function keepBusy(): Promise<void> {
  const end = Date.now() + BUSY_MS;
  for (let turn = 0; Date.now() < end; turn++) {
    await visit(VISITS[turn % VISITS.length]!);
    await Bun.sleep(40 + 40 * Math.sin(turn / 9));
  }
}

/** Takes one picture in both colour schemes. */
async function shoot(page: Page, name: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.screenshot({ path: join(IMAGES, `${name}-${colorScheme}.png`) });
    console.log(`docs/images/${name}-${colorScheme}.png`);
  }
}

async function openConsole(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1120, height: 730 }, deviceScaleFactor: 1.5 });
  await page.goto(`${PROXY}/__proxy__/`);
  await page.getByText("Live", { exact: true }).waitFor();
  return page;
}

/** The host is set, and a request has been sent. */
async function showRequest(page: Page): Promise<void> {
  await page.getByLabel("Base address of the host").fill(SHOP);
  await page.getByRole("button", { name: "Set host" }).click();
  await page.getByText("set by cookie", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Compose" }).click();
  await page.fill("#address", "/products");
  await page.keyboard.press("Control+Enter");
  await page.locator(".summary").waitFor();
  await shoot(page, "console");
}

/** Live traffic, and one captured request in the inspector. */
async function showTraffic(page: Page): Promise<void> {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole("link", { name: "Traffic" }).click();
  await page.selectOption("#capture-mode", "64KiB");
  await keepBusy();
  await page.locator("#traffic-rows").getByRole("row", { name: /POST/ }).first().click();
  await page.locator("#inspector .body-row", { hasText: "paid" }).first().waitFor();
  await shoot(page, "traffic");
}

await mkdir(IMAGES, { recursive: true });
const shop = openShop();
const proxy = Bun.spawn([
  process.execPath,
  join(ROOT, "src/command/main.ts"),
  "--port",
  "8080",
  "--log",
  "off",
]);
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: ["--headless", "--no-sandbox", "--disable-gpu"],
});
try {
  const page = await openConsole(browser);
  const news = fetch(`${PROXY}/news`, { headers: { proxy_host: SHOP } });
  await showRequest(page);
  await showTraffic(page);
  await (await news).body?.cancel();
} finally {
  await browser.close();
  proxy.kill();
  await shop.stop(true);
}
