import { expect, it } from "vitest";
import { freePort, portsOf } from "./free-port.ts";

it("a free port is given once, so that those who start side by side do not meet", async () => {
  const ports = new Set<number>();
  for (let given = 0; given < 500; given++) ports.add(await freePort());
  expect(ports.size).toBe(500);
});

it("workers share no port: where one refuses, no other listens", () => {
  const ports = Array.from({ length: 16 }, (_, worker) => portsOf(worker)).flatMap(({ first, last }) =>
    Array.from({ length: last + 1 - first }, (_, n) => first + n)
  );
  expect(new Set(ports).size).toBe(ports.length);
  expect([Math.min(...ports), Math.max(...ports) < 30_000]).toEqual([15_000, true]);
  expect(() => portsOf(16)).toThrow("at most 15 workers");
});
