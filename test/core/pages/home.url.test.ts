/** `/__proxy__/?url=`: the address, and what is forwarded to it. @module */
import { describe, expect, it } from "vitest";
import { createProxy } from "../../../src/index.ts";
import { incoming, target } from "../../support/handle.ts";
import { textRows, words } from "../../support/rows.ts";

describe("redirects", () => {
  const moved = (location: string, status = 302) => ({ status, headers: new Headers({ location }) });

  it.each(words`POST PUT DELETE FOO get`)(
    "are handed on for %s, and lead through the proxy",
    async (method) => {
      const { sent, runtime } = target(moved("/next", 307));
      const response = await createProxy().handle(
        incoming("/__proxy__/?url=http://a.test/x", {}, method),
        runtime,
      );
      expect(response.status).toBe(307);
      expect(sent).toHaveLength(1);
      expect(response.headers.has("x-final-url")).toBe(false);
      expect(response.headers.get("location"))
        .toBe("http://localhost:8080/__proxy__/?url=http%3A%2F%2Fa.test%2Fnext");
    },
  );
});

it.each(textRows(["path", "detail"])`
  /__proxy__/at/openai/v1 | Cannot use the label in /__proxy__/at/<label>/: no setting has a label openai
  /__proxy__/at/a-test/v1 | Cannot reach a.test: its name does not resolve
  /__proxy__/?url=https://openai/v1 | Cannot reach openai: its name does not resolve`)(
  "$path says that it does not resolve",
  async ({ path, detail }) => {
    const resolve = () => Promise.reject(Object.assign(new Error("none"), { code: "ENOTFOUND" }));
    const response = await createProxy().handle(incoming(path), { ...target().runtime, resolve });
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({ detail: expect.stringContaining(detail) });
  },
);
