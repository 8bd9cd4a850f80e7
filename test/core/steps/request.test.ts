/** Step 3 as a target sees it: what of a request goes out, what is dropped, what is mapped. */
import { describe, expect, it } from "vitest";
import { createProxy } from "../../../src/index.ts";
import type { Incoming, Outgoing } from "../../../src/core/runtime.ts";
import { incoming, target } from "../../support/handle.ts";

/** Sends a request by a host selector, and gives what went out. */
async function forward(
  request: Incoming,
  options: Parameters<typeof createProxy>[0] = {},
): Promise<Outgoing> {
  const { sent, runtime } = target();
  expect((await createProxy(options).handle(request, runtime)).status).toBe(200);
  expect(sent).toHaveLength(1);
  return sent[0] as Outgoing;
}

const BASE = { proxy_host: "https://a.test:8443" };

it("Host, Origin and Referer keep a referer of another port where the proxy has none", async () => {
  const request = incoming("/", { ...BASE, host: "localhost", referer: "http://localhost:3000/p" });
  expect((await forward(request)).headers.get("referer")).toBe("http://localhost:3000/p");
});

it.each([
  ...["token=t", "sig=s", "proof=p", "confirm=c", "ticket=t"].map((secret) => ({
    query: `x=1&${secret}`,
    passes: false,
  })),
  { query: "x=1", passes: true },
  { query: "nottoken=1", passes: true },
])(
  "a Referer behind a front that takes its prefix off with $query passes: $passes",
  async ({ query, passes }) => {
    const { sent, runtime } = target();
    const referer = `http://front.test/front/__proxy__/?${query}`;
    await createProxy().handle(incoming("/", { proxy_host: "https://a.test", referer }), runtime);
    expect(sent[0]?.headers.get("referer")).toBe(passes ? referer : null);
  },
);

it.each([
  { said: "1", left: "0" },
  { said: "70", left: "69" },
  { said: "x", left: "x" },
  { said: "", left: "" },
  { said: "9999999999", left: "9999999999" },
])("Max-Forwards of OPTIONS leaves $left of '$said'", async ({ said, left }) => {
  const { headers } = await forward(incoming("/", { ...BASE, "max-forwards": said }, "OPTIONS"));
  expect(headers.get("max-forwards")).toBe(left);
});

describe("a sealed request", () => {
  const AMBIENT = { cookie: "a=1", authorization: "Basic eDp5" };
  const BROWSER = { "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors" };

  it.each([
    { about: "a program", fields: {}, sends: true },
    { about: "a browser", fields: BROWSER, sends: false },
    { about: "a page without Fetch Metadata", fields: { origin: "http://localhost:8080" }, sends: false },
    { about: "what may be either", fields: { host: "proxy.lan" }, sends: false },
  ])("of $about sends cookies and passwords: $sends", async ({ fields, sends }) => {
    const request = incoming("/", { ...BASE, ...AMBIENT, proxy_seal: "1", ...fields });
    const { headers } = await forward(request);
    expect([headers.get("cookie"), headers.get("authorization")])
      .toEqual(sends ? ["a=1", "Basic eDp5"] : [null, null]);
  });

  it("sends a token that no browser adds by itself, and what proxy_headers says", async () => {
    const own = { proxy_headers: btoa('{"cookie":"b=2"}'), authorization: "Bearer t" };
    const { headers } = await forward(
      incoming("/", { ...BASE, ...AMBIENT, ...BROWSER, proxy_seal: "1", ...own }),
    );
    expect([headers.get("cookie"), headers.get("authorization")]).toEqual(["b=2", "Bearer t"]);
  });
});
