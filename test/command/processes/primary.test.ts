/** Workers that the system can't start. */
import cluster, { type Worker } from "node:cluster";
import { EventEmitter } from "node:events";
import { expect, it, vi } from "vitest";
import { startProcesses } from "../../../src/command/processes/primary.ts";
import { readConfig } from "../../../src/core/settings/config.ts";

it("a worker that never becomes a process ends the start with one line", async () => {
  const fork = vi.spyOn(cluster, "fork").mockImplementation(() => {
    const worker = Object.assign(new EventEmitter(), { process: { pid: undefined, kill: () => true } });
    queueMicrotask(() => worker.emit("error", new Error("spawn /bin/node ENOENT")));
    return worker as unknown as Worker;
  });
  const started = startProcesses(readConfig({ WORKERS: "2", PORT: "0" }));
  await expect(started).rejects.toThrow("a worker ended with spawn /bin/node ENOENT before it was listening");
  fork.mockRestore();
});
