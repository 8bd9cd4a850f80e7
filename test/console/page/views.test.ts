/** The pure parts of what the page shows: numbers, recent hosts, its own requests. @module */
import { describe, expect, it } from "vitest";
import { formatBytes, formatMemory, formatSpan } from "../../../src/console/page/format.ts";
import { statusClass, tellEnd } from "../../../src/console/page/format.ts";
import { addRecent, dropRecent, readRecents } from "../../../src/console/host/recents.ts";
/** A shelf with this on it. */
function shelfOf(text?: string) {
  const kept = new Map<string, string>(text === undefined ? [] : [["fetchvia.hosts", text]]);
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

it.each([
  { text: formatBytes(0), expected: "0 B" },
  { text: formatBytes(999), expected: "999 B" },
  { text: formatBytes(12_345), expected: "12.3 kB" },
  { text: formatMemory(65_536), expected: "64 KiB" },
  { text: formatMemory(1_572_864), expected: "1.5 MiB" },
  { text: tellEnd({ status: 200 }), expected: "" },
  { text: tellEnd({ status: 200, error: "caller_gone" }), expected: "closed by caller" },
  { text: tellEnd({ status: 0, error: "caller_gone" }), expected: "caller gone" },
  { text: tellEnd({ status: 502, error: "dns_error" }), expected: "dns error" },
  { text: formatBytes(123_456), expected: "123 kB" },
  { text: formatBytes(5_000_000_000_000), expected: "5000 GB" },
  { text: formatSpan(0.44), expected: "0.4 ms" },
  { text: formatSpan(42.4), expected: "42 ms" },
  { text: formatSpan(1_260), expected: "1.3 s" },
  { text: formatSpan(61_000), expected: "61 s" },
  { text: statusClass(204), expected: "ok" },
  { text: statusClass(302), expected: "moved" },
  { text: statusClass(404), expected: "fault" },
  { text: statusClass(503), expected: "failed" },
])("numbers $expected", ({ text, expected }) => expect(text).toBe(expected));

describe("recent hosts", () => {
  it("keep the newest in front, each once where it was, eight at most (defect 33)", () => {
    const shelf = shelfOf();
    const hosts = Array.from({ length: 10 }, (_, index) => `https://h${index}.test`);
    for (const host of [...hosts, "https://h5.test"]) addRecent(shelf, host);
    expect(readRecents(shelf).map((host) => host.slice(9, 10)).join("")).toBe("98765432");
    expect(dropRecent(shelf, "https://h9.test")).not.toContain("https://h9.test");
  });

  it.each([
    { about: "no JSON", text: "{" },
    { about: "no list", text: '{"length":1}' },
    { about: "no addresses", text: '[1,null,"javascript:alert(1)","//a.test","https://",{}]' },
    { about: "a flood", text: JSON.stringify([`https://a.test/${"x".repeat(3_000)}`]) },
  ])("survive $about on the shelf", ({ text }) => expect(readRecents(shelfOf(text))).toEqual([]));

  it("stand behind what is none on the shelf", () => {
    const text = JSON.stringify([...Array(8).fill("javascript:alert(1)"), "https://a.test"]);
    expect(readRecents(shelfOf(text))).toEqual(["https://a.test"]);
  });

  it("survive a browser without storage", () => {
    const setItem = () => {
      throw new Error("full");
    };
    expect(addRecent({ getItem: () => null, setItem }, "https://a.test")).toEqual(["https://a.test"]);
    expect(addRecent(undefined, "https://a.test")).toEqual(["https://a.test"]);
  });
});
