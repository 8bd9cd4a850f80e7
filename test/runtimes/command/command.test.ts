import { describe, expect, it } from "vitest";
import { environmentName, flagName } from "../../../src/settings/config.ts";
import { SETTINGS } from "../../../src/settings/settings.ts";
import { formatHelp } from "../../../src/runtimes/command/help.ts";
import { runCodec } from "../../../src/runtimes/command/codec.ts";

const ARG = "eyJ1cmwiOiJodHRwczovL2EudGVzdCJ9";

describe("the small commands", () => {
  it.each(
    [
      { command: "encode", text: "https://my-site.example.com:8443", written: "my--site-example-com-8443" },
      { command: "encode", text: '{"url":"https://a.test"}', written: ARG },
      { command: "decode", text: "my--site-example-com-8443", written: "https://my-site.example.com:8443" },
      { command: "decode", text: ARG, written: '{\n  "url": "https://a.test"\n}' },
      { command: "decode", text: `${ARG}%3D`.slice(0, -3), written: '{\n  "url": "https://a.test"\n}' },
    ] as const,
  )("$command $text", ({ command, text, written }) => {
    expect(runCodec(command, [text])).toBe(written);
  });

  it.each(
    [
      { command: "encode", words: [], message: "exactly one argument" },
      { command: "decode", words: ["a", "b"], message: "exactly one argument" },
      { command: "encode", words: ["{url:1}"], message: "it is not JSON" },
      { command: "encode", words: ["https://a.test/path"], message: "does not fit a label" },
      { command: "decode", words: ["!!"], message: "expected a host label" },
    ] as const,
  )("refuse $command $words", ({ command, words, message }) => {
    expect(() => runCodec(command, words)).toThrow(message);
  });
});

describe("the help", () => {
  it.each(Object.keys(SETTINGS).map((name) => ({ name })))("tells of $name", ({ name }) => {
    expect(formatHelp()).toContain(`--${flagName(name)} <`);
    expect(environmentName(name)).toBe(flagName(name).toUpperCase().replaceAll("-", "_"));
  });
});
