/**
 * The Worker in workerd with the configuration that is shipped, and what its entry does beside forwarding.
 * @module
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { environmentName } from "../../../src/core/settings/config.ts";
import { SETTINGS } from "../../../src/core/settings/settings.ts";
import { KNOWN_DATE, Shipped } from "../../support/workerd.ts";
import { call, listen, ROOT, startProxy, type Upstream, waitFor } from "../../support/topic.ts";

const CAPNP = readFileSync(`${ROOT}/src/runtimes/worker/worker.capnp`, "utf8");
const TOML = readFileSync(`${ROOT}/src/runtimes/worker/worker.toml`, "utf8");
/** What is the platform's to say. */
const PLATFORMS = ["HOST", "PORT", "WORKERS", "TLS_CERT", "TLS_KEY"];

describe("the configurations", () => {
  it("hand in every setting that is not the platform's", () => {
    const bound = [...CAPNP.matchAll(/name = "(\w+)", fromEnvironment = "(\w+)"/g)];
    const names = Object.keys(SETTINGS).map(environmentName).filter((name) => !PLATFORMS.includes(name));
    expect(bound.map(([, name]) => name).toSorted()).toEqual(names.toSorted());
    expect(bound.map(([, name]) => name)).toEqual(bound.map(([, , variable]) => variable));
  });

  it("have the same date, which workerd knows", () => {
    const [date = ""] = /(?<=compatibilityDate = ")[\d-]+/.exec(CAPNP) ?? [];
    expect(TOML).toContain(`compatibility_date = "${date}"`);
    expect(date <= KNOWN_DATE).toBe(true);
  });
});

describe.each([
  // Where names below localhost are let through, workerd would ask DNS for them.
  {
    settings: {},
    names: ["127.0.0.1", "localhost", "a.localhost", "[::1]"],
    status: 403,
    error: "destination_ip_prohibited",
  },
  // What the proxy would allow, the network of workerd does not.
  {
    settings: { PRIVATE_TARGETS: "true" },
    names: ["127.0.0.1", "localhost", "[::1]"],
    status: 502,
    error: "connection_terminated",
  },
])("the Worker alone with $settings", ({ settings, names, status, error }) => {
  let shipped: Shipped;
  let port: number;
  let upstream: Upstream;
  beforeAll(async () => {
    shipped = new Shipped(settings);
    [port, upstream] = await Promise.all([shipped.listen(), listen()]);
  });
  afterAll(() => Promise.all([shipped.stop(), upstream.close()]));

  it.each(names.map((name) => ({ name })))("reaches nothing on $name", async ({ name }) => {
    const answer = await call(port, "GET /p", { fields: { proxy_host: `http://${name}:${upstream.port}` } });
    expect([answer.status, answer.header("proxy-status")])
      .toEqual([status, expect.stringContaining(`fetchvia; error=${error}; details=`)]);
    expect(upstream.open).toBe(0);
  });

  it("believes no field about the caller, because nobody but the edge writes one", async () => {
    const options = { fields: { "CF-Connecting-IP": "203.0.113.1" }, from: "127.0.0.2" };
    expect((await call(port, "GET /", options)).json()).toMatchObject({ ip: "127.0.0.2" });
  });
});

describe("the Worker with a bad setting", () => {
  it.each([
    { about: "that can't be read", settings: { TIMEOUT_MS: "30s" }, line: /TIMEOUT_MS is "30s", expected/ },
    {
      about: "that a Worker can't do",
      settings: { RATE_LIMIT: "1/1s", RATE_LIMIT_STORE: "redis://127.0.0.1:1" },
      line: /RATE_LIMIT_STORE .*expected/,
    },
    {
      about: "that asks for another proxy",
      settings: { UPSTREAM_PROXY: "http://user:pass@127.0.0.1:1" },
      line: /UPSTREAM_PROXY is set, expected none here/,
    },
  ])("answers nothing, and says why in the log: one $about", async ({ settings, line }) => {
    const shipped = new Shipped(settings);
    const port = await shipped.listen();
    const answers = [await call(port, "GET /"), await call(port, "GET /__proxy__/health")];
    await waitFor(() => expect(shipped.stderr()).toMatch(line));
    await shipped.stop();
    expect(answers.map(({ status }) => status)).toEqual([500, 500]);
  });
});

describe("live traffic of a Worker", () => {
  it("tells one caller of the requests of others", async () => {
    const [proxy, upstream] = await Promise.all([startProxy("worker", { PROXY_TOKEN: "t" }), listen()]);
    const watched = proxy.call("GET /__proxy__/traffic?token=t", { timeout: 1_000 });
    const fields = { proxy_host: upstream.origin, proxy_token: "t" };
    const answers = [await proxy.call("GET /one", { fields }), await proxy.call("GET /two", { fields })];
    const { text } = await watched;
    await Promise.all([proxy.stop("SIGKILL"), upstream.close()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(text).toMatch(/\/one".*\/two"/s);
  });
});
