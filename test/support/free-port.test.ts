import { expect, it } from "vitest";
import { freePort } from "./free-port.ts";

it("a free port is given once, so that those who start side by side do not meet", async () => {
  const ports = new Set<number>();
  for (let given = 0; given < 500; given++) ports.add(await freePort());
  expect(ports.size).toBe(500);
});
