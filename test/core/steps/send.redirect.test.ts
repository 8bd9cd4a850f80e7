/** Step 4 as caller and target see it: redirects, deadlines, aborts, failures. */
import { describe, expect, it } from "vitest";
import { createProxy } from "../../../src/index.ts";
import { incoming, target } from "../../support/handle.ts";

const URL_PATH = "/__proxy__/?url=http://a.test/start";
const moved = (location: string, status = 302) => ({ status, headers: new Headers({ location }) });

describe("redirects", () => {
  it("are handed on where a body can't be sent again", async () => {
    const { sent, runtime } = target(moved("/next"));
    const body = new Response("once").body;
    const request = incoming(URL_PATH, { "content-length": "4" }, "GET", body);
    expect((await createProxy().handle(request, runtime)).status).toBe(302);
    expect(sent).toHaveLength(1);
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
});
