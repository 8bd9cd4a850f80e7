/**
 * Row 2: what the console shows to prove that it is the console, and the pages of its own origin that look for it.
 * @module
 */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { waitFor } from "../support/wait.ts";
import { BLANK, type Stage } from "./stage.ts";

/** The ways in which a page reads the console's page. Each runs in the page. */
const READING: readonly { way: string; read(): Promise<string> }[] = [
  {
    way: "fetch",
    read: () => fetch("/__proxy__/", { headers: { accept: "text/html" } }).then((a) => a.text()),
  },
  {
    way: "fetch as if it were the console",
    read: () =>
      fetch("/__proxy__/", { headers: { accept: "text/html" }, credentials: "omit", referrer: "/__proxy__/" })
        .then((a) => a.text()),
  },
  {
    way: "XMLHttpRequest",
    read: () =>
      new Promise((resolve) => {
        const request = new XMLHttpRequest();
        request.onloadend = () => resolve(request.responseText);
        request.open("GET", "/__proxy__/");
        request.setRequestHeader("accept", "text/html");
        request.send();
      }),
  },
  {
    way: "a frame",
    read: () =>
      new Promise((resolve) => {
        const frame = document.createElement("iframe");
        frame.onload = () =>
          resolve(frame.contentDocument?.documentElement.outerHTML ?? "closed to this page");
        frame.src = "/__proxy__/";
        document.body.append(frame);
      }),
  },
  {
    way: "an object",
    read: () =>
      new Promise((resolve) => {
        const object = document.createElement("object");
        object.onload = () =>
          resolve(object.contentDocument?.documentElement.outerHTML ?? "closed to this page");
        object.onerror = () => resolve("not loaded");
        object.type = "text/html";
        object.data = "/__proxy__/";
        document.body.append(object);
      }),
  },
  {
    way: "a window",
    read: () =>
      new Promise((resolve) => {
        const opened = open("/__proxy__/");
        const look = () => {
          try {
            return opened?.document.documentElement.outerHTML ?? "no window";
          } catch (error) {
            return String(error);
          }
        };
        setTimeout(() => resolve(look()), 500);
      }),
  },
  {
    way: "the history of its window",
    read: () => {
      const { navigation } = globalThis as unknown as { navigation: { entries(): { url: string }[] } };
      return Promise.resolve(navigation.entries().map(({ url }) => url).join(" "));
    },
  },
];

/** The ways in which a page begins capture. Each runs in the page. */
const BEGINNING: readonly { way: string; begin(): Promise<string> }[] = [
  {
    way: "an event stream",
    begin: () =>
      new Promise((resolve) => {
        const source = new EventSource("/__proxy__/traffic?capture");
        source.addEventListener("ring", () => resolve("200"));
        source.onerror = () => resolve("refused");
      }),
  },
  {
    way: "a stream with a ticket of its own",
    begin: () => fetch("/__proxy__/traffic?ticket=x&capture").then((answer) => String(answer.status)),
  },
  {
    way: "the switch",
    begin: () =>
      fetch("/__proxy__/capture", { method: "POST", body: '{"mode":"console"}' })
        .then((answer) => String(answer.status)),
  },
  {
    way: "a frame of the console",
    begin: () =>
      new Promise((resolve) => {
        const frame = document.createElement("iframe");
        // A frame that may be shown has the console's facts.
        frame.onload = () =>
          resolve(frame.contentDocument?.querySelector("meta[name=fetchvia]") ? "200" : "empty");
        frame.src = "/__proxy__/";
        document.body.append(frame);
      }),
  },
];

/** Declares the tests. */
export function describeTheft(stage: Stage): void {
  const readCapture = async () => (await stage.call("GET /__proxy__/capture")).json();

  describe("the console's proof", () => {
    let ticket: string;
    let page: Page;
    beforeAll(async () => {
      await stage.publish({ "evil.test/": BLANK });
      ticket = await findTicket(stage);
      // The same window was at the console before.
      page = stage.keep(await stage.open());
      const origin = await stage.origin();
      await page.goto(`${origin}/__proxy__/`);
      await page.fill("#host-input", "http://evil.test");
      await page.getByRole("button", { name: "Set host" }).click();
      await page.getByText("set by cookie", { exact: true }).waitFor();
      await page.goto(`${origin}/`);
      // Both consoles are gone.
      await waitFor(async () => expect(await readCapture()).toMatchObject({ bodyBytes: null }));
    });

    it.each(BEGINNING)("row 2: is needed to begin capture by $way", async ({ begin }) => {
      expect(await page.title()).toBe("A page");
      expect(await page.evaluate(begin)).not.toContain("200");
      expect(await readCapture()).toMatchObject({ bodyBytes: null, whileOpen: true });
    });

    it.each(READING)("row 2: is not in what a page of the host reads by $way", async ({ read }) => {
      expect(await page.title()).toBe("A page");
      expect(ticket).toMatch(/^[\w-]{16,}$/);
      expect(await page.evaluate(read)).not.toContain(ticket);
    });
  });
}

/** What the console shows when it asks for live traffic. */
async function findTicket(stage: Stage): Promise<string> {
  const page = await stage.open();
  const asked = page.waitForRequest(/\/__proxy__\/traffic\?ticket=/);
  await page.goto(`${await stage.origin()}/__proxy__/`);
  const ticket = new URL((await asked).url()).searchParams.get("ticket") ?? "";
  await page.close();
  return ticket;
}
