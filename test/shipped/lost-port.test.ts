/**
 * A proxy under test whose free port somebody else took starts on another one, whichever way its runtime tells.
 * @module
 */
import { expect, it, vi } from "vitest";
import { freePort } from "../support/free-port.ts";
import { startProxy } from "../support/proxy.ts";
import { listen } from "../support/upstream.ts";

vi.mock("../support/free-port.ts", { spy: true });

it.each(["node", "worker"] as const)("starts on another port on %s", async (runtime) => {
  const other = await listen();
  vi.mocked(freePort).mockResolvedValueOnce(other.port);
  const proxy = await startProxy(runtime);
  expect(proxy.port).not.toBe(other.port);
  await proxy.stop("SIGKILL");
  await other.close();
});
