/**
 * `/__proxy__/fetch`: the argument in the address or in the body, and exactly what goes out for it.
 * @module
 */
import { expect, it } from "vitest";
import { encodeArg } from "../../../src/core/address/arg.ts";
import { createProxy } from "../../../src/index.ts";
import type { Runtime } from "../../../src/core/runtime.ts";
import { incoming, stream, target } from "../../support/handle.ts";

/** Asks for what an argument describes. */
function fetchArg(fields: Record<string, unknown>, runtime: Runtime) {
  return createProxy().handle(incoming(`/__proxy__/fetch?arg=${encodeArg(fields)}`), runtime);
}

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
