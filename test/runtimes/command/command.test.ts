import { describe, expect, it } from "vitest";
import { environmentName, flagName } from "../../../src/settings/config.ts";
import { SETTINGS } from "../../../src/settings/settings.ts";
import { formatHelp } from "../../../src/runtimes/command/help.ts";
import { runTool } from "../../../src/runtimes/command/encode.ts";

const ARG = "eyJ1cmwiOiJodHRwczovL2EudGVzdCJ9";

describe("the small commands", () => {
  it.each(
    [
      { tool: "encode", text: "https://my-site.example.com:8443", written: "my--site-example-com-8443" },
      { tool: "encode", text: '{"url":"https://a.test"}', written: ARG },
      { tool: "decode", text: "my--site-example-com-8443", written: "https://my-site.example.com:8443" },
      { tool: "decode", text: ARG, written: '{\n  "url": "https://a.test"\n}' },
      { tool: "decode", text: `${ARG}%3D`.slice(0, -3), written: '{\n  "url": "https://a.test"\n}' },
    ] as const,
  )("$tool $text", ({ tool, text, written }) => {
    expect(runTool(tool, [text])).toBe(written);
  });

  it.each(
    [
      { tool: "encode", words: [], message: "exactly one thing" },
      { tool: "decode", words: ["a", "b"], message: "exactly one thing" },
      { tool: "encode", words: ["{url:1}"], message: "it is no JSON" },
      { tool: "encode", words: ["https://a.test/path"], message: "does not fit a label" },
      { tool: "decode", words: ["!!"], message: "expected a host label" },
    ] as const,
  )("refuse $tool $words", ({ tool, words, message }) => {
    expect(() => runTool(tool, words)).toThrow(message);
  });
});

describe("the help", () => {
  it.each(Object.keys(SETTINGS).map((name) => ({ name })))("tells of $name", ({ name }) => {
    expect(formatHelp()).toContain(`--${flagName(name)} <`);
    expect(environmentName(name)).toBe(flagName(name).toUpperCase().replaceAll("-", "_"));
  });
});
