/**
 * Runs test files inside a Worker, and answers with what failed.
 * @module
 */
import { startTests, type Task, type VitestRunner } from "@vitest/runner";

/** The settings of a runner that matter here. */
const CONFIG = {
  root: "/",
  setupFiles: [],
  sequence: { seed: 1, hooks: "stack", setupFiles: "list" },
  maxConcurrency: 5,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
} as unknown as VitestRunner["config"];

/** @param files what loads each file, by its path */
export async function runTests(files: Readonly<Record<string, () => Promise<unknown>>>): Promise<Response> {
  const runner: VitestRunner = { config: CONFIG, importFile: (path) => files[path]!() };
  const failed: string[] = [];
  let passed = 0;
  const read = (tasks: Task[], path: string): void => {
    for (const task of tasks) {
      const name = `${path} > ${task.name}`;
      for (const { message } of task.result?.errors ?? []) failed.push(`${name}: ${message}`);
      if (task.type === "suite") read(task.tasks, name);
      else passed += Number(task.result?.state === "pass");
    }
  };
  for (const { filepath, result, tasks } of await startTests(Object.keys(files), runner)) {
    for (const { message } of result?.errors ?? []) failed.push(`${filepath}: ${message}`);
    read(tasks, filepath);
  }
  return Response.json({ passed, failed });
}
