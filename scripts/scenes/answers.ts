/**
 * Defects 7, 8, 17 and 25 to 30: what an answer says, and keeps.
 * @module
 */
import type { Page } from "playwright-core";
import { bodyRows, chooseBody, openFields, pause, receive, send, trafficRows } from "./acts.ts";
import type { Scene, Seen } from "./scene.ts";
import type { Stage } from "./stage.ts";

const MAX_CARD = 900;

/** A field of the answer as it is listed: who set it, and its lines. */
function readField(page: Page, name: string): Promise<string[]> {
  return page.locator("#answer dt", { hasText: name }).evaluateAll((terms) =>
    terms.map((term) => {
      const tag = term.querySelector("small")?.textContent ?? "the target's";
      return `${tag}: ${term.nextElementSibling?.textContent}`;
    })
  );
}

async function showCookie(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  await receive(page, `${stage.target.origin}/cookie`);
  await openFields(page);
  const lines = await readField(page, "set-cookie");
  const [theirs = ""] = lines;
  // Where the field went on changed, ours stands beside it and is marked.
  const isOk = theirs === "the target's: sid=1; Path=/" ||
    theirs === "changed by fetchvia: sid=1; Path=/as answered: sid=1; Path=/__proxy__/";
  return { figure: lines.join(" | "), isOk };
}

async function showOrigin(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  await receive(page, `${stage.target.origin}/cookie`);
  await openFields(page);
  const lines = await readField(page, "referrer-policy");
  return { figure: lines.join(" | "), isOk: lines[0] === "the target's: no-referrer" };
}

async function nameCauses(stage: Stage): Promise<Seen> {
  const proxy = await stage.startProxy({ TIMEOUT_MS: "400" });
  const page = await stage.open({ through: proxy });
  const stranger = await stage.open({ through: proxy, extraHTTPHeaders: { "x-forwarded-for": "192.0.2.1" } });
  const cases: [Page, string][] = [
    [page, `${stage.target.origin}/silent`],
    [page, "http://127.0.0.1:1/"],
    [page, "http://nowhere.invalid/"],
    [stranger, `${stage.target.origin}/order`],
  ];
  const causes = new Set<string>();
  let settings = "";
  for (const [where, address] of cases) {
    await receive(where, address);
    causes.add(await where.locator("#answer .notice.bad strong").innerText());
    settings += await where.locator("#answer .notes").innerText();
  }
  const named = ["TIMEOUT_MS", "PRIVATE_TARGETS=true"].filter((name) => settings.includes(name));
  return {
    figure: `${causes.size} causes for ${cases.length}; names ${named.join(", ")}`,
    isOk: causes.size === cases.length && named.length === 2,
  };
}

async function saveBodies(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  await receive(page, `${stage.target.origin}/report`);
  const names: string[] = [];
  for (const view of ["Raw", "Hex"]) {
    await page.locator("#answer").getByRole("tab", { name: view }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save body" }).click(),
    ]);
    names.push(download.suggestedFilename());
  }
  const save = (await page.getByRole("button", { name: "Save body" }).boundingBox())!;
  const lines = (await page.locator("#answer .body-lines").boundingBox())!;
  const isBeside = save.y + save.height <= lines.y + 1;
  return {
    figure: `${names.join(", ")}; ${isBeside ? "above" : "over"} the rows`,
    isOk: names.every((name) => name === "Köln.csv") && isBeside,
  };
}

async function explainGzip(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  await receive(page, `${stage.target.origin}/gzip`);
  const size = /size (.*)$/s.exec(await page.locator(".summary").innerText())?.[1]?.trim() ?? "";
  return { figure: size, isOk: /^\d+ B on the wire, [\d.]+ kB decoded/.test(size) };
}

async function showManyFields(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  await receive(page, `${stage.target.origin}/fields`);
  await openFields(page);
  const { height = Number.NaN } = await page.locator("#answer").boundingBox() ?? {};
  return { figure: `${Math.round(height)} px`, isOk: height < MAX_CARD };
}

async function tellReader(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  await receive(page, `${stage.target.origin}/item`);
  await page.getByRole("tab", { name: "Pretty" }).focus();
  await page.keyboard.press("ArrowRight");
  const tab = await page.evaluate(() => document.activeElement?.textContent);
  await send(page, `${stage.target.origin}/late`);
  await pause(500);
  const said = await page.textContent("#answer-status");
  return {
    figure: `"${said}"; arrow leads to ${tab}`,
    isOk: said === "Sent, waiting for the answer" && tab === "Raw",
  };
}

async function keepTab(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  await receive(page, `${stage.target.origin}/item`);
  await page.locator("#answer").getByRole("tab", { name: "Hex" }).click();
  await receive(page, `${stage.target.origin}/report`);
  await bodyRows(page).first().waitFor();
  const chosen = await page.locator("#answer .body-bar [aria-selected=true]").textContent();
  return { figure: `${chosen} stays`, isOk: chosen === "Hex" };
}

async function replayOwn(stage: Stage): Promise<Seen> {
  const proxy = await stage.startProxy({ CAPTURE: "64KiB" });
  const page = await stage.openList({ through: proxy });
  await chooseBody(page, "JSON");
  await page.getByLabel("Body", { exact: true }).fill("{ }");
  await receive(page, `${stage.target.origin}/order`);
  await page.reload();
  await page.getByText("Live", { exact: true }).waitFor();
  await page.locator("#traffic-scroll").scrollIntoViewIfNeeded();
  await trafficRows(page).filter({ hasText: "/order" }).first().click();
  await page.locator("#inspector").getByRole("button", { name: "Replay", exact: true }).click();
  await page.locator(".summary .fact", { hasText: "total" }).waitFor();
  const sent = stage.target.requests.map(({ method, body }) => `${method} ${body}`);
  return {
    figure: `${sent.join(", ")} (with capture on)`,
    isOk: sent.join() === "POST { },POST { }",
  };
}

/** The scenes. */
export const ANSWER_SCENES: readonly Scene[] = [
  {
    number: 7,
    title: "Set-Cookie … Path=/ of the target",
    before: "Path=/__proxy__/, unmarked",
    wanted: "the target's, ours beside it",
    run: showCookie,
  },
  {
    number: 8,
    title: "target sends referrer-policy itself",
    before: "by fetchvia",
    wanted: "marked by origin",
    run: showOrigin,
  },
  {
    number: 17,
    title: "hung, refused, unknown, not allowed",
    before: "one sentence for all",
    wanted: "the cause, and the setting",
    run: nameCauses,
  },
  {
    number: 25,
    title: "Save",
    before: "only for bytes, answer.bin, over the rows",
    wanted: "everywhere, the file's name",
    run: saveBodies,
  },
  {
    number: 26,
    title: "gzip",
    before: "5.0 kB beside content-length: 64",
    wanted: "explained",
    run: explainGzip,
  },
  { number: 27, title: "65 fields", before: "a card of 3,363 px", wanted: "bounded", run: showManyFields },
  {
    number: 28,
    title: "screen reader",
    before: '"Answered 200" while waiting; no arrows',
    wanted: "told",
    run: tellReader,
  },
  { number: 29, title: "chosen tab after a Send", before: "lost", wanted: "kept", run: keepTab },
  {
    number: 30,
    title: "replay of an own POST after a reload",
    before: "lost",
    wanted: "the same POST",
    run: replayOwn,
  },
];
