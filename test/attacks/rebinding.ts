/**
 * Row 1: a page behind a label whose name leads to this machine, or turns there.
 * @module
 */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { SECRET } from "../support/sites.ts";
import { BLANK, PRIVATE, type Stage } from "./stage.ts";
import { READING } from "./ways.ts";

/** Names that are public by their spelling, and where they lead. */
const NAMES = [
  { name: "rebind.test", label: "h-rebind-test" },
  { name: "rebind-loopback.test", label: "h-rebind--loopback-test" },
];

/** How a page goes to an address of another label; what it does is over when the promise settles. */
const WAYS = [
  { way: "location", go: (address: string) => void (location.href = address) },
  { way: "fetch", go: (address: string) => fetch(address).then(String, String) },
  { way: "fetch no-cors", go: (address: string) => fetch(address, { mode: "no-cors" }).then(String, String) },
  { way: "WebSocket", go: openSocket },
  { way: "iframe", go: openFrame },
  { way: "form", go: postForm },
];

/** Addresses that say by themselves that they are private, and names that the operator names. */
const GRANTED = [
  { label: "localhost-3000", settings: {} },
  { label: "127-0-0-1-3000", settings: {} },
  { label: "10-1-2-3", settings: {} },
  { label: "h-printer", settings: {} },
  { label: "h-api-local", settings: {} },
  { label: "app", settings: { PROXY_LABELS: "app=http://rebind.test" } },
  { label: "h-rebind-test", settings: { PRIVATE_TARGETS: "auto,rebind.test" } },
];

/** Declares the tests. */
export function describeRebinding(stage: Stage): void {
  describe("a page behind a label", () => {
    it.each(NAMES)(
      "row 1: does not read itself where its name is private: $name",
      async ({ name, label }) => {
        const { status, text } = await readHere(await stage.openLabel(label), "/admin");
        expect(status).toBe(403);
        expect(JSON.parse(text))
          .toMatchObject({ detail: expect.stringContaining(`PRIVATE_TARGETS=auto,${name}`) });
        expect(await stage.reached(PRIVATE)).toEqual([]);
      },
    );

    it.each(WAYS)("row 1: does not reach the label of a private name by $way", async ({ go }) => {
      await stage.publish({ "evil.test/": BLANK });
      const page = await stage.openLabel("h-evil-test");
      await page.evaluate(go, `${await stage.label("h-rebind-test")}/admin`);
      await page.waitForTimeout(300);
      expect(await stage.reached(/^93\./)).toContain("GET 93.184.216.34:80/");
      expect(await stage.reached(PRIVATE)).toEqual([]);
    });

    it("row 1: does not read itself where its name has a private address beside a public one", async () => {
      await stage.publish({ "mixed.test:3000/": BLANK });
      const page = await stage.openLabel("h-mixed-test-3000");
      await stage.network.shutSite("8.8.4.4:3000");
      expect((await readHere(page, "/admin")).status).toBe(403);
      expect(await stage.reached(PRIVATE)).toEqual([]);
    });

    it.each([{ name: "turns.test", address: "127.0.0.1" }, { name: "turned.test", address: "10.1.2.3" }])(
      "row 1: does not read itself once its name has turned to $address",
      async ({ name, address }) => {
        await stage.network.addNames({ [name]: { a: [["93.184.216.34"]] } });
        await stage.publish({ [`${name}/`]: BLANK });
        const settings = { IDLE_TIMEOUT_MS: "299000" };
        const page = await stage.openLabel(`h-${name.replaceAll(".", "-")}`, settings);
        expect(await page.title()).toBe("A page");
        await stage.network.addNames({ [name]: { a: [[address]] } });
        // Another process on the same port has forgotten the first answer, as this one has after a while.
        const port = await stage.port(settings);
        await stage.network.kill(port);
        await stage.network.start({ ...settings, PORT: String(port) });
        expect((await readHere(page, "/admin")).status).toBe(403);
        expect(await stage.reached(PRIVATE)).toEqual([]);
      },
    );

    it("row 1: reads nothing of this machine by what the proxy's plain origin offers", async () => {
      await stage.publish({ "evil.test/": BLANK });
      const page = await stage.openLabel("h-evil-test");
      const place = { port: await stage.port(), service: "http://127.0.0.1:3000" };
      const results: string[] = [];
      for (const { read } of READING) results.push(await page.evaluate(read, place));
      expect(results.filter((text) => text.includes(SECRET))).toEqual([]);
      expect(await stage.reached(PRIVATE)).toEqual([]);
    });

    it("row 1: does not read what is behind another label", async () => {
      await stage.publish({ "evil.test/": BLANK });
      const page = await stage.openLabel("h-evil-test");
      const address = await stage.label("127-0-0-1-3000");
      const read = (address: string) => fetch(address).then((answer) => answer.text(), String);
      expect(await page.evaluate(read, address)).toBe("TypeError: Failed to fetch");
    });

    it.each(GRANTED)(
      "row 1: reads itself where it may: $label with $settings",
      async ({ label, settings }) => {
        const page = await stage.openLabel(label, settings);
        expect(await page.textContent("body")).toBe(SECRET);
        expect(await readHere(page, "/more")).toEqual({ status: 200, text: SECRET });
        expect(await stage.reached(PRIVATE)).toContainEqual(expect.stringMatching(/^GET .*\/more$/));
      },
    );
  });

  describe("a name with a private address beside a public one", () => {
    it("row 1: is refused for programs too", async () => {
      const answer = await stage.call("GET /", {
        fields: { Host: "localhost", proxy_host: "http://mixed.test" },
      });
      expect(answer.status).toBe(403);
      expect(await stage.reached(/./)).toEqual([]);
    });

    it("row 1: the host of TARGET is reached at once", async () => {
      const page = await stage.open();
      await page.goto(`${await stage.origin({ TARGET: "http://rebind.test" })}/app`);
      expect(await page.textContent("body")).toBe(SECRET);
      expect(await readHere(page, "/more")).toEqual({ status: 200, text: SECRET });
    });
  });
}

/** Reads a path of the page's own origin. */
function readHere(page: Page, path: string): Promise<{ status: number; text: string }> {
  return page.evaluate(async (path) => {
    const answer = await fetch(path);
    return { status: answer.status, text: await answer.text() };
  }, path);
}

function openFrame(address: string): Promise<unknown> {
  const frame = document.createElement("iframe");
  frame.src = address;
  document.body.append(frame);
  return new Promise((resolve) => frame.onload = () => resolve("loaded"));
}

function openSocket(address: string): Promise<unknown> {
  const socket = new WebSocket(address.replace("http", "ws"));
  return new Promise((resolve) => socket.onclose = () => resolve("closed"));
}

function postForm(address: string): void {
  const form = document.createElement("form");
  form.method = "POST";
  form.action = address;
  document.body.append(form);
  form.submit();
}
