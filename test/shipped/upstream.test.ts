/**
 * The commands of docs/upstream.md: the proxy starts with what each of them sets, and names the other proxy.
 * @module
 */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { ROOT, startProxy } from "../support/proxy.ts";

it("the commands of docs/upstream.md start, and name the proxy without its password", async () => {
  const text = await readFile(`${ROOT}/docs/upstream.md`, "utf8");
  const commands = [...text.matchAll(/```sh\n(.+) npm start\n```/g)].map(([, command = ""]) => command);
  const started = await Promise.all(commands.map(async (command) => {
    const settings = Object.fromEntries(command.split(" ").map((part) => part.split(/=(.*)/s)));
    const proxy = await startProxy("node", settings);
    await proxy.stop();
    return proxy.stderr();
  }));
  expect(started).toHaveLength(4);
  expect(started.join("")).not.toContain("password");
  expect(started.filter((line) => /, upstream proxy proxy\.example\.com:\d+[,)]/.test(line))).toHaveLength(4);
});
