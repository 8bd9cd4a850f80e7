import { describe, expect, it } from "vitest";
import { fillKeys, listKeys, readKey } from "../../../../src/parts/gate/targets/keys.ts";
import { rowsOf } from "../../../support/rows.ts";

/** The variables given; a file holds its own name. */
function sources(variables: Record<string, string>) {
  return {
    variable: (name: string) => variables[name],
    readFile(path: string): string {
      if (path === "missing") throw new Error("no such file");
      return path.replaceAll("|", "\n");
    },
  };
}

describe("keys", () => {
  it("are the names in double braces", () =>
    expect(listKeys("Bearer {{A}} {{_b1}} {{ C }} {D} {{1E}} {{{F}}}")).toEqual(["A", "_b1", "F"]));

  it("are filled in where they are known", () =>
    expect(fillKeys("{{A}}-{{B}}", (name) => (name === "A" ? "$&" : undefined))).toBe("$&-{{B}}"));

  it.each([
    { about: "a variable", variables: { A: "key" }, value: "key" },
    { about: "a file", variables: { A_FILE: "from-file|" }, value: "from-file" },
    { about: "a file with CRLF", variables: { A_FILE: "from-file\r|" }, value: "from-file" },
    { about: "a variable with blanks around it", variables: { A: "\t two words " }, value: "two words" },
    { about: "a file with blanks around it", variables: { A_FILE: " from-file \r|" }, value: "from-file" },
    { about: "the variable before the file", variables: { A: "key", A_FILE: "file" }, value: "key" },
  ])("come from $about", ({ variables, value }) => {
    expect(readKey("A", sources(variables as Record<string, string>))).toEqual({ value });
  });

  it.each(rowsOf(["about", "variables", "fault"], [
    ["nothing", {}, "A is not set, expected the key in A or A_FILE"],
    ["no file", { A_FILE: "missing" }, "the file of A can't be read, expected one with the key, and no pipe"],
    ["two lines", { A: "x\ny" }, "A is not a key, expected text on one line"],
    ["blanks alone", { A: " \t" }, "A is not a key, expected text on one line"],
    ["an empty line behind it", { A: "x\n\n" }, "A is not a key, expected text on one line"],
    ["an empty file", { A_FILE: "|" }, "A is not a key, expected text on one line"],
  ]))("are refused with $about, and never shown", ({ variables, fault }) => {
    expect(readKey("A", sources(variables as Record<string, string>))).toEqual({ fault });
  });

  it.each(rowsOf(["lacking", "fault"], [
    [undefined, "A is not set, expected the key in A"],
    ["variables", "A is not set, expected variables"],
  ]))(
    "name no file where there are none: $fault",
    ({ lacking, fault }) => expect(readKey("A", { variable: () => undefined, lacking })).toEqual({ fault }),
  );
});
