import { describe, expect, it } from "vitest";
import { createFinder, decodePlace } from "../../../../src/parts/gate/targets/place.ts";

const NAMES = [
  "*",
  "*:8443",
  "*.test",
  "*.a.test",
  "*.a.test:444",
  "x.a.test",
  "x.a.test:444",
  "127.0.0.0/8",
  "127.0.0.1",
  "127.0.0.1:81",
  "[::1]:81",
  "bücher.example",
];
const find = createFinder(NAMES.map((name) => ({ name, place: decodePlace(name)! })));

describe("the most specific entry", () => {
  it.each([
    ["https://x.a.test", "x.a.test"],
    ["https://X.A.test.", "x.a.test"],
    ["https://x.a.test:444", "x.a.test:444"],
    ["https://y.a.test:444", "*.a.test:444"],
    ["https://y.z.a.test", "*.a.test"],
    ["https://a.test", "*.test"],
    ["https://xa.test", "*.test"],
    ["https://test", "*"],
    ["https://a.test.evil.example", "*"],
    ["https://x.a.test:8443", "*:8443"],
    ["http://127.0.0.1", "127.0.0.1"],
    ["http://0x7f.1", "127.0.0.1"],
    ["http://127.0.0.1:81", "127.0.0.1:81"],
    ["http://127.0.0.2:81", "127.0.0.0/8"],
    ["http://[::1]:81", "[::1]:81"],
    ["http://[::1]", "*"],
    ["http://[::1:81]", "*"],
    ["http://[::1:81]:8080", "*"],
    ["http://xn--bcher-kva.example", "bücher.example"],
  ])("of %s is %s", (origin, name) => expect(find(origin)?.name).toBe(name));

  it("is the same one for an origin that is asked for again, after others", () => {
    const own = createFinder(["a.test", "b.test"].map((name) => ({ name, place: decodePlace(name)! })));
    const [a, b, c] = ["https://a.test", "https://b.test", "https://c.test"].map((text) => new URL(text));
    const asked = [a, a, b, c, c, a, "https://b.test", b].map((origin) => own(origin!)?.name);
    expect(asked).toEqual(["a.test", "a.test", "b.test", undefined, undefined, "a.test", "b.test", "b.test"]);
  });

  it("is found among more than a call takes arguments", () => {
    const suffixes = Array.from({ length: 150_000 }, (_, at) => `.${at}.test`);
    const own = createFinder(suffixes.map((suffix) => ({ place: { kind: "suffix", suffix } as const })));
    expect(own("https://a.149999.test")?.place.suffix).toBe(".149999.test");
  });

  it("is none where no entry fits", () => {
    const own = createFinder([{ place: decodePlace("a.test")! }]);
    expect([own("https://b.test"), own("https://a.test.b"), own("nothing")])
      .toEqual([undefined, undefined, undefined]);
  });

  it.each(["", "http://a.test", "a.test/x", "a b", "a.test:0", "a.test:70000", "user@a.test", "*a.test"])(
    "has no name like %j",
    (name) => expect(decodePlace(name)).toBeUndefined(),
  );
});
