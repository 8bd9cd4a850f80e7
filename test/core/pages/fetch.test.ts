/**
 * `/__proxy__/fetch`: the argument in the address or in the body, and exactly what goes out for it.
 * @module
 */
import { expect, it } from "vitest";
import { encodeArg } from "../../../src/core/address/arg.ts";
import { createProxy } from "../../../src/index.ts";
import type { Outgoing, Runtime } from "../../../src/core/runtime.ts";
import { type Fields, incoming, target } from "../../support/handle.ts";
/** A body that streams these chunks. */
function stream(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

/** Asks for what an argument describes. */
function fetchArg(fields: Record<string, unknown>, runtime: Runtime, own: Fields = {}) {
  return createProxy().handle(incoming(`/__proxy__/fetch?arg=${encodeArg(fields)}`, own), runtime);
}

/** The fields that went out, without what the proxy may add for itself. */
const fieldsOf = (outgoing: Outgoing | undefined) =>
  Object.fromEntries([...outgoing?.headers ?? []].filter(([name]) => name !== "cdn-loop"));

it.each([
  { field: "Content-Length", value: "0", sentAs: undefined },
  { field: "Expect", value: "100-continue", sentAs: undefined },
])("what goes out never has $field as the argument says: $value", async ({ field, value, sentAs }) => {
  const { sent, runtime } = target();
  const response = await fetchArg(
    { url: "http://a.test/", headers: { [field]: value, "X-Kept": "1" } },
    runtime,
  );
  expect(response.status).toBe(200);
  expect(fieldsOf(sent[0])[field.toLowerCase()]).toBe(sentAs);
  expect(fieldsOf(sent[0])["x-kept"]).toBe("1");
});

it("how the argument comes as the body of a POST, without Base64, in any number of chunks", async () => {
  const { sent, runtime } = target();
  const bytes = new TextEncoder().encode('{"url":"http://a.test/é","method":"DELETE"}');
  const whole = incoming("/__proxy__/fetch?arg=e30", {}, "POST", bytes);
  const chunked = incoming(
    "/__proxy__/fetch",
    {},
    "POST",
    stream(...[...bytes].map((byte) => Uint8Array.of(byte))),
  );
  await createProxy().handle(whole, runtime);
  await createProxy().handle(chunked, runtime);
  expect(sent.map(({ method, path }) => `${method} ${path}`)).toEqual(["DELETE /%C3%A9", "DELETE /%C3%A9"]);
  expect(sent.map(({ body }) => body)).toEqual([null, null]);
});

it.each([
  { status: 200, length: "5", said: "0" },
  { status: 404, length: undefined, said: "0" },
  { status: 204, length: undefined, said: null },
  { status: 304, length: undefined, said: null },
  { status: 304, length: "5", said: "5" },
])(
  "HEAD asked for by GET answers $status of $length bytes with the length $said",
  async ({ status, length, said }) => {
    const headers = new Headers(length === undefined ? {} : { "content-length": length });
    const response = await fetchArg(
      { url: "http://a.test/", method: "HEAD" },
      target({ status, headers }).runtime,
    );
    expect([response.status, response.headers.get("content-length")]).toEqual([status, said]);
  },
);
