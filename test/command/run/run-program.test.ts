/** How a run ends. @module */
import { expect, it, vi } from "vitest";
import { run } from "../../../src/command/run/run-program.ts";
import { stderr } from "../../../src/runtimes/process/output.ts";

it("ends with the code of its program, once its lines are written", async () => {
  const order: string[] = [];
  let written = () => {};
  const exit = vi.spyOn(process, "exit").mockImplementation((code) =>
    void order.push(`exit ${code}`) as never
  );
  vi.spyOn(stderr, "push").mockImplementation((line) => void order.push(line));
  const finish = vi.spyOn(stderr, "finish").mockReturnValue(new Promise((resolve) => (written = resolve)));
  vi.stubEnv("OPENAI_API_KEY", "sk-real-0123456789abcdef");
  const listener = { port: 9 } as never;
  const ended = run(
    ["--", "sh", "-c", "exit 7"],
    () => Promise.resolve({ listen: () => Promise.resolve(listener) }),
  );
  await expect.poll(() => finish.mock.calls.length + exit.mock.calls.length).toBe(1);
  order.push("written");
  written();
  await ended;
  expect(order).toEqual([expect.stringContaining("in place of OPENAI_API_KEY"), "written", "exit 7"]);
});
