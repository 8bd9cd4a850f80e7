/**
 * The inspector: a captured request with all that became of it, sent again, copied, and in files.
 *
 * What the proxy keeps is scripted here, so that each scene is there to the byte. How it comes to be kept is tested with
 * capture itself.
 * @module
 */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Capture, FieldLine } from "../../src/parts/capture/capture.ts";
import { writeHar } from "../../src/parts/console/har.ts";
import { captureGet, capturePost, captureSocket } from "../console/inspector/captures.ts";
import { captureTrailers, kept } from "../console/inspector/captures.ts";
import { checkHar } from "../support/har-check.ts";
import { findFaults } from "./axe.ts";
import type { Stage } from "./stage.ts";
import { clearList, rowsOf } from "./traffic.ts";

/** Answers for `/__proxy__/capture?id=`: what is kept now; `undefined` if nothing is. */
type Kept = () => Capture | undefined;

/** Opens the console, sends a request through the proxy, and opens its row. */
async function inspect(stage: Stage, kept: Kept): Promise<Page> {
  const page = await stage.open({ permissions: ["clipboard-read", "clipboard-write"] });
  await page.route(/\/__proxy__\/capture\?id=/, (route) => {
    const capture = kept();
    return capture
      ? route.fulfill({ json: capture })
      : route.fulfill({ status: 404, json: { message: "Cannot show this request: it is not kept" } });
  });
  await page.getByText("Live", { exact: true }).waitFor();
  await clearList(page);
  const mode = kept() ? "heads" : "off";
  await stage.proxy.call("POST /__proxy__/capture", { body: JSON.stringify({ mode, minutes: 10 }) });
  await stage.proxy.call("GET /order", { fields: { proxy_host: stage.target.origin } });
  await rowsOf(page).filter({ hasText: "header" }).first().click();
  await page.getByRole("region", { name: "Inspected request" }).waitFor();
  return page;
}

const pane = (page: Page) => page.getByRole("region", { name: "Inspected request" });
const tab = (page: Page, name: string) => pane(page).getByRole("tab", { name: new RegExp(`^${name}`) });
const panel = (page: Page) => pane(page).getByRole("tabpanel");

/** The capture of a POST to the stage's target. */
function captureAt(stage: Stage, changes: Partial<Capture> = {}): Capture {
  const capture = capturePost(changes);
  const [hop] = capture.hops;
  hop!.request.headers = hop!.request.headers.filter(([name]) => name !== "x-a");
  const text = JSON.stringify(capture).replaceAll("https://api.test", stage.target.origin)
    .replaceAll("api.test", stage.target.host);
  return JSON.parse(text);
}

async function write(captures: readonly Capture[]): Promise<string> {
  const pieces: string[] = [];
  for await (const piece of writeHar(captures)) pieces.push(piece);
  return pieces.join("");
}

/** A stream of four events, and when each had arrived. */
function streamCompletion(): { text: string; arrivals: [number, number][] } {
  const deltas = [
    { content: "<b>Hel" },
    { content: "lo" },
    { tool_calls: [{ index: 0, function: { name: "add", arguments: '{"a":' } }] },
    { tool_calls: [{ index: 0, function: { arguments: "1}" } }] },
  ];
  const object = "chat.completion.chunk";
  const events = deltas.map((delta) =>
    `data: ${JSON.stringify({ object, model: "gpt-x", choices: [{ index: 0, delta }] })}\n\n`
  );
  const arrivals = events.map((_, index): [number, number] => [
    events.slice(0, index + 1).join("").length,
    510 + index * 100,
  ]);
  return { text: events.join(""), arrivals };
}

/** Declares the tests. */
export function describeInspector(stage: Stage): void {
  describe("the inspector", () => {
    it("puts together what a language model streamed, with its pace", async () => {
      const { text, arrivals } = streamCompletion();
      const headers: FieldLine[] = [["content-type", "text/event-stream"]];
      const capture = captureGet("https://api.test/v1/chat/completions", { headers });
      const [hop] = capture.hops;
      hop!.times = { startMs: 10, firstByteMs: 40, endMs: 2_010 };
      capture.responseBody = { base64: btoa(text), size: text.length, isOver: true, arrivals };
      const page = await inspect(stage, () => capture);
      await tab(page, "Response").click();
      const completion = page.getByRole("group", { name: "Completion" });
      expect(await completion.locator("dt, dd").allTextContents()).toEqual(
        [
          "Model",
          "gpt-x",
          "Output tokens",
          "about 4",
          "First token after",
          "500 ms",
          "Tokens a second",
          "about 2.7",
        ],
      );
      expect(await completion.locator("section").allTextContents())
        .toEqual(["<b>Hello", 'tool call add{"a":1}']);
      await page.getByRole("tab", { name: "Events" }).click();
      await page.getByText("4 events").waitFor();
      expect([await findFaults(page), stage.visit.troubles]).toEqual([[], []]);
    });

    it("shows what the proxy changed, line by line, with the rule", async () => {
      const page = await inspect(stage, () => capturePost());
      await tab(page, "Changes").click();
      const rows = panel(page).locator("tr.changed, tr.removed, tr.added");
      const read = async (row: number) => await rows.nth(row).locator("td").allTextContents();
      expect(await panel(page).locator("caption").allTextContents())
        .toEqual(["Request – 1 changed, 2 removed, 1 added", "Response – 1 changed, 1 removed, 1 added"]);
      expect(await read(0)).toEqual([
        "≠changed",
        "POST http://localhost:8080/order?draft=1&q=a+b",
        "POST https://api.test/order?draft=1&q=a+b",
        "the target is named by header",
      ]);
      expect(await read(1)).toEqual([
        "≠changed",
        "Host: localhost:8080",
        "host: api.test",
        "Host names the target (RFC 9110 §7.2)",
      ]);
      expect(await read(2))
        .toEqual(["−removed", "proxy_host: https://api.test", "", "for the proxy: no target gets it"]);
      expect(await read(3))
        .toEqual(["−removed", "Connection: keep-alive", "", "hop-by-hop: ends here (RFC 9110 §7.6.1)"]);
      expect(await panel(page).getByText("changed by the proxy").count()).toBe(0);
      await panel(page).getByLabel("Only what changed").check();
      expect(await panel(page).locator("tr.same").first().isVisible()).toBe(false);
      expect(stage.visit.troubles).toEqual([]);
    });

    it("shows what came before a response and behind a body, and what of it went on", async () => {
      const page = await inspect(stage, captureTrailers);
      const headings = () => panel(page).locator("h4").allTextContents();
      const lines = (index: number) => panel(page).locator("dl.lines").nth(index).allInnerTexts();
      await tab(page, "Request").click();
      expect(await headings()).toEqual(["Request to the target", "Trailers", "Body"]);
      expect(await lines(1)).toEqual([expect.stringMatching(/^X-Sum\s+a$/)]);
      await tab(page, "Response").click();
      expect(await headings()).toEqual([
        "Interim response after 100 ms",
        "Interim response after 120 ms",
        "Response of the target",
        "Trailers",
        "Body",
      ]);
      expect(await panel(page).locator(".first-line").allTextContents())
        .toEqual(["100 Continue", "103 Early Hints", "201 Created"]);
      expect(await lines(0)).toEqual([expect.stringMatching(/^Link\s+<\/a\.css>; rel=preload$/)]);
      expect(await lines(2)).toEqual([expect.stringMatching(/^X-Sum\s+b\s+Expires\s+0$/)]);
      expect(await findFaults(page)).toEqual([]);
      await tab(page, "Changes").click();
      expect(await panel(page).locator("caption").allTextContents()).toEqual([
        "Request – 1 changed, 2 removed, 1 added",
        "Request: trailers – 1 removed",
        "Response – 1 changed, 1 removed, 1 added",
        "Response: trailers – 1 removed",
      ]);
      expect(await panel(page).getByText("nobody takes it behind a body there (RFC 9110 §6.5)").count())
        .toBe(2);
      expect(await findFaults(page)).toEqual([]);
    });

    it("shows heads, bodies, cookies and where the time went", async () => {
      const capture = capturePost();
      const certificate = { subject: "CN=<b>api.test", issuer: "O=A", validTo: "2030-01-02T03:04:05.000Z" };
      const tls = { protocol: "TLSv1.3", cipher: "TLS_AES_128_GCM_SHA256", alpn: "http/1.1", certificate };
      Object.assign(capture.hops[0]!, { tls, connection: "7" });
      capture.request.httpVersion = "HTTP/2";
      capture.hops[0]!.response!.httpVersion = "HTTP/1.0";
      const page = await inspect(stage, () => capture);
      // Both bodies stand together at first.
      await panel(page).getByText("12345678901234567890").waitFor();
      await panel(page).getByText("Köln").waitFor();
      expect(await findFaults(page)).toEqual([]);
      await panel(page).getByRole("button", { name: /more fields: Request to the target$/ }).click();
      expect(await tab(page, "Request").getAttribute("aria-selected")).toBe("true");
      await panel(page).getByText("12345678901234567890").waitFor();
      await tab(page, "Response").click();
      expect(await panel(page).locator(".first-line").textContent()).toBe("201 Created");
      await panel(page).getByText("Köln").waitFor();
      await tab(page, "Cookies").click();
      expect(await panel(page).locator("tbody tr").allTextContents()).toEqual([
        "sid1",
        'theme"dark"',
        "sid2Domain api.test, Path /, Expires Wed, 02 Jan 2030 03:04:05 GMT, HttpOnly, Secure",
      ]);
      await tab(page, "Timing").click();
      expect(await panel(page).locator(".verdict").textContent())
        .toBe("The target took 99 % of the time, most of it: wait.");
      expect(await panel(page).locator("tbody tr").allTextContents())
        .toEqual(["Look-up3.0 ms", "Connect20 ms", "TLS40 ms", "Send1.0 ms", "Wait100 ms", "Transfer5.5 ms"]);
      expect(await panel(page).locator("caption").textContent()).toContain("new connection 7");
      await tab(page, "Overview").click();
      for (
        const text of [
          "HTTP/2 from the caller, HTTP/1.0 from the target",
          "new connection 7, TLSv1.3, TLS_AES_128_GCM_SHA256, ALPN http/1.1",
          "CN=<b>api.test, issued by O=A, valid until 2030-01-02",
        ]
      ) await panel(page).getByText(text, { exact: true }).waitFor();
    });

    it("grows while the request runs, and keeps tab, scroll position and selection", async () => {
      let now = captureSocket({ messages: [] });
      const page = await inspect(stage, () => now);
      await page.getByText(/^Running for \d/).waitFor();
      await tab(page, "Messages").click();
      const add = (text: string) => ({
        atMs: 10,
        from: "target" as const,
        kind: "text" as const,
        size: text.length,
        base64: btoa(text),
      });
      now = { ...now, messages: Array.from({ length: 120 }, (_, index) => add(`message ${index}`)) };
      await panel(page).getByText("message 119", { exact: true }).waitFor();
      const list = panel(page).locator("ol");
      await list.evaluate((scroller) => (scroller.scrollTop = 40));
      await panel(page).getByText("message 3", { exact: true }).selectText();
      now = { ...now, messages: [...now.messages!, add("one more")] };
      await panel(page).getByText("one more", { exact: true }).waitFor({ state: "attached" });
      expect(await list.evaluate((scroller) => scroller.scrollTop)).toBe(40);
      expect(await page.evaluate(() => getSelection()?.toString())).toBe("message 3");
      await panel(page).getByText("one more", { exact: true }).click();
      await panel(page).locator(".message-body").getByText("one more").waitFor();
      now = { ...now, isRunning: false };
      await page.getByText("121 messages, closed").waitFor();
      await page.getByText(/^Running for/).waitFor({ state: "hidden" });
      expect(await tab(page, "Messages").getAttribute("aria-selected")).toBe("true");
    });

    it("says calmly that a request was not captured, and switches capture on (defect 32)", async () => {
      const page = await inspect(stage, () => undefined);
      const alarm = await panel(page).getByText("was not captured").evaluate((text) => ({
        within: text.closest(".bad, .error, [role=alert]"),
        isColoured: getComputedStyle(text).color !== getComputedStyle(document.body).color,
      }));
      expect(alarm).toEqual({ within: null, isColoured: false });
      expect(await page.getByRole("tab", { name: "Changes" }).isVisible()).toBe(false);
      await page.getByRole("button", { name: "Capture the next 10 minutes" }).click();
      await page.getByText("Capture is on for 10 minutes").first().waitFor();
      expect(stage.visit.troubles.filter((trouble) => !trouble.includes("404"))).toEqual([]);
    });

    it("is used by keyboard, remembers its tab, and gives the focus back", async () => {
      const page = await inspect(stage, () => capturePost());
      // It comes with what was captured.
      await tab(page, "Changes").waitFor();
      await tab(page, "Overview").focus();
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("ArrowRight");
      expect(await tab(page, "Response").getAttribute("aria-selected")).toBe("true");
      await page.keyboard.press("End");
      expect(await tab(page, "Cookies").getAttribute("aria-selected")).toBe("true");
      await page.keyboard.press("Escape");
      await pane(page).waitFor({ state: "hidden" });
      const list = page.locator("#traffic-scroll");
      expect(await list.evaluate((one) => one === document.activeElement)).toBe(true);
      await page.keyboard.press("Enter");
      await tab(page, "Changes").waitFor();
      expect(await tab(page, "Cookies").getAttribute("aria-selected")).toBe("true");
      const edge = page.getByRole("separator", { name: "Width of the request" });
      const before = Number(await edge.getAttribute("aria-valuenow"));
      await edge.press("ArrowLeft");
      expect(Number(await edge.getAttribute("aria-valuenow"))).toBe(before + 24);
    });

    it("breaks no layout in three widths", async () => {
      const long = captureGet(`https://${"a".repeat(63)}.${"b".repeat(63)}.test/${"c".repeat(300)}`, {
        headers: [["x-long", "d".repeat(500)]],
      });
      const page = await inspect(stage, () => long);
      for (const width of [390, 1024, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        for (const name of ["Overview", "Request", "Response", "Changes", "Timing"]) {
          await tab(page, name).click();
          const box = await panel(page).boundingBox();
          expect(box!.x + box!.width).toBeLessThanOrEqual(width);
          expect(await panel(page).evaluate((one) => one.scrollWidth - one.clientWidth))
            .toBeLessThanOrEqual(0);
        }
        await pane(page).getByText("Copy as…").click();
        const copy = await pane(page).getByRole("button", { name: "Copy the code" }).boundingBox();
        expect(copy!.x + copy!.width).toBeLessThanOrEqual(width);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
        await pane(page).getByText("Copy as…").click();
      }
    });

    it("sends a captured request again, byte for byte", async () => {
      const page = await inspect(stage, () => captureAt(stage));
      stage.target.requests.length = 0;
      await pane(page).getByRole("button", { name: "Replay", exact: true }).click();
      await expect.poll(() => stage.seen).toEqual([
        ["POST", "/order?draft=1&q=a+b", '{ "a" : 1.0, "id": 12345678901234567890 }'],
      ]);
    });

    it.each([
      {
        what: "a secret is masked",
        changes: { url: "authorization", value: "Bearer ***(43 bytes, 9f3c)" },
        said: "Not sent: Masked, fill in: authorization",
      },
      {
        what: "the body was cut",
        size: 99,
        said: "Not sent: Its body was cut at the limit of capture: 3 of 99 bytes are kept",
      },
    ])("sends nothing where $what, and says so", async ({ changes, size, said }) => {
      const capture = captureAt(stage, size ? { requestBody: { ...kept("abc"), size } } : {});
      capture.hops[0]!.request.headers.push(
        ...(changes ? [[changes.url, changes.value] as [string, string]] : []),
      );
      const page = await inspect(stage, () => capture);
      stage.target.requests.length = 0;
      await pane(page).getByRole("button", { name: "Replay", exact: true }).click();
      await page.getByText(said).waitFor();
      expect(stage.target.requests).toEqual([]);
      await pane(page).getByRole("button", { name: "Edit", exact: true }).click();
      expect(await page.locator("#builder-note").textContent()).toBe(said.replace("Not sent: ", ""));
    });

    it("copies a request as curl, straight and through the proxy, that sends the same", async () => {
      const page = await inspect(stage, () => captureAt(stage));
      stage.target.requests.length = 0;
      await pane(page).getByText("Copy as…").click();
      const copy = async (name: string) => {
        await pane(page).getByLabel("Language").selectOption(name);
        await page.evaluate(() => navigator.clipboard.writeText(""));
        await pane(page).getByRole("button", { name: "Copy the code" }).click();
        await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).not.toBe("");
        return await page.evaluate(() => navigator.clipboard.readText());
      };
      for (const name of ["curl", "curl through this proxy"]) {
        await promisify(execFile)("bash", ["-c", await copy(name)]);
      }
      expect(stage.seen).toEqual(
        Array(2).fill(["POST", "/order?draft=1&q=a+b", '{ "a" : 1.0, "id": 12345678901234567890 }']),
      );
      expect(await copy("Python")).toContain("import http.client");
    });

    it("opens a HAR file, and says what is wrong with one that is none", async () => {
      const page = await inspect(stage, () => undefined);
      const file = async (name: string, text: string) =>
        await page.locator("#har-file").setInputFiles({
          name,
          mimeType: "application/json",
          buffer: Buffer.from(text),
        });
      await file("broken.har", '{"log":{}}');
      await page.getByText("Cannot read broken.har: log.entries is missing, expected an array").first()
        .waitFor();
      await file("mine.har", await write([captureAt(stage)]));
      await page.getByText("1 requests from mine.har").first().waitFor();
      await rowsOf(page).filter({ hasText: "draft=1" }).click();
      await pane(page).getByText("from file").waitFor();
      await tab(page, "Changes").click();
      await panel(page).getByText("Host names the target").waitFor();
      stage.target.requests.length = 0;
      await pane(page).getByRole("button", { name: "Replay", exact: true }).click();
      await expect.poll(() => stage.seen.map(([method]) => method)).toEqual(["POST"]);
    });
  });

  describe("HAR", () => {
    it("is taken by routeFromHAR, which serves the page byte for byte", async () => {
      const folder = await mkdtemp(join(tmpdir(), "fetchvia-"));
      const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
      const html = "<!doctype html><meta charset=utf-8><title>Köln</title>";
      const types = { page: "text/html; charset=utf-8", bytes: "application/octet-stream" };
      const path = join(folder, "traffic.har");
      await writeFile(
        path,
        await write([
          captureGet("http://recorded.test/old", { status: 302, headers: [["location", "/"]] }),
          captureGet("http://recorded.test/", { headers: [["content-type", types.page]], body: html }),
          captureGet("http://recorded.test/bytes", { headers: [["content-type", types.bytes]], body: bytes }),
        ]),
      );
      const page = await stage.open();
      await stage.visit.context.routeFromHAR(path, { notFound: "abort" });
      await page.goto("http://recorded.test/old");
      expect(await page.title()).toBe("Köln");
      const got = await page.evaluate(async () => {
        const answer = await fetch("/bytes");
        return [...new Uint8Array(await answer.arrayBuffer())];
      });
      expect(got).toEqual([...bytes]);
      await rm(folder, { recursive: true });
    });

    it("of Playwright's recorder is read, and written back", async () => {
      const folder = await mkdtemp(join(tmpdir(), "fetchvia-"));
      const path = join(folder, "recorded.har");
      const page = await stage.open();
      const context = await stage.browser.newContext({ recordHar: { path } });
      await (await context.newPage()).goto(`${stage.target.origin}/page`);
      await context.close();
      const text = await readFile(path, "utf8");
      await page.getByText("Live", { exact: true }).waitFor();
      await page.locator("#har-file").setInputFiles({
        name: "r.har",
        mimeType: "application/json",
        buffer: Buffer.from(text),
      });
      await rowsOf(page).filter({ hasText: "/page" }).first().click();
      await tab(page, "Response").click();
      await pane(page).getByRole("tab", { name: "Raw" }).click();
      await pane(page).getByText("<h1>Page</h1>").waitFor();
      const { readHar } = await import("../../src/console/inspector/har-read.ts");
      expect(checkHar(JSON.parse(await write(readHar(text).captures)))).toEqual([]);
      await rm(folder, { recursive: true });
    });
  });
}
