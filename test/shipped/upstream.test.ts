/**
 * The commands of docs/upstream.md: what each of them sets can be used, and the start line names the other proxy.
 * @module
 */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readConfig } from "../../src/core/settings/config.ts";
import { formatStartLine } from "../../src/runtimes/process/start-line.ts";
import { ROOT } from "../support/proxy.ts";

it("the commands of docs/upstream.md set what can be used, and name the proxy without its password", () => {
  const text = readFileSync(`${ROOT}/docs/upstream.md`, "utf8");
  const commands = [...text.matchAll(/```sh\n(.+) npm start\n```/g)].map(([, command = ""]) => command);
  const lines = commands.map((command) => {
    const settings = Object.fromEntries(command.split(" ").map((part) => part.split(/=(.*)/s)));
    return formatStartLine("node 1", readConfig(settings), { port: 81, isLocal: true }, undefined);
  });
  expect(lines).toHaveLength(4);
  expect(lines.join("")).not.toContain("password");
  expect(lines.filter((line) => /, upstream proxy proxy\.example\.com:\d+[,)]/.test(line))).toHaveLength(4);
});
