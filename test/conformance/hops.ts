/**
 * Which redirects are followed, and what the request of the next hop is (Fetch §4.4).
 * @module
 */
import { describe, expect, it } from "vitest";
import {
  alike,
  type Pool,
  raw,
  reply,
  routes,
  rowsOf,
  selectors,
  useTarget,
  words,
} from "../support/topic.ts";

/** The methods that a redirect changes to GET, or that are GET, and those that stay, with their body. */
const METHODS = rowsOf(["statuses", "gets", "stays"], [
  [[301, 302], words`GET POST`, words`HEAD PUT PATCH DELETE PROPFIND`],
  [[303], words`GET POST PUT PATCH DELETE PROPFIND`, ["HEAD"]],
  [[307, 308], ["GET"], words`HEAD POST PUT PATCH DELETE`],
]).flatMap(({ statuses, gets, stays }) =>
  statuses.flatMap((status) => [
    ...gets.map((method) => ({ status, method, becomes: "GET", body: "" })),
    ...stays.map((method) => ({ status, method, becomes: method, body: method === "HEAD" ? "" : "body" })),
  ])
);

const STATUSES = [{ status: 301 }, { status: 302 }, { status: 303 }, { status: 307 }, { status: 308 }];

const PASSED_ON = [
  { about: "of another status", status: 300, location: "/end" },
  { about: "of another status", status: 304, location: "/end" },
  { about: "of another status", status: 305, location: "/end" },
  { about: "of another status", status: 399, location: "/end" },
  { about: "of no 3xx", status: 201, location: "/end" },
  { about: "without Location", status: 302, location: undefined },
  { about: "with an empty Location", status: 302, location: "" },
  { about: "that is no address", status: 302, location: "http://" },
  { about: "to a file", status: 302, location: "file:///etc/passwd" },
  { about: "to data", status: 302, location: "data:text/plain,x" },
  { about: "to blob", status: 302, location: "blob:http://a.test/1" },
  { about: "to ftp", status: 302, location: "ftp://127.0.0.1/" },
  { about: "to javascript", status: 302, location: "javascript:alert(1)" },
  { about: "to s3", status: 302, location: "s3://bucket/key" },
  { about: "to mailto", status: 302, location: "mailto:a@b.test" },
];

export function describeHops(pool: Pool): void {
  describe("the next hop of an arg", () => {
    const { upstream, askBy } = useTarget(pool);

    it.each(METHODS)(
      "after $status is $becomes for $method, body $body",
      async ({ status, method, becomes, body }) => {
        upstream.answer = routes({
          "/start": reply(status, { Location: "/end" }),
          "/end": reply(200, {}, "end"),
        });
        const isBodiless = method === "GET" || method === "HEAD";
        const answer = await askBy("arg", `${method} /start`, {
          body: isBodiless ? undefined : "body",
          fields: { "Content-Type": "text/x", "Content-Language": "en", "X-Own": "kept" },
        });
        expect(answer.status).toBe(200);
        const [, next] = upstream.requests;
        expect(next?.line).toBe(`${becomes} /end HTTP/1.1`);
        expect(next?.body.toString()).toBe(body);
        expect(next?.header("content-type")).toBe(becomes === method ? "text/x" : undefined);
        expect(next?.header("content-language")).toBe(becomes === method ? "en" : undefined);
        expect(Number(next?.header("content-length") ?? 0)).toBe(body.length);
        expect(next?.header("transfer-encoding")).toBeUndefined();
        expect(next?.header("x-own")).toBe("kept");
      },
    );

    it("keeps the body for as many hops as there are", async () => {
      upstream.answer = routes({
        "/start": reply(307, { Location: "/middle" }),
        "/middle": reply(308, { Location: "/end" }),
        "/end": reply(200, {}, "end"),
      });
      await askBy("arg", "POST /start", { body: "b".repeat(20_000) });
      expect(upstream.requests.map((request) => request.body.length)).toEqual([20_000, 20_000, 20_000]);
    });
  });

  describe("a redirect by url", () => {
    const { upstream, askBy } = useTarget(pool);

    it.each(STATUSES)("is followed for GET, status $status", async ({ status }) => {
      upstream.answer = routes({
        "/start": reply(status, { Location: "middle?x=1" }, "moved"),
        "/middle": reply(status, { Location: `${upstream.origin}/end` }),
        "/end": reply(200, {}, "end"),
      });
      const answer = await askBy("url", "GET /start", { fields: { "X-Own": "kept" } });
      expect(answer).toMatchObject({ status: 200, text: "end" });
      expect(upstream.targets).toEqual(["/start", "/middle?x=1", "/end"]);
      expect(upstream.requests.map((request) => request.header("x-own"))).toEqual(["kept", "kept", "kept"]);
    });

    it.each(STATUSES)("is followed for HEAD, status $status", async ({ status }) => {
      upstream.answer = routes({
        "/start": reply(status, { Location: "/end" }),
        "/end": reply(200, {}, "end"),
      });
      const answer = await askBy("url", "HEAD /start");
      expect(answer).toMatchObject({ status: 200, text: "" });
      expect(answer.header("content-length")).toBe("3");
      expect(upstream.requests.map(({ line }) => line))
        .toEqual(["HEAD /start HTTP/1.1", "HEAD /end HTTP/1.1"]);
    });

    it.each([
      ...alike("method", { status: 302 })`POST OPTIONS`,
      ...alike("method", { status: 303 })`POST DELETE`,
      { method: "POST", status: 307 },
      { method: "PUT", status: 308 },
      { method: "PATCH", status: 301 },
    ])("is not followed for $method, status $status", async ({ method, status }) => {
      upstream.answer = reply(status, { Location: "/end" }, "moved");
      const answer = await askBy("url", `${method} /start`);
      expect(answer).toMatchObject({ status, text: "moved" });
      expect(answer.header("x-final-url")).toBeUndefined();
      expect(upstream.targets).toEqual(["/start"]);
    });

    it.each(selectors("header", "cookie", "label", "at"))(
      "is passed on by $selector",
      async ({ selector }) => {
        upstream.answer = reply(302, { Location: "/end" }, "moved");
        const answer = await askBy(selector, "GET /start");
        expect(answer).toMatchObject({ status: 302, text: "moved" });
        expect(answer.header("x-final-url")).toBeUndefined();
        expect(upstream.targets).toEqual(["/start"]);
      },
    );

    it("is followed although its own body never ends", async () => {
      upstream.answer = routes({
        "/start": raw("HTTP/1.1 302 Found\r\nLocation: /end\r\nContent-Length: 1000000\r\n\r\nbegin"),
        "/end": reply(200, {}, "end"),
      });
      expect(await askBy("url", "GET /start")).toMatchObject({ status: 200, text: "end" });
    });
  });

  describe.each(selectors("url", "arg"))("a redirect by $selector", ({ selector }) => {
    const { upstream, askBy } = useTarget(pool);

    it.each(PASSED_ON)("$about is passed on: $status to $location", async ({ status, location }) => {
      upstream.answer = routes({ "/start": reply(status, { "Location": location, "X-Own": "kept" }) });
      const answer = await askBy(selector, "GET /start");
      expect(answer.status).toBe(status);
      expect(answer.header("x-own")).toBe("kept");
      expect(answer.header("x-final-url")).toBeUndefined();
      expect(upstream.targets).toEqual(["/start"]);
    });

    it.each([
      { location: "/caf\u00c3\u00a9?q=\u00c3\u00a9" },
      { location: "{origin}/caf\u00c3\u00a9?q=\u00c3\u00a9" },
    ])("is followed to an address in UTF-8: $location", async ({ location }) => {
      const redirect = reply(302, { Location: location.replace("{origin}", upstream.origin) });
      upstream.answer = (request, socket) =>
        (request.target === "/start" ? redirect : reply(200))(request, socket);
      await askBy(selector, "GET /start");
      expect(upstream.targets).toEqual(["/start", "/caf%C3%A9?q=%C3%A9"]);
    });

    it("with one address in two lines is followed", async () => {
      const redirect = reply(302, [["Location", "/end"], ["Location", "/end"]]);
      upstream.answer = (request, socket) =>
        (request.target === "/start" ? redirect : reply(200))(request, socket);
      await askBy(selector, "GET /start");
      expect(upstream.targets).toEqual(["/start", "/end"]);
    });

    it("with two addresses is passed on", async () => {
      upstream.answer = reply(302, [["Location", "/end"], ["Location", "/other"]]);
      expect((await askBy(selector, "GET /start")).status).toBe(302);
      expect(upstream.targets).toEqual(["/start"]);
    });

    it("that can't be followed is passed on after others that were", async () => {
      upstream.answer = routes({
        "/start": reply(302, { Location: "/middle" }),
        "/middle": reply(302, { Location: "file:///etc/passwd" }, "no further"),
      });
      const answer = await askBy(selector, "GET /start");
      expect(answer).toMatchObject({ status: 302, text: "no further" });
      expect(answer.header("location")).toBe("file:///etc/passwd");
      expect(answer.header("x-final-url")).toBe(`${upstream.origin}/middle`);
    });
  });
}
