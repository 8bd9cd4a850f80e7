/** Arguments that no command takes, and what is named in their place. */
import { expect, it } from "vitest";
import { ConfigError } from "../../src/index.ts";
import { parseArguments } from "../../src/command/parse-arguments.ts";
import { rowsOf } from "../support/rows.ts";

const TAKEN = { flags: ["port", "target"], example: "flags such as --port 8080" } as const;

it("arguments are flags with values, and other words where they are taken", () => {
  const { values, positionals } = parseArguments(["--port=1", "a", "b"], { ...TAKEN, takesWords: true });
  expect([{ ...values }, positionals]).toEqual([{ port: "1" }, ["a", "b"]]);
});

it.each(rowsOf(["args", "line"], [
  [["9000"], "Unexpected argument '9000', expected flags such as --port 8080 (see --help)"],
  [
    ["https://user:secret@a.test/?key=1"],
    "Unexpected argument: an address, expected flags such as --target https://example.com (see --help)",
  ],
  [
    ["encod", "x"],
    "Unexpected argument 'encod', expected the command encode, or flags such as --port 8080 (see --help)",
  ],
  [["serve"], "Unexpected argument 'serve', expected flags such as --port 8080 (see --help)"],
  [["--prot", "1"], "Unknown option '--prot', expected --port (see --help)"],
  [["--Target=x"], "Unknown option '--Target', expected --target (see --help)"],
  [["--other"], "Unknown option '--other', expected flags such as --port 8080 (see --help)"],
  [
    ["--port=1", "--target", "a", "--port", "1"],
    "Option '--port' is there twice, expected flags such as --port 8080 (see --help)",
  ],
  [["-p"], "Unknown option '-p', expected flags such as --port 8080 (see --help)"],
  [["--port", "--target"], "Option '--port' argument is ambiguous, expected a value behind it (see --help)"],
]))("$args: $line", ({ args, line }) => {
  expect(() => parseArguments(args, TAKEN)).toThrow(new ConfigError(line));
});

it("the help of a command is named", () =>
  expect(() => parseArguments(["--for", "a"], { flags: ["id"], example: "--id", command: "token" }))
    .toThrow("Unknown option '--for', expected --id (see fetchvia token --help)"));
