/**
 * Defects 1 to 4 and 18 to 20: what is typed is what arrives at a raw socket, or a word says why not.
 * @module
 */
import { bodyRows, chooseBody, fillRows, pause, poll, receive, send } from "./acts.ts";
import type { Scene, Seen } from "./scene.ts";
import type { Stage } from "./stage.ts";

const TYPED = '{ "a" : 1.0, "b": 1e2, "a": 2, "id": 123 }';

async function sendJson(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  await chooseBody(page, "JSON");
  await page.getByLabel("Body", { exact: true }).fill(TYPED);
  await receive(page, `${stage.target.origin}/order`);
  const arrived = stage.received?.body.toString() ?? "";
  return { figure: arrived === TYPED ? "those bytes" : arrived, isOk: arrived === TYPED };
}

async function formatJson(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  await chooseBody(page, "JSON");
  const body = page.getByLabel("Body", { exact: true });
  await body.fill('{"id":12345678901234567890,"n":1.0}');
  await page.getByRole("button", { name: "Format" }).click();
  await receive(page, `${stage.target.origin}/order`);
  const arrived = stage.received?.body.toString() ?? "";
  const isOk = arrived === '{\n  "id": 12345678901234567890,\n  "n": 1.0\n}';
  return { figure: arrived.replace(/\s+/g, " "), isOk };
}

async function sendForm(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  await chooseBody(page, "Form");
  await fillRows(page, "Field", [["city", "Köln & Bonn"], ["sum", "1+1"]]);
  await receive(page, `${stage.target.origin}/order`);
  const arrived = stage.received?.body.toString() ?? "";
  const fields = [...new URLSearchParams(arrived)];
  const isOk = JSON.stringify(fields) === JSON.stringify([["city", "Köln & Bonn"], ["sum", "1+1"]]);
  return { figure: `${fields.length} fields: ${arrived}`, isOk };
}

async function markFields(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  await page.fill("#address", `${stage.target.origin}/order`);
  await fillRows(page, "Header", [
    ["x-a", "1"],
    ["Host", "evil.test"],
    ["Content-Length", "7"],
    ["Connection", "close"],
  ]);
  const marks = page.locator("#header-rows .mark", { hasText: "Does not go out: " });
  const [marked, count] = [await marks.count(), await page.textContent("#header-count")];
  await page.locator("#take > summary").click();
  const curl = await page.getByLabel("curl", { exact: true }).innerText();
  const isPlain = curl.includes("-H 'x-a: 1'");
  return {
    figure: `${marked} marked with the reason, count "${count}", curl ${isPlain ? "plain" : "opaque"}`,
    isOk: marked === 3 && count === "1 of 4" && isPlain,
  };
}

async function encodeBlank(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  await receive(page, `${stage.target.origin}/order?q=a b`);
  const arrived = stage.received?.target ?? "";
  await page.fill("#address", "/json");
  const problem = await page.textContent("#builder-problem") ?? "";
  return {
    figure: `${arrived}; "${problem}"`,
    isOk: arrived === "/order?q=a%20b" && problem.includes("has no host"),
  };
}

async function rejectSend(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  await receive(page, `${stage.target.origin}/order`);
  await bodyRows(page).first().waitFor();
  await fillRows(page, "Header", [["origin", "http://a.test"], ["Origin", "http://b.test"]]);
  await send(page, "/json");
  await pause(200);
  const [old, said] = [await page.locator(".summary").count(), await page.innerText("#answer-view")];
  const marks = await page.locator("#header-rows .mark", { hasText: "Here 2 times" }).count();
  return {
    figure: `${old} old answers, "${said.slice(0, 40)}…", ${marks} rows marked`,
    isOk: old === 0 && said.startsWith("Not sent") && marks === 2,
  };
}

async function doubleField(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  await fillRows(page, "Header", [["x-a", "1"], ["x-a", "2"]]);
  await receive(page, `${stage.target.origin}/order`);
  const lines = await poll(
    () => Promise.resolve(stage.received?.headersNamed("x-a") ?? []),
    (found) => found.length > 0,
  );
  return { figure: `arrived: ${lines.join(", ")}`, isOk: lines.join() === "1,2" };
}

/** The scenes. */
export const TYPED_SCENES: readonly Scene[] = [
  {
    number: 1,
    title: "JSON body with 1.0, 1e2 and a double member",
    before: 'target got {"a":2,"b":100,"id":…}',
    wanted: "those bytes",
    run: sendJson,
  },
  {
    number: 2,
    title: "Format of a long number",
    before: "12345678901234567000, 1.0 → 1",
    wanted: "indentation only",
    run: formatJson,
  },
  {
    number: 3,
    title: "form: Köln & Bonn, 1+1",
    before: "three fields, 1 1",
    wanted: "two fields, encoded",
    run: sendForm,
  },
  {
    number: 4,
    title: "fields Host, Content-Length, Connection",
    before: "gone without a word, curl opaque",
    wanted: "marked with the reason",
    run: markFields,
  },
  {
    number: 18,
    title: "?q=a b, and /json without a host",
    before: "the same hint for both",
    wanted: "encoded; named",
    run: encodeBlank,
  },
  {
    number: 19,
    title: "a Send that is rejected",
    before: "the old 200 stays; no mark",
    wanted: "cleared; marked",
    run: rejectSend,
  },
  { number: 20, title: "doubled field names", before: "impossible", wanted: "both lines", run: doubleField },
];
