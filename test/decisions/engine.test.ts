/**
 * The engine that runs these tests.
 * @module
 */
import process from "node:process";
import { expect, it } from "vitest";

it("is the one that was asked for", () => {
  expect(process.versions).toHaveProperty(process.env.FETCHVIA_ENGINE ?? "node");
});
