/**
 * The states of the console's page, in the order of a walk through it: each view, and what can be open in it.
 * @module
 */
import type { Page } from "playwright-core";
import { Acceptor, join } from "../support/websocket.ts";
import { inspect, pane } from "./captured.ts";
import { showView, type Stage } from "./stage.ts";
import { clearList, rowsOf } from "./traffic.ts";
import { typedRows } from "../support/rows.ts";

/** A state, and how to come there from the one before. */
export interface State {
  about: string;
  show(page: Page): Promise<unknown>;
}

/** A walk: how it begins, and its states. */
export interface Walk {
  part: string;
  start(page: Page, stage: Stage): Promise<unknown>;
  states: readonly State[];
}

const LONG_HOST = `http://${"some-very-long-service-name.".repeat(3)}invalid`;

/** Opens the row of a request. */
const pick = (text: string): State["show"] => (page) => inspect(page, text);

const paneTab = (name: string): State => ({
  about: `tab ${name} of a request`,
  show: (page) => pane(page).getByRole("tab", { name: new RegExp(`^${name}`) }).first().click(),
});

const tab = (id: string): State => ({ about: `tab ${id}`, show: (page) => page.click(`#tab-${id}`) });

const choose = (panel: string, name: string): State => ({
  about: `${panel}: ${name}`,
  show: (page) => page.locator(`#panel-${panel}`).getByText(name, { exact: true }).click(),
});

const answerTab = (name: string): State => ({
  about: `response: ${name}`,
  show: (page) => page.locator("#answer").getByRole("tab", { name: new RegExp(`^${name}`) }).click(),
});

const send = (path: string, wait: string): State["show"] => async (page) => {
  const origin = await page.inputValue("#address").then((address) => new URL(address).origin);
  await page.fill("#address", origin + path);
  await page.click("#send");
  await page.locator("#answer").getByText(wait).first().waitFor();
};

/** Requests of each kind: good ones, refused ones, one without a target's name, and a WebSocket. */
export async function fillList(page: Page, stage: Stage): Promise<void> {
  await page.getByText("Live", { exact: true }).waitFor();
  await clearList(page);
  const call = (line: string, fields: Record<string, string> = {}, body?: string) =>
    stage.proxy.call(line, { fields: { proxy_host: stage.target.origin, ...fields }, ...(body && { body }) });
  await call("POST /order?draft=1", { "Content-Type": "application/json", cookie: "a=1" }, '{"item":"cup"}');
  await call("GET /moved");
  await call("GET /refused", { proxy_host: "http://169.254.169.254" });
  await call("GET /lost?of=a&very=long-query", { proxy_host: LONG_HOST });
  const acceptor = new Acceptor(stage.target);
  const { caller } = await join(stage.proxy.port, "/chat", { proxy_host: stage.target.origin });
  acceptor.peers[0]!.echo();
  caller.text('{"hello":1}');
  await caller.next();
  caller.close(1000);
  await caller.gone;
  stage.resetTarget();
  await rowsOf(page).nth(4).waitFor();
}

/** Opens the builder with an address of the target. */
async function fillBuilder(page: Page, stage: Stage): Promise<void> {
  stage.resetTarget();
  await page.fill("#host-input", stage.target.origin);
  await page.press("#host-input", "Enter");
  await page.getByText("set by cookie", { exact: true }).waitFor({ state: "attached" });
  await showView(page, "Compose");
  await page.selectOption("#method", "POST");
  await page.fill("#address", `${stage.target.origin}/order?draft=1&token=abc`);
}

/** All walks. */
export const WALKS: readonly Walk[] = typedRows<Walk>(["part", "start", "states"], [
  ["the list", fillList, [
    { about: "requests", show: (page) => rowsOf(page).first().waitFor() },
    { about: "what the filter understands", show: (page) => page.click(".examples summary") },
    { about: "a filter", show: (page) => page.fill("#traffic-filter", "status:4xx,5xx -path:/moved") },
    { about: "a filter that is wrong", show: (page) => page.fill("#traffic-filter", "hots:api") },
    { about: "nothing found", show: (page) => page.fill("#traffic-filter", "path:/nothing") },
  ]],
  ["charts and order", fillList, [
    { about: "charts", show: (page) => page.click("#traffic-pulse") },
    {
      about: "a column that sorts",
      show: async (page) => {
        await page.click("#traffic-pulse");
        await page.getByRole("columnheader", { name: "Path" }).getByRole("button").dispatchEvent("click");
      },
    },
    { about: "a pause", show: (page) => page.click("#traffic-hold") },
    {
      about: "the field of the host",
      show: async (page) => {
        await page.click("#traffic-hold");
        await page.click("#host-input");
      },
    },
  ]],
  ["a request", fillList, [
    { about: "a request in brief", show: pick("/order") },
    ...["Request", "Response", "Changes", "Timing", "Cookies"].map(paneTab),
  ]],
  ["code and messages of a request", fillList, [
    {
      about: "code to copy",
      show: async (page) => {
        await pick("/order")(page);
        await pane(page).getByText("Copy as…").click();
      },
    },
    { about: "a WebSocket", show: pick("/chat") },
    paneTab("Messages"),
  ]],
  ["requests without a response of a target", fillList, [
    { about: "a refused request", show: pick("/refused") },
    paneTab("Response"),
    { about: "a name that does not resolve", show: pick("/lost") },
    paneTab("Timing"),
    paneTab("Overview"),
    {
      about: "a request that was not captured",
      show: async (page) => {
        await page.route(/capture\?id=/, (route) => route.fulfill({ status: 404, json: {} }));
        await rowsOf(page).filter({ hasText: "/moved" }).first().click();
        await page.getByRole("button", { name: /^Capture the next/ }).waitFor();
      },
    },
  ]],
  ["the builder", fillBuilder, [
    tab("params"),
    tab("headers"),
    { about: "headers as text", show: (page) => page.click("#header-text") },
    { about: "a header that is not sent", show: (page) => page.fill("#panel-headers textarea", "Host: a") },
    tab("auth"),
    ...["Basic", "Bearer", "API key"].map((name) => choose("auth", name)),
  ]],
  ["bodies of the builder", fillBuilder, [
    tab("body"),
    ...["JSON", "Form", "Multipart", "Raw", "File"].map((name) => choose("body", name)),
    tab("options"),
  ]],
  ["what is kept and given away", fillBuilder, [
    tab("saved"),
    {
      about: "a saved request",
      show: async (page) => {
        await page.fill("#save-name", "an order");
        await page.keyboard.press("Enter");
      },
    },
    { about: "links and code", show: (page) => page.click("#take > summary") },
    { about: "recent hosts", show: (page) => page.click("#host-input") },
  ]],
  ["the response", fillBuilder, [
    { about: "nothing sent", show: (page) => page.getByText("Nothing sent yet").waitFor() },
    { about: "JSON", show: send("/order", "teapot") },
    ...["Raw", "Hex", "Headers"].map(answerTab),
    {
      about: "a search",
      show: async (page) => {
        await answerTab("Body").show(page);
        await page.getByRole("button", { name: "Find", exact: true }).click();
      },
    },
  ]],
  ["other responses", fillBuilder, [
    { about: "a page", show: send("/page", "Preview") },
    { about: "a redirect that was followed", show: send("/moved", "teapot") },
    { about: "no such page", show: send("/none", "404") },
    {
      about: "a request that is not sent",
      show: async (page) => {
        await page.fill("#address", "ftp://a.test/");
        await page.click("#send");
        await page.getByText("Not sent").first().waitFor();
      },
    },
  ]],
  ["Explain", (page) => showView(page, "Explain"), [
    { about: "no address", show: (page) => page.locator("#explain-address").waitFor() },
    ...["http://127.0.0.1:9/", "http://169.254.169.254/latest", "not an address"].map((address) => ({
      about: `of ${address}`,
      show: async (page: Page) => {
        await page.fill("#explain-address", address);
        await page.keyboard.press("Enter");
        await page.locator("#explain-result > *, #explain-problem:not(:empty)").first().waitFor();
      },
    })),
  ]],
]);
