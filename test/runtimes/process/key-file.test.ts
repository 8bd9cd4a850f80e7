/** `SIGNING_KEY_FILE`. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConfigError } from "../../../src/index.ts";
import { readKeyFile } from "../../../src/runtimes/process/key-file.ts";

describe("SIGNING_KEY_FILE", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "fetchvia-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (content: string | Uint8Array) => {
    const file = join(folder, "key");
    writeFileSync(file, content);
    return file;
  };

  it.each([
    { content: "key", key: "key" },
    { content: "key\n", key: "key" },
    { content: "key\r\n", key: "key" },
    { content: "\ufeffkey", key: "key" },
    { content: " k ü\n\n", key: " k ü\n" },
  ])("gives SIGNING_KEY for $content", ({ content, key }) => {
    const file = write(content);
    expect(readKeyFile({ PORT: "1", SIGNING_KEY_FILE: file }))
      .toEqual({ PORT: "1", SIGNING_KEY_FILE: file, SIGNING_KEY: key });
  });

  it.each([{ environment: {} }, { environment: { SIGNING_KEY: "key", SIGNING_KEY_FILE: "" } }])(
    "changes nothing in $environment",
    ({ environment }) => expect(readKeyFile(environment)).toBe(environment),
  );

  it.each([
    { about: "a file that is not there", file: () => "/nowhere/key" },
    { about: "an empty file", file: () => write("") },
    { about: "an empty line", file: () => write("\n") },
    { about: "no UTF-8", file: () => write(Uint8Array.of(0x6b, 0xff)) },
  ])("refuses $about, in one line that names it", ({ file }) => {
    const name = file();
    const message = `SIGNING_KEY_FILE is "${name}", expected a readable file with the key in UTF-8`;
    expect(() => readKeyFile({ SIGNING_KEY_FILE: name })).toThrow(new ConfigError(message));
  });

  it("shows no key in the place of a file", () => {
    const message =
      "SIGNING_KEY_FILE is not shown, as it may be the key, expected a readable file with the key in UTF-8";
    expect(() => readKeyFile({ SIGNING_KEY_FILE: "s3cret+/=" })).toThrow(new ConfigError(message));
  });

  it("refuses two keys", () => {
    const message = "SIGNING_KEY and SIGNING_KEY_FILE are both set, expected one of them";
    expect(() => readKeyFile({ SIGNING_KEY: "a", SIGNING_KEY_FILE: "b" })).toThrow(new ConfigError(message));
  });
});
