/**
 * `npm run shots`: takes the pictures of the console in docs/images, light and dark, from a running proxy in front of a small
 * shop. `npm run shots -- FOLDER` takes all views in three sizes instead. It needs Chromium (`CHROMIUM=/path`, else Debian's)
 * and the ports 8080 (or `PORT`, which they do not show) and 3000.
 * @module
 */
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";

const ROOT = resolve(import.meta.dirname, "..");
const [FOLDER] = process.argv.slice(2);
const PORT = process.env["PORT"] ?? "8080";
/** The proxy as its callers see it, and as the pictures show it. */
const PROXY = `http://localhost:${PORT}`;
const SHOWN_PROXY = "http://localhost:8080";
const SHOP = "http://shop.localhost:3000";
const CHROMIUM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const SCHEMES = ["light", "dark"] as const;
const WIDE = { width: 1_280, height: 720 };
/** The part of the pane's picture that the README has. */
const TOP = { x: 0, y: 0, width: 1_280, height: 284 };
const SIZES = [{ width: 1_440, height: 900 }, { width: 1_024, height: 768 }, { width: 390, height: 844 }];
/** How long visitors of the shop are busy before the first picture, so that the charts have something to show. */
const BUSY_MS = 24_000;

/** An answer of a language model, as OpenAI streams it. */
const ANSWER =
  "A teapot of 0.8 litres fills four cups. The blue one is in stock, and I have put it into your basket.";
const CHUNKS = [
  ...(ANSWER.match(/\S+ ?/g) ?? []).map((content) => ({ content })),
  {
    tool_calls: [{
      index: 0,
      id: "call_1",
      type: "function",
      function: { name: "add_to_basket", arguments: "" },
    }],
  },
  { tool_calls: [{ index: 0, function: { arguments: '{"item":7,"count":1}' } }] },
];

/** Streams the answer, a word at a time. */
async function* stream(): AsyncGenerator<string> {
  for (const delta of CHUNKS) {
    await Bun.sleep(30);
    const chunk = { object: "chat.completion.chunk", model: "gpt-5-mini", choices: [{ index: 0, delta }] };
    yield `data: ${JSON.stringify(chunk)}\n\n`;
  }
  yield "data: [DONE]\n\n";
}

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
      "/v1/chat/completions": () =>
        new Response(stream() as unknown as ReadableStream, {
          headers: { "content-type": "text/event-stream" },
        }),
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

/** Sends a question to the language model. */
function ask(): Promise<void> {
  const messages = [{ role: "user", content: "Which teapot is enough for four?" }];
  const body = JSON.stringify({ model: "gpt-5-mini", stream: true, messages });
  const headers = { "content-type": "application/json", authorization: "Bearer sk-1234567890abcdefghij" };
  return visit(["/v1/chat/completions", { method: "POST", body, headers }]);
}

/** Opens the row of a request, and waits for this text in the pane. */
const pick = (name: RegExp, text: string, tab = "Overview") => async (page: Page): Promise<void> => {
  await page.goto(`${SHOWN_PROXY}/__proxy__/#traffic`);
  await page.locator("#traffic-rows").getByRole("row", { name }).first().click();
  const pane = page.locator("#inspector");
  await pane.getByRole("tab", { name: "Changes" }).waitFor();
  await pane.getByRole("tab", { name: tab }).first().click();
  await pane.getByRole("tabpanel").getByText(text).first().waitFor();
};

/** The views: how each is come to. */
const VIEWS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  list: async (page) => {
    await page.goto(`${SHOWN_PROXY}/__proxy__/#traffic`);
    await page.locator("#traffic-rows").getByRole("row").nth(9).waitFor();
  },
  pane: pick(/POST 201/, "paid"),
  llm: pick(/completions/, "fills four cups", "Response"),
  compose: async (page) => {
    await page.goto(`${SHOWN_PROXY}/__proxy__/#request`);
    await page.fill("#address", "/products");
    await page.keyboard.press("Control+Enter");
    await page.locator("#answer .body-row").first().waitFor();
  },
};
/** Those in docs. */
const SHOWN = ["list", "pane", "llm"];

/** Takes one picture in both colour schemes. */
async function shoot(page: Page, folder: string, name: string): Promise<void> {
  for (const colorScheme of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const path = join(folder, `${name}-${colorScheme}.png`);
    await page.screenshot({ path });
    if (name === "console-pane") {
      await page.screenshot({ path: join(folder, `console-top-${colorScheme}.png`), clip: TOP });
    }
    console.log(path);
  }
}

async function shootAll(page: Page): Promise<void> {
  const folder = FOLDER ?? join(ROOT, "docs/images");
  await mkdir(folder, { recursive: true });
  for (const size of FOLDER ? SIZES : [WIDE]) {
    await page.setViewportSize(size);
    for (const name of FOLDER ? Object.keys(VIEWS) : SHOWN) {
      // A new document: the address alone would keep what the view before has opened.
      await page.goto("about:blank");
      await VIEWS[name]!(page);
      await shoot(page, folder, FOLDER ? `${name}-${size.width}` : `console-${name}`);
    }
  }
}

/** Opens the console, and sets the host. */
async function openConsole(browser: Browser): Promise<Page> {
  const page = await browser.newPage({ viewport: WIDE, deviceScaleFactor: 1 });
  await page.goto(`${SHOWN_PROXY}/__proxy__/`);
  await page.getByText("Live", { exact: true }).waitFor();
  await page.getByLabel("Base address of the host").fill(SHOP);
  await page.getByRole("button", { name: "Set host" }).click();
  await page.getByText("set by cookie", { exact: true }).waitFor();
  return page;
}

const shop = openShop();
const proxy = Bun.spawn(
  [process.execPath, join(ROOT, "src/command/main.ts"), "--port", PORT, "--log", "off"],
  { env: { ...process.env, CAPTURE: "64KiB" }, stdout: "ignore" },
);
const browser = await chromium.launch({
  executablePath: CHROMIUM,
  args: [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    `--host-resolver-rules=MAP localhost:8080 127.0.0.1:${PORT}`,
  ],
});
try {
  const page = await openConsole(browser);
  const news = fetch(`${PROXY}/news`, { headers: { proxy_host: SHOP } });
  await keepBusy();
  await ask();
  await shootAll(page);
  await (await news).body?.cancel();
} finally {
  await browser.close();
  proxy.kill();
  await shop.stop(true);
}
