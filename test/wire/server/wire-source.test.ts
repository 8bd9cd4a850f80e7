/** A connection as the source of a body: what it is told, and whose body it is. */
import { expect, it, vi } from "vitest";
import { WireSource } from "../../../src/wire/server/wire-source.ts";
import { NotedWire } from "../../support/caller-wire.ts";

it("pauses the connection, and lets it go on for a body that nobody wants", () => {
  const wire = new NotedWire();
  const source = new WireSource(wire, vi.fn());
  wire.resume();
  source.pause();
  expect(wire.isPaused).toBe(true);
  source.cancel();
  expect(wire.isPaused).toBe(false);
});

it("says when its body is wanted", () => {
  const onWanted = vi.fn();
  new WireSource(new NotedWire(), onWanted).resume();
  expect(onWanted).toHaveBeenCalledOnce();
});
