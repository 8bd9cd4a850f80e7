/**
 * Row 11: labels are one site to a browser, so it sends cookies that are for the same site alone from one to another.
 * @module
 */
import { describe, expect, it } from "vitest";
import type { Header } from "../support/http.ts";
import { BLANK, type Stage, valuesOf } from "./stage.ts";
import { rowsOf } from "../support/rows.ts";

const PAGES = {
  "bank.test/": {
    ...BLANK,
    fields: [
      ["content-type", "text/html"],
      ["set-cookie", "strict=1; Path=/; SameSite=Strict"],
      ["set-cookie", "lax=2; Path=/; SameSite=Lax"],
      ["set-cookie", "none=3; Path=/"],
    ] as Header[],
  },
  "evil.test/": BLANK,
};

/** What the page of another label does with an address of the bank; none of it is a person who follows a link. */
const WAYS = rowsOf(["way", "method", "send"], [
  ["a form", "POST", postForm],
  [
    "fetch",
    "POST",
    (to: string) =>
      fetch(to, { method: "POST", mode: "no-cors", credentials: "include" }).then(String, String),
  ],
  ["fetch without a referrer", "GET", (to: string) => {
    const options = { mode: "no-cors", credentials: "include", referrerPolicy: "no-referrer" } as const;
    return fetch(to, options).then(String, String);
  }],
  ["an image", "GET", (to: string) =>
    new Promise((resolve) => {
      const image = new Image();
      image.onload = image.onerror = resolve;
      image.src = to;
    }).then(String)],
  ["a frame", "GET", (to: string) =>
    new Promise((resolve) => {
      const frame = document.createElement("iframe");
      frame.onload = resolve;
      frame.src = to;
      document.body.append(frame);
    }).then(String)],
]);

/** Declares the tests. */
export function describeLabels(stage: Stage): void {
  /** A window with cookies of the bank, at a page of the evil label; gives the bank's address. */
  const open = async () => {
    await stage.publish(PAGES);
    const page = await stage.openLabel("h-bank-test");
    await page.goto(`${await stage.label("h-evil-test")}/`);
    return { page, address: `${await stage.label("h-bank-test")}/pay` };
  };

  /** The request that the bank got. */
  const pay = async () => {
    await expect.poll(async () => (await stage.visits("bank.test")).map(({ path }) => path)).toContain(
      "/pay",
    );
    return (await stage.visits("bank.test")).find(({ path }) => path === "/pay")!;
  };

  describe("a page of another label", () => {
    it.each(WAYS)("row 11: takes no cookies along by $way", async ({ method, send }) => {
      const { page, address } = await open();
      await page.evaluate(send, address);
      const visit = await pay();
      expect(visit.method).toBe(method);
      expect(valuesOf(visit, "cookie")).toEqual([]);
      expect(valuesOf(visit, "sec-fetch-site")).toEqual(["cross-site"]);
    });

    it("row 11: takes no cookies along by WebSocket", async () => {
      const { page, address } = await open();
      await page.evaluate((to) => {
        const socket = new WebSocket(to.replace("http", "ws"));
        return new Promise((resolve) => socket.onclose = resolve).then(String);
      }, address);
      const sockets = (await stage.visits("bank.test")).filter(({ path }) => path === "/pay");
      expect(sockets.flatMap((visit) => valuesOf(visit, "cookie"))).toEqual([]);
    });

    it("row 11: leads a person there with cookies", async () => {
      const { page, address } = await open();
      await page.evaluate((to) => void (location.href = to), address);
      const visit = await pay();
      expect(valuesOf(visit, "cookie").join()).toContain("lax=2");
      expect(valuesOf(visit, "sec-fetch-site")).toEqual(["cross-site"]);
    });

    it("row 11: the bank's own page has all of them", async () => {
      const { page, address } = await open();
      await page.goto(`${new URL(address).origin}/`);
      await page.evaluate(() => fetch("/pay", { method: "POST" }).then(String));
      const visit = await pay();
      expect(valuesOf(visit, "cookie").flatMap((value) => value.split("; ")).sort())
        .toEqual(["lax=2", "none=3", "strict=1"]);
      expect(valuesOf(visit, "sec-fetch-site")).toEqual(["same-origin"]);
    });
  });
}

function postForm(address: string): void {
  const form = document.createElement("form");
  form.method = "POST";
  form.action = address;
  document.body.append(form);
  form.submit();
}
