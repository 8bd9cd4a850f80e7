/**
 * Row 2: a page that moves the host of the plain origin, which stays its own origin, to a service of this machine.
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { SECRET } from "../support/sites.ts";
import { BLANK, type Stage, valuesOf } from "./stage.ts";

const SERVICE = "http://127.0.0.1:3000";
const PAGES = {
  "evil.test/": BLANK,
  "a.test/login": { ...BLANK, fields: [["set-cookie", "sid=1; Path=/; HttpOnly"]] as [string, string][] },
  "evil.test/moved": { status: 302, fields: [["location", `${SERVICE}/`]] as [string, string][] },
  "evil.test/refreshed": { ...BLANK, fields: [["refresh", `0;url=${SERVICE}/`]] as [string, string][] },
};

/** The ways to move it back to a host where the user is logged in. */
const STEALING: readonly { way: string; move(host: string): Promise<string> }[] = [
  { way: "fetch of ?host=", move: (host) => fetch(`/__proxy__/?host=${host}`).then((a) => a.text()) },
  { way: "a window of ?host=", move: (host) => openWindow(`/__proxy__/?host=${host}`) },
  {
    way: "a cookie of its own",
    move: async (host) => {
      const answer = await fetch("/__proxy__/?host=");
      document.cookie = `proxy_host=${host}; path=/`;
      return answer.text();
    },
  },
];

/** The ways to move it. Each runs in the page, and gives what a window that it opened shows. */
const MOVING: readonly { way: string; move(service: string): Promise<string> }[] = [
  { way: "fetch of ?host=", move: (service) => fetch(`/__proxy__/?host=${service}`).then((a) => a.text()) },
  {
    way: "POST to ?host=",
    move: (service) => fetch(`/__proxy__/?host=${service}`, { method: "POST" }).then((a) => a.text()),
  },
  {
    way: "fetch of ?host= without cookies",
    move: (service) =>
      fetch(`/__proxy__/?host=${service}`, { mode: "no-cors", referrerPolicy: "no-referrer" }).then((a) =>
        a.text()
      ),
  },
  { way: "an image of ?host=", move: loadImage },
  { way: "a frame of ?host=", move: (service) => openFrame(`/__proxy__/?host=${service}`) },
  { way: "a window of ?host=", move: (service) => openWindow(`/__proxy__/?host=${service}`) },
  {
    way: "a window of ?host= and then=",
    move: (service) => openWindow(`/__proxy__/?host=${service}&then=/`),
  },
  {
    way: "a window of ?host= once the host is cleared",
    move: async (service) => {
      await fetch("/__proxy__/?host=", { method: "POST" });
      open(`/__proxy__/?host=${service}`, "_blank", "noreferrer");
      return new Promise((resolve) => setTimeout(() => resolve("no handle"), 700));
    },
  },
  {
    way: "a cookie of its own once the host is cleared",
    move: async (service) => {
      const answer = await fetch("/__proxy__/?host=", { method: "POST" });
      document.cookie = `proxy_host=${service}; path=/`;
      return answer.text();
    },
  },
  {
    way: "a cookie of its own once others have crowded out the host",
    move: (service) => {
      for (let index = 0; index < 400; index++) document.cookie = `crowd${index}=1; path=/`;
      document.cookie = `proxy_host=${service}; path=/`;
      return Promise.resolve(document.cookie);
    },
  },
  {
    way: "a cookie of its own under another path",
    move: (service) => {
      document.cookie = `proxy_host=${service}; path=/app`;
      return fetch("/app/x").then((answer) => answer.text());
    },
  },
  { way: "a redirect of a frame", move: () => openFrame("/moved") },
  { way: "a redirect of a window", move: () => openWindow("/moved") },
  { way: "a refresh of a window", move: () => openWindow("/refreshed") },
  { way: "a redirect of a fetch", move: () => fetch("/moved").then((a) => a.text(), String) },
];

/** Declares the tests. */
export function describeMoving(stage: Stage): void {
  describe("a page that moves the host", () => {
    beforeEach(() => stage.publish(PAGES));

    it.each(MOVING)("row 2: does not read this machine by $way", async ({ move }) => {
      const page = await stage.openHost("http://evil.test");
      await page.addScriptTag({ content: `${openWindow}\n${openFrame}\n${loadImage}` });
      const shown = await page.evaluate(move, SERVICE);
      const read = await page.evaluate(() => fetch("/").then((answer) => answer.text(), String));
      expect([shown, read].filter((text) => text.includes(SECRET))).toEqual([]);
    });

    it.each(STEALING)("row 5: does not act with the session of another host by $way", async ({ move }) => {
      const page = await stage.openHost("http://a.test", { path: "/login" });
      const origin = await stage.origin();
      await page.goto(`${origin}/__proxy__/?host=http://evil.test`);
      await page.goto(`${origin}/`);
      await page.addScriptTag({ content: `${openWindow}` });
      await page.evaluate(move, "http://a.test");
      await page.evaluate(() => fetch("/account").then(String));
      const accounts = (await stage.visits("a.test")).filter(({ path }) => path === "/account");
      expect(accounts.flatMap((visit) => valuesOf(visit, "cookie"))).toEqual([]);
    });
  });
}

/** Opens a window; gives what the page reads in it after a while. */
function openWindow(address: string): Promise<string> {
  const opened = open(address);
  const look = () => {
    try {
      return opened?.document.body.textContent ?? "no window";
    } catch (error) {
      return String(error);
    }
  };
  return new Promise((resolve) => setTimeout(() => resolve(look()), 700));
}

function openFrame(address: string): Promise<string> {
  const frame = document.createElement("iframe");
  document.body.append(frame);
  return new Promise((resolve) => {
    frame.onload = () => resolve(frame.contentDocument?.body.textContent ?? "closed to this page");
    frame.src = address;
  });
}

function loadImage(service: string): Promise<string> {
  return new Promise((resolve) => {
    const image = new Image();
    image.onload = image.onerror = () => resolve("");
    image.src = `/__proxy__/?host=${service}`;
  });
}
