/**
 * Step 4 as caller and target see it: redirects, deadlines, aborts, failures.
 * @module
 */
import { toStandard } from "../../src/http/body.ts";
import { describe, expect, it } from "vitest";
import { createProxy } from "../../src/proxy.ts";
import type { Outgoing } from "../../src/exchange/runtime.ts";
import { incoming, target } from "../support/handle.ts";

const URL_PATH = "/__proxy__/?url=http://a.test/start";
const moved = (location: string, status = 302) => ({ status, headers: new Headers({ location }) });
const addressOf = ({ method, origin, path }: Outgoing) => `${method} ${origin.origin}${path}`;

describe("redirects", () => {
  it.each([
    { location: "/next?x#y", asked: "http://a.test/next?x" },
    { location: "next", asked: "http://a.test/next" },
    { location: "?q", asked: "http://a.test/start?q" },
    { location: "//b.test/x", asked: "http://b.test/x" },
    { location: "https://b.test", asked: "https://b.test/" },
    { location: "http://b.test/%2F%7e|", asked: "http://b.test/%2F%7e|" },
  ])("lead to $asked: $location", async ({ location, asked }) => {
    const { sent, runtime } = target(moved(location), {});
    const response = await createProxy().handle(incoming(URL_PATH), runtime);
    expect(response.status).toBe(200);
    expect(sent.map(addressOf)).toEqual(["GET http://a.test/start", `GET ${asked}`]);
    expect(sent[1]?.headers.get("host")).toBe(new URL(asked).host);
    expect(response.headers.get("x-final-url")).toBe(asked);
  });

  it.each([{ status: 301 }, { status: 302 }, { status: 303 }, { status: 307 }, { status: 308 }])(
    "are followed with $status",
    async ({ status }) => {
      const { sent, runtime } = target(moved("/next", status), {});
      expect((await createProxy().handle(incoming(URL_PATH), runtime)).status).toBe(200);
      expect(sent).toHaveLength(2);
    },
  );

  it("are handed on where a body can't be sent again", async () => {
    const { sent, runtime } = target(moved("/next"));
    const body = new Response("once").body;
    const request = incoming(URL_PATH, { "content-length": "4" }, "GET", body);
    const response = await createProxy().handle(request, runtime);
    expect(response.status).toBe(302);
    expect(sent).toHaveLength(1);
  });

  it.each([
    { about: "300", answer: moved("/next", 300) },
    { about: "304", answer: moved("/next", 304) },
    { about: "305", answer: moved("/next", 305) },
    { about: "201", answer: moved("/next", 201) },
    { about: "no Location", answer: { status: 302 } },
    { about: "another scheme", answer: moved("ftp://b.test/") },
    { about: "a Location that is no address", answer: moved("http://[") },
  ])("are none with $about: handed on", async ({ answer }) => {
    const { sent, runtime } = target(answer);
    const response = await createProxy().handle(incoming(URL_PATH), runtime);
    expect(response.status).toBe(answer.status);
    expect(response.headers.has("x-final-url")).toBe(false);
    expect(sent).toHaveLength(1);
  });

  it.each([
    { maxRedirects: 0, hops: 0, status: 200 },
    { maxRedirects: 0, hops: 1, status: 502 },
    { maxRedirects: 2, hops: 2, status: 200 },
    { maxRedirects: 2, hops: 3, status: 502 },
    { maxRedirects: undefined, hops: 20, status: 200 },
    { maxRedirects: undefined, hops: 21, status: 502 },
  ])("number at most $maxRedirects: $hops give $status", async ({ maxRedirects, hops, status }) => {
    const { sent, runtime } = target(...Array.from({ length: hops }, () => moved("/again")), {});
    const response = await createProxy({ maxRedirects }).handle(incoming(URL_PATH), runtime);
    expect(response.status).toBe(status);
    expect(sent).toHaveLength(status === 200 ? hops + 1 : hops);
  });

  it.each([{ fields: { proxy_host: "http://a.test" } }, { fields: { cookie: "proxy_host=http://a.test" } }])(
    "are not followed for a host selector: $fields",
    async ({ fields }) => {
      const { sent, runtime } = target(moved("/next"));
      const response = await createProxy().handle(
        incoming("/start", fields),
        runtime,
      );
      expect(response.status).toBe(302);
      expect(response.headers.get("location")).toBe("/next");
      expect(sent).toHaveLength(1);
    },
  );

  it("judge each hop again", async () => {
    const { sent, runtime } = target(moved("http://169.254.169.254/latest/meta-data/"), {});
    const response = await createProxy({ privateTargets: true }).handle(incoming(URL_PATH), runtime);
    expect(response.status).toBe(403);
    expect(sent).toHaveLength(1);
  });

  it.each([
    { status: 301, method: "POST", then: "GET" },
    { status: 302, method: "POST", then: "GET" },
    { status: 303, method: "POST", then: "GET" },
    { status: 303, method: "PUT", then: "GET" },
    { status: 303, method: "HEAD", then: "HEAD" },
    { status: 301, method: "PUT", then: "PUT" },
    { status: 302, method: "DELETE", then: "DELETE" },
    { status: 307, method: "POST", then: "POST" },
    { status: 308, method: "PATCH", then: "PATCH" },
  ])("turn $method into $then at $status, with or without its body", async ({ status, method, then }) => {
    const { sent, runtime } = target(moved("/next", status), {});
    const fields = {
      url: "http://a.test/",
      method,
      body: "abc",
      headers: { "content-type": "text/x", "x-kept": "1" },
    };
    const body = new TextEncoder().encode(JSON.stringify(fields));
    await createProxy().handle(incoming("/__proxy__/fetch", {}, "POST", body), runtime);
    const expected = then === method ? ["abc", "3", "text/x", "1"] : ["", null, null, "1"];
    const names = ["content-length", "content-type", "x-kept"];
    expect(sent[1]?.method).toBe(then);
    expect([
      await new Response(toStandard(sent[1]?.body ?? null)).text(),
      ...names.map((name) => sent[1]?.headers.get(name)),
    ])
      .toEqual(expected);
  });

  it.each([
    { location: "http://a.test/next", kept: true },
    { location: "http://b.test/", kept: false },
    { location: "https://a.test/", kept: false },
    { location: "http://a.test:81/", kept: false },
    { location: "http://x.a.test/", kept: false },
  ])("keep credentials within the origin only: $location, $kept", async ({ location, kept }) => {
    const { sent, runtime } = target(moved(location), {});
    const fields = { authorization: "Bearer t", cookie: "a=1", "x-kept": "1" };
    await createProxy().handle(incoming(URL_PATH, fields), runtime);
    expect(sent[0]?.headers.get("authorization")).toBe("Bearer t");
    expect(sent[0]?.headers.get("cookie")).toBe("a=1");
    expect(sent[1]?.headers.has("authorization")).toBe(kept);
    expect(sent[1]?.headers.has("cookie")).toBe(kept);
    expect(sent[1]?.headers.get("x-kept")).toBe("1");
  });

  it("never bring credentials back, and never show those of a Location", async () => {
    const { sent, runtime } = target(moved("http://b.test/"), moved("http://user:secret@a.test/"), {});
    const response = await createProxy().handle(incoming(URL_PATH, { authorization: "Bearer t" }), runtime);
    expect(sent[2]?.headers.get("authorization")).not.toBe("Bearer t");
    expect(response.headers.get("x-final-url")).toBe("http://a.test/");
  });
});
