/**
 * Defect 14: event streams and WebSockets are rows while they run, with what they carry.
 * @module
 */
import type { Page } from "playwright-core";
import WebSocket, { WebSocketServer } from "ws";
import { poll, trafficRows } from "./acts.ts";
import type { Scene, Seen } from "./scene.ts";
import type { Stage } from "./stage.ts";

/** Opens the running row of a path, and counts the lines of a tab of the inspector as they grow. */
async function watchGrowing(page: Page, path: string, tab: string, lines: string): Promise<[number, number]> {
  const row = trafficRows(page).filter({ hasText: path }).first();
  await row.waitFor();
  if (!(await row.getAttribute("class"))?.includes("running")) return [0, 0];
  await row.click();
  const inspector = page.locator("#inspector");
  await inspector.getByRole("tab", { name: new RegExp(`^${tab}`) }).click();
  const panel = inspector.getByRole("tabpanel");
  const count = () => panel.locator(lines).count();
  const first = await poll(count, (found) => found > 0, 4_000);
  const later = await poll(count, (found) => found > first, 4_000);
  return [first, later];
}

async function watchEvents(stage: Stage): Promise<Seen> {
  const proxy = await stage.startProxy({ CAPTURE: "64KiB" });
  const page = await stage.openList({ through: proxy });
  const ended = stage.call("/events", proxy);
  const [first, later] = await watchGrowing(page, "/events", "Answer", ".body-row");
  await ended;
  return { figure: `running row, events grow ${first} → ${later}`, isOk: first > 0 && later > first };
}

async function watchSocket(stage: Stage): Promise<Seen> {
  const proxy = await stage.startProxy({ CAPTURE: "64KiB" });
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (socket) => socket.on("message", (data: Buffer) => socket.send(`echo ${data}`)));
  const page = await stage.openList({ through: proxy });
  const headers = { proxy_host: `http://127.0.0.1:${server.address().port}` };
  const socket = new WebSocket(`ws://127.0.0.1:${proxy.port}/talk`, [], { headers });
  await new Promise((resolve, reject) => socket.on("open", resolve).on("error", reject));
  const timer = setInterval(() => socket.send(`at ${Date.now()}`), 400);
  try {
    const [first, later] = await watchGrowing(page, "/talk", "Messages", "ol > li");
    const text = await page.locator("#inspector").getByRole("tabpanel").innerText();
    const isBoth = text.includes("echo at") && /(^|[^o] )at \d/m.test(text);
    return {
      figure: `running row, messages grow ${first} → ${later}, ${isBoth ? "both ways" : "one way"}`,
      isOk: first > 0 && later > first && isBoth,
    };
  } finally {
    clearInterval(timer);
    socket.terminate();
    server.close();
  }
}

const COMMON = { number: 14, before: "no row until it ends, no messages", wanted: "a running row" };

/** The scenes. */
export const LIVE_SCENES: readonly Scene[] = [
  { ...COMMON, title: "event stream", run: watchEvents },
  { ...COMMON, title: "WebSocket", run: watchSocket },
];
