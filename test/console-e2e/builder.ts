/**
 * The builder: what is typed is what goes out, and it says what does not.
 * @module
 */
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { listen } from "../support/upstream.ts";
import { Acceptor } from "../support/websocket.ts";
import { openShares, readStatus, showView, type Stage } from "./stage.ts";

const JSON_TEXT = '{ "a" : 1.0, "b": 1e2, "a": 2, "id": 12345678901234567890 }';

/** Presses Send and waits for the answer. */
async function send(page: Page, stage: Stage): Promise<Stage["target"]["requests"][number]> {
  const before = stage.target.requests.length;
  await page.getByRole("button", { name: "Send" }).click();
  await expect.poll(() => stage.target.requests.length).toBe(before + 1);
  await page.locator(".summary").waitFor();
  return stage.target.requests[before]!;
}

/** Opens the console with an address, and chooses a kind of body. */
async function start(stage: Stage, kind?: string, path = "/order"): Promise<Page> {
  const page = await stage.compose();
  await page.selectOption("#method", "POST");
  await page.fill("#address", stage.target.origin + path);
  if (kind === undefined) return page;
  await page.getByRole("tab", { name: "Body" }).click();
  await page.locator("#panel-body").getByText(kind, { exact: true }).click();
  return page;
}

/** Fills rows, one after the other. */
async function fillRows(page: Page, what: string, rows: [name: string, value: string][]): Promise<void> {
  for (const [index, [name, value]] of rows.entries()) {
    await page.getByLabel(`${what} name`).nth(index).fill(name);
    await page.getByLabel(`${what} value`).nth(index).fill(value);
  }
}

/** Declares the tests. */
export function describeBuilder(stage: Stage): void {
  describe("the builder", () => {
    describeBytes(stage);
    describeRows(stage);
    describeKeeping(stage);
    describeSaved(stage);
    describeCurl(stage);
    describeSocket(stage);
  });
}

function describeBytes(stage: Stage): void {
  it("sends JSON byte for byte (defect 1), and Format changes blanks only (defect 2)", async () => {
    const page = await start(stage, "JSON");
    await page.getByLabel("Body", { exact: true }).fill(JSON_TEXT);
    const sent = await send(page, stage);
    expect([sent.body.toString(), sent.header("content-type")]).toEqual([JSON_TEXT, "application/json"]);
    await page.getByRole("button", { name: "Format" }).click();
    const formatted = '{\n  "a": 1.0,\n  "b": 1e2,\n  "a": 2,\n  "id": 12345678901234567890\n}';
    expect((await send(page, stage)).body.toString()).toBe(formatted);
  });

  it("says that most servers ignore a body with GET", async () => {
    const page = await start(stage, "JSON");
    const warning = page.getByText("Most servers ignore a body with GET or HEAD.");
    const seen: boolean[] = [];
    for (const method of ["GET", "POST", "HEAD"]) {
      await page.selectOption("#method", method);
      seen.push(await warning.isVisible());
    }
    await page.locator("#panel-body").getByText("None", { exact: true }).click();
    seen.push(await warning.isVisible());
    expect(seen).toEqual([true, false, true, false]);
  });

  it("takes what is typed for a body, and GET for POST, until the user chooses", async () => {
    const page = await stage.compose();
    await page.fill("#address", `${stage.target.origin}/order`);
    await page.getByRole("tab", { name: "Body" }).click();
    const body = page.locator("#body");
    const note = page.getByText("GET became POST.");
    const told = async () => [
      await page.inputValue("#method"),
      await page.locator("input[name=kind]:checked").inputValue(),
      await page.locator("#tab-headers .count").textContent(),
      await note.isVisible(),
    ];
    const seen: unknown[] = [];
    for (const text of ["hello", ' {"a":1}', ""]) {
      await body.fill(text);
      seen.push(await told());
    }
    await page.keyboard.type("[");
    seen.push(await told());
    await page.keyboard.press("Control+Z");
    seen.push(await told());
    expect(seen).toEqual([
      ["POST", "raw", "", true],
      ["POST", "json", "1", true],
      ["GET", "none", "", false],
      ["POST", "json", "1", true],
      ["GET", "none", "", false],
    ]);
    await page.selectOption("#method", "GET");
    await page.locator("#panel-body").getByText("Raw", { exact: true }).click();
    await body.fill("[1]");
    expect(await told()).toEqual(["GET", "raw", "", false]);
    await page.locator("#panel-body").getByText("None", { exact: true }).click();
    expect(await body.isVisible()).toBe(false);
    // Its text is kept; it is no body when the page is loaded again either.
    await page.reload();
    await page.locator("#body[placeholder]").waitFor({ state: "attached" });
    expect([await body.inputValue(), ...await told()]).toEqual(["[1]", "GET", "none", "", false]);
  });

  it("encodes the fields of a form (defect 3)", async () => {
    const page = await start(stage, "Form");
    await fillRows(page, "Field", [["city", "Köln & Bonn"], ["sum", "1+1"]]);
    const sent = await send(page, stage);
    expect([...new URLSearchParams(sent.body.toString())]).toEqual([["city", "Köln & Bonn"], ["sum", "1+1"]]);
    expect(sent.header("content-type")).toBe("application/x-www-form-urlencoded");
  });

  it("sends files as they are, and parts between its own boundary", async () => {
    const path = join(tmpdir(), `fetchvia-${stage.runtime}.bin`);
    await writeFile(path, Uint8Array.of(0, 255, 13, 10));
    const page = await start(stage, "File");
    await page.locator("#body-file input").setInputFiles(path);
    expect([...(await send(page, stage)).body]).toEqual([0, 255, 13, 10]);
    await page.locator("#panel-body").getByText("Multipart", { exact: true }).click();
    await fillRows(page, "Part", [["note", 'ä"b']]);
    await page.getByLabel("Part name").nth(1).fill("upload");
    await page.locator("#part-rows input[type=file]").nth(1).setInputFiles(path);
    const sent = await send(page, stage);
    const form = await new Response(new Uint8Array(sent.body), {
      headers: { "content-type": sent.header("content-type") ?? "" },
    }).formData();
    expect(form.get("note")).toBe('ä"b');
    expect([...new Uint8Array(await (form.get("upload") as File).arrayBuffer())]).toEqual([0, 255, 13, 10]);
    await openShares(page);
    expect(await page.getByLabel("curl", { exact: true }).innerText()).toMatch(/-F 'upload=@"fetchvia-/);
  });
}

function describeRows(stage: Stage): void {
  it("sends a header twice (defect 20), and marks what does not go out (defect 4)", async () => {
    const page = await start(stage);
    await fillRows(page, "Header", [["x-a", "1"], ["X-A", "2"], ["Host", "evil.test"], [
      "Connection",
      "close",
    ]]);
    expect(await page.locator("#header-rows .mark").allTextContents()).toEqual([
      "Here 2 times: each line goes out",
      "Here 2 times: each line goes out",
      "Does not go out: the address names the host",
      expect.stringMatching(/^Does not go out: it ends at the next hop/),
      "",
    ]);
    expect(await page.locator("#tab-headers .count").textContent()).toBe("2 of 4");
    expect(await page.locator("#builder-note").textContent()).toBe("Does not go out: Host, Connection");
    const sent = await send(page, stage);
    expect(sent.headersNamed("x-a")).toEqual(["1", "2"]);
    expect(sent.header("host")).toBe(stage.target.host);
    await openShares(page);
    expect(await page.getByLabel("curl", { exact: true }).innerText()).toMatch(/-H 'x-a: 1' .*-H 'X-A: 2'/s);
  });

  it("sets the content type as a row that can be removed", async () => {
    const page = await start(stage, "JSON");
    await page.getByLabel("Body", { exact: true }).fill("{}");
    await page.getByRole("tab", { name: "Headers" }).click();
    expect(await page.getByLabel("Header value").first().inputValue()).toBe("application/json");
    await page.getByRole("button", { name: "Remove header" }).first().click();
    expect((await send(page, stage)).header("content-type")).toBeUndefined();
  });

  it("shows the query as rows, and encodes nothing again", async () => {
    const page = await start(stage, undefined, "/order?q=%7e+x&a");
    await page.getByRole("tab", { name: "Params" }).click();
    expect(await page.getByLabel("Parameter value").first().inputValue()).toBe("%7e+x");
    await page.getByLabel("Parameter name").nth(2).fill("b");
    await page.getByLabel("Parameter value").nth(2).fill("1 & 2");
    expect((await send(page, stage)).target).toBe("/order?q=%7e+x&a&b=1%20%26%202");
  });

  it("encodes blanks and names a missing host (defect 18)", async () => {
    const page = await start(stage, undefined, "/order?q=a b ");
    expect(await page.locator("#builder-note").textContent()).toMatch(/go out as %20/);
    expect((await send(page, stage)).target).toBe("/order?q=a%20b");
    await page.fill("#address", "/json");
    expect(await page.locator("#builder-problem").textContent()).toMatch(/\/json has no host/);
    await page.getByRole("button", { name: "Send" }).click();
    expect(await page.locator(".summary").count()).toBe(0);
  });

  it("writes credentials as a header row", async () => {
    const page = await start(stage);
    await page.getByRole("tab", { name: "Auth" }).click();
    await page.getByText("Basic", { exact: true }).click();
    await page.getByLabel("User").fill("me");
    await page.getByLabel("Password").fill("ä:b");
    expect((await send(page, stage)).header("authorization"))
      .toBe(`Basic ${Buffer.from("me:ä:b").toString("base64")}`);
    await openShares(page);
    expect(await page.locator(".way .note").first().textContent()).toMatch(/Carries authorization/);
  });

  it("leaves the address room at 1024 px (defect 37)", async () => {
    const page = await stage.compose({ viewport: { width: 1024, height: 768 } });
    const { width = 0 } = await page.locator("#address").boundingBox() ?? {};
    expect(width).toBeGreaterThan(380);
  });
}

function describeKeeping(stage: Stage): void {
  it("keeps the request and the tab over a reload, and says what it does not store", async () => {
    const page = await start(stage, "JSON");
    await page.getByLabel("Body", { exact: true }).fill(JSON_TEXT);
    await page.getByRole("tab", { name: "Headers" }).click();
    await fillRows(page, "Header", [["content-type", "a/b"], ["Authorization", "Bearer secret-1"]]);
    // A link to a part of the page makes a new entry of the history.
    await page.evaluate(() => void (location.hash = "explain"));
    await page.reload();
    await showView(page, "Compose");
    expect(await page.getByRole("tab", { name: "Headers" }).getAttribute("aria-selected")).toBe("true");
    expect(await page.locator("#builder-note").textContent()).toMatch(/Fill in: Authorization$/);
    const sent = await send(page, stage);
    expect([sent.method, sent.body.toString(), sent.header("authorization")])
      .toEqual(["POST", JSON_TEXT, ""]);
  });

  it("brings back a request that another one replaced, secrets and all (defect 6)", async () => {
    const page = await start(stage);
    await page.getByRole("tab", { name: "Saved" }).click();
    await page.getByLabel("Save this request as").fill("other");
    await page.keyboard.press("Enter");
    const half = `${stage.target.origin}/half?token=secret-4`;
    await page.fill("#address", half);
    await page.getByRole("tab", { name: "Body" }).click();
    await page.locator("#panel-body").getByText("JSON", { exact: true }).click();
    await page.getByLabel("Body", { exact: true }).fill('{"a":');
    await page.getByRole("tab", { name: "Saved" }).click();
    for (const _ of [1, 2]) await page.getByRole("button", { name: "other", exact: true }).click();
    const undo = page.locator("#builder-undo");
    expect(await undo.textContent()).toBe(`Bring back POST ${half}`);
    await undo.press("Enter");
    expect(await page.inputValue("#address")).toBe(half);
    expect(await page.locator("#body").inputValue()).toBe('{"a":');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("address");
    await undo.click();
    expect(await page.inputValue("#address")).toBe(`${stage.target.origin}/order`);
    await page.fill("#address", "");
    await undo.click();
    expect(await page.inputValue("#address")).toBe(half);
  });

  it("lets the browser's undo take Format back (defect 6)", async () => {
    const page = await start(stage, "JSON");
    await page.getByLabel("Body", { exact: true }).fill(JSON_TEXT);
    await page.getByRole("button", { name: "Format" }).click();
    expect(await page.getByLabel("Body", { exact: true }).inputValue()).toContain("\n");
    await page.keyboard.press("Control+Z");
    expect(await page.getByLabel("Body", { exact: true }).inputValue()).toBe(JSON_TEXT);
  });
}

function describeSaved(stage: Stage): void {
  it("saves, renames, loads and deletes requests, without their secrets", async () => {
    const page = await start(stage);
    await fillRows(page, "Header", [["authorization", "Bearer secret-2"], ["x-a", "1"]]);
    await page.getByRole("tab", { name: "Saved" }).click();
    await page.getByLabel("Save this request as").fill("<b>mine</b>");
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Rename <b>mine</b>" }).click();
    await page.getByLabel("New name of <b>mine</b>").fill("orders");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain("secret-2");
    await page.fill("#address", "https://other.test/");
    await page.getByRole("button", { name: "orders", exact: true }).click();
    expect(await page.inputValue("#address")).toBe(`${stage.target.origin}/order`);
    // It leads to what it lacks.
    expect(await page.getByRole("tab", { name: "Headers" }).getAttribute("aria-selected")).toBe("true");
    await page.getByRole("tab", { name: "Saved" }).click();
    await page.getByRole("button", { name: "Delete orders" }).click();
    expect(await page.locator(".saved li").count()).toBe(0);
  });

  it("puts variables in, and names those without a value", async () => {
    const page = await start(stage, undefined, "/order?id={{id}}&k={{api_key}}");
    await page.getByRole("tab", { name: "Saved" }).click();
    await page.getByText("Without a value: id, api_key").waitFor();
    await fillRows(page, "Variable", [["id", "7"], ["api_key", "secret-3"]]);
    expect((await send(page, stage)).target).toBe("/order?id=7&k=secret-3");
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain("secret-3");
  });
}

function describeCurl(stage: Stage): void {
  it("reads a pasted curl command", async () => {
    const page = await stage.compose({ permissions: ["clipboard-read", "clipboard-write"] });
    const command =
      `curl '${stage.target.origin}/order' \\\n  -X PUT -H 'x-a: it'\\''s' --data-raw $'a\\u00e9' --cert x.pem`;
    await page.evaluate((text) => navigator.clipboard.writeText(text), command);
    await page.focus("#address");
    await page.keyboard.press("Control+V");
    await expect.poll(() => page.inputValue("#address")).toBe(`${stage.target.origin}/order`);
    expect(await page.locator("#builder-note").textContent()).toMatch(/--cert is not taken over/);
    const sent = await send(page, stage);
    expect([sent.method, sent.header("x-a"), sent.body.toString()]).toEqual(["PUT", "it's", "aé"]);
    expect(await readStatus(page)).toMatch(/^201/);
  });
}

function describeSocket(stage: Stage): void {
  it("sees a WebSocket that its target drops as dropped, behind what has come", async () => {
    const target = await listen();
    const joined = new Acceptor(target).next();
    // A page reaches its own host by cookie, and no other private one.
    const page = await stage.compose();
    const cookie = { name: "proxy_host", value: `http://${target.host}`, url: stage.proxy.origin };
    await stage.visit.context.addCookies([cookie]);
    const seen = page.evaluate((address) =>
      new Promise((resolve) => {
        const socket = new WebSocket(address);
        const told: unknown[] = [];
        socket.onmessage = ({ data }) => told.push(data);
        socket.onclose = ({ code, wasClean }) => resolve([...told, code, wasClean]);
      }), `${stage.proxy.origin.replace("http", "ws")}/live`);
    const peer = await joined;
    peer.text("last");
    peer.socket.end();
    expect(await seen).toEqual(["last", 1006, false]);
    await target.close();
  });

  it("opens a WebSocket with header fields, and lists its messages (defect 14)", async () => {
    const target = await listen();
    const acceptor = new Acceptor(target);
    // With a host set by cookie, a page's own handshake would be that of a target's page.
    const page = await stage.compose();
    await stage.visit.context.addCookies([{
      name: "proxy_host",
      value: "https://other.test",
      url: stage.proxy.origin,
    }]);
    await page.fill("#address", `ws://${target.host}/live`);
    await fillRows(page, "Header", [["authorization", "Bearer t"]]);
    const peer = acceptor.next();
    await page.getByRole("button", { name: "Connect" }).click();
    const end = await peer;
    expect(acceptor.request.header("authorization")).toBe("Bearer t");
    await page.locator("b[role=status]", { hasText: "Open" }).waitFor();
    await page.getByLabel("Message", { exact: true }).fill("hello");
    await page.keyboard.press("Enter");
    expect(await end.next()).toMatchObject({ text: "hello" });
    end.text("<b>answer</b>");
    await page.getByText("<b>answer</b>").waitFor();
    await page.getByLabel("Kind of message").selectOption("binary");
    await page.getByLabel("Message", { exact: true }).fill("00 ff");
    await page.getByRole("button", { name: "Send message" }).click();
    await page.getByRole("list", { name: "Messages" }).getByText("00 ff").waitFor();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.getByText(/Closed: 1\d\d\d/).first().waitFor();
    expect(stage.visit.troubles).toEqual([]);
    await target.close();
  });
}
