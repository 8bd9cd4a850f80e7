/**
 * Which redirects are followed, and what the request of the next hop is (Fetch §4.4).
 * @module
 */
import { beforeEach, describe, expect, it } from "vitest";
import { raw, reply, routes } from "../support/answers.ts";
import type { Pool } from "../support/pool.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { ask } from "../support/ways.ts";

/** The method that a redirect changes to, and whether the body goes along. */
const METHODS = [
  { status: 301, method: "GET", becomes: "GET", body: "" },
  { status: 301, method: "HEAD", becomes: "HEAD", body: "" },
  { status: 301, method: "POST", becomes: "GET", body: "" },
  { status: 301, method: "PUT", becomes: "PUT", body: "body" },
  { status: 301, method: "PATCH", becomes: "PATCH", body: "body" },
  { status: 301, method: "DELETE", becomes: "DELETE", body: "body" },
  { status: 301, method: "PROPFIND", becomes: "PROPFIND", body: "body" },
  { status: 302, method: "GET", becomes: "GET", body: "" },
  { status: 302, method: "HEAD", becomes: "HEAD", body: "" },
  { status: 302, method: "POST", becomes: "GET", body: "" },
  { status: 302, method: "PUT", becomes: "PUT", body: "body" },
  { status: 302, method: "PATCH", becomes: "PATCH", body: "body" },
  { status: 302, method: "DELETE", becomes: "DELETE", body: "body" },
  { status: 302, method: "PROPFIND", becomes: "PROPFIND", body: "body" },
  { status: 303, method: "GET", becomes: "GET", body: "" },
  { status: 303, method: "HEAD", becomes: "HEAD", body: "" },
  { status: 303, method: "POST", becomes: "GET", body: "" },
  { status: 303, method: "PUT", becomes: "GET", body: "" },
  { status: 303, method: "PATCH", becomes: "GET", body: "" },
  { status: 303, method: "DELETE", becomes: "GET", body: "" },
  { status: 303, method: "PROPFIND", becomes: "GET", body: "" },
  { status: 307, method: "GET", becomes: "GET", body: "" },
  { status: 307, method: "HEAD", becomes: "HEAD", body: "" },
  { status: 307, method: "POST", becomes: "POST", body: "body" },
  { status: 307, method: "PUT", becomes: "PUT", body: "body" },
  { status: 307, method: "PATCH", becomes: "PATCH", body: "body" },
  { status: 307, method: "DELETE", becomes: "DELETE", body: "body" },
  { status: 308, method: "GET", becomes: "GET", body: "" },
  { status: 308, method: "HEAD", becomes: "HEAD", body: "" },
  { status: 308, method: "POST", becomes: "POST", body: "body" },
  { status: 308, method: "PUT", becomes: "PUT", body: "body" },
  { status: 308, method: "PATCH", becomes: "PATCH", body: "body" },
  { status: 308, method: "DELETE", becomes: "DELETE", body: "body" },
];

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

/** Declares the tests. */
export function describeHops(pool: Pool): void {
  describe("the next hop of an arg", () => {
    const proxy = pool.with();
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    it.each(METHODS)(
      "after $status is $becomes for $method, body $body",
      async ({ status, method, becomes, body }) => {
        upstream.answer = routes({
          "/start": reply(status, { Location: "/end" }),
          "/end": reply(200, {}, "end"),
        });
        const isBodiless = method === "GET" || method === "HEAD";
        const answer = await ask(proxy, "arg", upstream.origin, `${method} /start`, {
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
      await ask(proxy, "arg", upstream.origin, "POST /start", { body: "b".repeat(20_000) });
      expect(upstream.requests.map((request) => request.body.length)).toEqual([20_000, 20_000, 20_000]);
    });
  });

  describeUrl(pool);
  describePassedOn(pool);
}

function describeUrl(pool: Pool): void {
  describe("a redirect by url", () => {
    const proxy = pool.with();
    let upstream: Upstream;
    beforeEach(async () => {
      upstream = await listen();
      return () => upstream.close();
    });

    it.each(STATUSES)("is followed for GET, status $status", async ({ status }) => {
      upstream.answer = routes({
        "/start": reply(status, { Location: "middle?x=1" }, "moved"),
        "/middle": reply(status, { Location: `${upstream.origin}/end` }),
        "/end": reply(200, {}, "end"),
      });
      const answer = await ask(proxy, "url", upstream.origin, "GET /start", { fields: { "X-Own": "kept" } });
      expect(answer).toMatchObject({ status: 200, text: "end" });
      expect(upstream.targets).toEqual(["/start", "/middle?x=1", "/end"]);
      expect(upstream.requests.map((request) => request.header("x-own"))).toEqual(["kept", "kept", "kept"]);
    });

    it.each(STATUSES)("is followed for HEAD, status $status", async ({ status }) => {
      upstream.answer = routes({
        "/start": reply(status, { Location: "/end" }),
        "/end": reply(200, {}, "end"),
      });
      const answer = await ask(proxy, "url", upstream.origin, "HEAD /start");
      expect(answer).toMatchObject({ status: 200, text: "" });
      expect(answer.header("content-length")).toBe("3");
      expect(upstream.requests.map(({ line }) => line)).toEqual([
        "HEAD /start HTTP/1.1",
        "HEAD /end HTTP/1.1",
      ]);
    });

    it.each([
      { method: "POST", status: 302 },
      { method: "POST", status: 303 },
      { method: "POST", status: 307 },
      { method: "PUT", status: 308 },
      { method: "PATCH", status: 301 },
      { method: "DELETE", status: 303 },
      { method: "OPTIONS", status: 302 },
    ])("is not followed for $method, status $status", async ({ method, status }) => {
      upstream.answer = reply(status, { Location: "/end" }, "moved");
      const answer = await ask(proxy, "url", upstream.origin, `${method} /start`);
      expect(answer).toMatchObject({ status, text: "moved" });
      expect(answer.header("x-final-url")).toBeUndefined();
      expect(upstream.targets).toEqual(["/start"]);
    });

    it.each([{ selector: "header" }, { selector: "cookie" }, { selector: "label" }] as const)(
      "is followed by no host selector: $selector",
      async ({ selector }) => {
        upstream.answer = reply(302, { Location: "/end" }, "moved");
        const answer = await ask(proxy, selector, upstream.origin, "GET /start");
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
      const answer = await ask(proxy, "url", upstream.origin, "GET /start");
      expect(answer).toMatchObject({ status: 200, text: "end" });
    });
  });
}

function describePassedOn(pool: Pool): void {
  describe.each([{ selector: "url" as const }, { selector: "arg" as const }])(
    "a redirect by $selector",
    ({ selector }) => {
      const proxy = pool.with();
      let upstream: Upstream;
      beforeEach(async () => {
        upstream = await listen();
        return () => upstream.close();
      });

      it.each(PASSED_ON)("$about is passed on: $status to $location", async ({ status, location }) => {
        const fields = { "Location": location, "X-Own": "kept" };
        upstream.answer = routes({ "/start": reply(status, fields) });
        const answer = await ask(proxy, selector, upstream.origin, "GET /start");
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
        await ask(proxy, selector, upstream.origin, "GET /start");
        expect(upstream.targets).toEqual(["/start", "/caf%C3%A9?q=%C3%A9"]);
      });

      it("with one address in two lines is followed", async () => {
        const redirect = reply(302, [["Location", "/end"], ["Location", "/end"]]);
        upstream.answer = (request, socket) =>
          (request.target === "/start" ? redirect : reply(200))(request, socket);
        await ask(proxy, selector, upstream.origin, "GET /start");
        expect(upstream.targets).toEqual(["/start", "/end"]);
      });

      it("with two addresses is passed on", async () => {
        upstream.answer = reply(302, [["Location", "/end"], ["Location", "/other"]]);
        expect((await ask(proxy, selector, upstream.origin, "GET /start")).status).toBe(302);
        expect(upstream.targets).toEqual(["/start"]);
      });

      it("that can't be followed is passed on after others that were", async () => {
        upstream.answer = routes({
          "/start": reply(302, { Location: "/middle" }),
          "/middle": reply(302, { Location: "file:///etc/passwd" }, "no further"),
        });
        const answer = await ask(proxy, selector, upstream.origin, "GET /start");
        expect(answer).toMatchObject({ status: 302, text: "no further" });
        expect(answer.header("location")).toBe("file:///etc/passwd");
        expect(answer.header("x-final-url")).toBe(`${upstream.origin}/middle`);
      });
    },
  );
}
