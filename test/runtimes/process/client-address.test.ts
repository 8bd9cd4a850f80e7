/** What a runtime lends to the requests of one client. */
import { expect, it } from "vitest";
import { bindClientAddress } from "../../../src/runtimes/process/client-address.ts";

it("is what it lends to all, with the client's address", () => {
  const runtimeFor = bindClientAddress({ name: "a", keepsTimers: true });
  expect(runtimeFor("192.0.2.1")).toEqual({ name: "a", keepsTimers: true, clientAddress: "192.0.2.1" });
});

it("is one object for each client", () => {
  const runtimeFor = bindClientAddress({ name: "a" });
  expect(runtimeFor("192.0.2.1")).toBe(runtimeFor("192.0.2.1"));
  expect(runtimeFor("192.0.2.2")).not.toBe(runtimeFor("192.0.2.1"));
});
