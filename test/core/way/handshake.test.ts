/** WebSockets in the core: what the target is asked, and what its answer is worth. @module */
import { describe, expect, it } from "vitest";
import { createUpgradeSender, hashKey } from "../../../src/core/way/handshake.ts";
import type { Outgoing, Runtime, Upgrade, Upstream } from "../../../src/core/runtime.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { rowsOf, typedRows } from "../../support/rows.ts";

const KEY = "dGhlIHNhbXBsZSBub25jZQ==";
const HANDSHAKE = {
  connection: "keep-alive, Upgrade",
  upgrade: "websocket",
  "sec-websocket-key": KEY,
  "sec-websocket-version": "13",
};
type Values = Readonly<Record<string, string | undefined>>;
const fieldsOf = (values: Values) =>
  new Fields(Object.entries(values).filter((field): field is [string, string] => field[1] !== undefined));
const failing = (code: string) => expect.objectContaining({ code });
const upgrade: Upgrade = () => Promise.reject(new Error("not asked"));
const runtime: Runtime = { upgrade, listensOnLoopback: true };

it("hashKey gives the Accept of RFC 6455 §1.3", async () =>
  expect(await hashKey(KEY)).toBe("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));

/** Asks a target that answers so. */
async function ask(
  answer: (sent: Outgoing) => Promise<Partial<Upstream>> | Partial<Upstream>,
  offered: Values = {},
) {
  const exchange = exchangeOf({ fields: HANDSHAKE, runtime });
  let sent: Outgoing | undefined;
  let cancelled = 0;
  const send = createUpgradeSender(exchange, async (outgoing) => {
    sent = outgoing;
    const given = await answer(outgoing);
    const socket = given.status === 101 ? { cancel: () => void (cancelled += 1) } : undefined;
    return { status: 101, statusText: "", headers: new Fields(), body: null, ...given, socket };
  });
  const outgoing = {
    method: "GET",
    origin: new URL("http://a.test"),
    path: "/p",
    headers: fieldsOf({ "sec-websocket-key": KEY, host: "a.test", ...offered }),
    body: null,
    addresses: undefined,
    signal: new AbortController().signal,
  };
  const answered = await send(outgoing).catch((error: unknown) => error);
  return { sent: sent!, cancelled, answered, record: exchange.record };
}

const accepting = (fields: Values = {}) => async ({ headers }: Outgoing) => ({
  status: 101,
  headers: fieldsOf({
    upgrade: "websocket",
    connection: "Upgrade",
    "sec-websocket-accept": await hashKey(headers.get("sec-websocket-key") ?? ""),
    ...fields,
  }),
});

describe("the sender of a handshake", () => {
  it("asks with a key of its own and answers with the caller's", async () => {
    const { sent, answered, record } = await ask(accepting({ "content-length": "0" }));
    const fields = ["connection", "upgrade", "sec-websocket-version", "host"];
    expect(fields.map((name) => sent.headers.get(name))).toEqual(["Upgrade", "websocket", "13", "a.test"]);
    expect(sent.headers.get("sec-websocket-key")).toMatch(/^[A-Za-z0-9+/]{22}==$/);
    expect(sent.headers.get("sec-websocket-key")).not.toBe(KEY);
    const { headers } = answered as Upstream;
    expect(headers.get("sec-websocket-accept")).toBe("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    expect(headers.has("content-length")).toBe(false);
    expect(record.isStreaming).toBe(true);
  });

  it.each(rowsOf(["about", "offered", "fields"], [
    ["a subprotocol of two", { "sec-websocket-protocol": "a,b" }, { "sec-websocket-protocol": "b" }],
    ["an extension", { "sec-websocket-extensions": "x" }, { "sec-websocket-extensions": "x" }],
    ["extensions with parameters of its own", {
      "sec-websocket-extensions": "y; a, permessage-deflate; client_max_window_bits",
    }, { "sec-websocket-extensions": 'permessage-deflate;server_max_window_bits="9" , y' }],
    ["fields in other cases", {}, { upgrade: "WebSocket", connection: "x, UPGRADE" }],
  ]))("takes $about", async ({ offered, fields }) => {
    expect((await ask(accepting(fields), offered)).answered).toMatchObject({ status: 101 });
  });

  const protocol = (value: string) => ({ "sec-websocket-protocol": value });
  const extensions = (value: string) => ({ "sec-websocket-extensions": value });
  it.each(typedRows<{ about: string; fields: Values; offered?: Values }>(["about", "fields", "offered"], [
    ["a wrong Accept", { "sec-websocket-accept": "x" }],
    ["another protocol", { upgrade: "h2c" }],
    ["no Connection", { connection: "close" }],
    ["a subprotocol that was not offered", protocol("c")],
    ["two subprotocols", protocol("a, b")],
    ["an empty subprotocol", protocol("")],
    ["an empty subprotocol where the offer has a gap", protocol(""), protocol("a,,b")],
    ["an extension that was not offered", extensions("x")],
    ["an extension where another was offered", extensions("x"), extensions("permessage-deflate; x")],
    ["an extension beside the one that was offered", extensions("y, x"), extensions("y")],
  ]))("refuses a 101 with $about, and lets the socket go", async ({ fields, offered }) => {
    const { answered, cancelled } = await ask(
      accepting(fields),
      offered ?? { "sec-websocket-protocol": "a, b" },
    );
    expect(answered).toEqual(failing("upgrade_failed"));
    expect(cancelled).toBe(1);
  });

  it.each([302, 400, 401, 503])("hands a %s on", async (status) => {
    expect((await ask(() => ({ status }))).answered).toMatchObject({ status });
  });

  it.each([200, 204, 299])("refuses a %s", async (status) => {
    expect((await ask(() => ({ status }))).answered).toEqual(failing("upgrade_failed"));
  });
});
