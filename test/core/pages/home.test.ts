/** `/__proxy__/`: what `url` forwards, and what is told without either. @module */
import { expect, it } from "vitest";
import { createProxy } from "../../../src/index.ts";
import { incoming, target } from "../../support/handle.ts";

it("neither tells that TARGET decides, by the name that explain, log and metrics have for it", async () => {
  const { runtime } = target();
  const response = await createProxy({ target: "https://a.test/v1" }).handle(
    incoming("/__proxy__/"),
    runtime,
  );
  expect(await response.json()).toEqual({ host: "https://a.test/v1", selector: "preset" });
});
