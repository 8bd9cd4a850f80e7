/** Labels against the shared vectors (`label.vectors.json`), and their laws on generated input. */
import { describe, expect, it } from "vitest";
import { decodeLabel, encodeLabel, findLabelFault } from "../../../src/core/address/label.ts";
import { type Random, randomFrom } from "../../support/json.ts";
import vectors from "./label.vectors.json" with { type: "json" };

describe("a base address that fits", () => {
  it.each(vectors.roundTrips)("$about: $base → $label", ({ base, label }) => {
    expect(encodeLabel(base)).toBe(label);
    expect(encodeLabel(new URL(base))).toBe(label);
  });
  it.each(vectors.roundTrips)("$about: $label → $base", ({ base, label }) => {
    expect(decodeLabel(label)).toBe(base);
    expect(decodeLabel(label.toUpperCase())).toBe(base);
  });
  it.each(vectors.foldedBases)("is folded first ($about): $base → $label", ({ base, label }) => {
    expect(encodeLabel(base)).toBe(label);
  });
  it.each(vectors.foldedLabels)(
    "comes from a label in any case ($about): $label → $base",
    ({ base, label }) => expect(decodeLabel(label)).toBe(base),
  );
});

describe("refused", () => {
  it.each(vectors.unreadableLabels)("label, $reason: $label", ({ label }) => {
    expect(decodeLabel(label)).toBeUndefined();
    expect(findLabelFault(label)).toMatch(/^(?:is|has|does) /);
  });
  it.each(vectors.unfitBases)("base that does not fit, $reason: $base", ({ base }) => {
    expect(() => encodeLabel(base)).toThrow(RangeError);
    expect(() => encodeLabel(base))
      .toThrow(/^Cannot encode label: the host does not fit a label, expected .+$/);
  });
  it.each(vectors.notBases)("no base address, $reason: $base", ({ base }) => {
    expect(() => encodeLabel(base)).toThrow(TypeError);
    expect(() => encodeLabel(base)).toThrow(/^Cannot encode label: the (address|scheme) .+, expected .+$/);
  });
});

it("leaves the URL that it is given as it was", () => {
  const url = new URL("https://my-site.example.com:8443");
  encodeLabel(url);
  expect(url.href).toBe("https://my-site.example.com:8443/");
});

describe("laws", () => {
  it("every generated base comes back from its label, which is a DNS label", () => {
    const bases = generate(1, 5000, randomBase);
    const wrong = bases.filter((base) => decodeLabel(encodeLabel(base)) !== base);
    const misspelled = bases.map(encodeLabel).filter((label) =>
      !/^(?!.*-$)(?!xn--)[a-z0-9][a-z0-9-]{0,62}$/.test(label)
    );
    expect({ wrong, misspelled }).toEqual({ wrong: [], misspelled: [] });
    expect(new Set(bases.map(encodeLabel)).size).toBe(new Set(bases).size);
  });

  it("every random label is unreadable, or the label of a canonical base", () =>
    expectLawful(generate(2, 20_000, randomLabel), 1000));

  it("every label that is one change away from a good one, too", () =>
    expectLawful(generate(3, 20_000, (random) => changeOne(encodeLabel(randomBase(random)), random)), 1000));

  it("every label of up to seven characters of a few, too", () => expectLawful(spellAll("sh1a-", 7), 1000));
});

/** Expects all decoded labels to come back, to give canonical bases, and to be the only label of their base. */
function expectLawful(labels: string[], atLeast: number): void {
  const decoded = [...new Set(labels)].map((label) => ({ label, base: decodeLabel(label) }))
    .filter((row): row is { label: string; base: string } => row.base !== undefined);
  expect(decoded.length).toBeGreaterThan(atLeast);
  expect(decoded.filter(({ label, base }) => encodeLabel(base) !== label)).toEqual([]);
  expect(decoded.filter(({ base }) => new URL(base).origin !== base)).toEqual([]);
  expect(new Set(decoded.map(({ base }) => base)).size).toBe(decoded.length);
}

function generate<T>(seed: number, count: number, make: (random: Random) => T): T[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () => make(random));
}

function pick<T>(choices: readonly T[], random: Random): T {
  return choices[random(choices.length)]!;
}

function randomText(alphabet: string, length: number, random: Random): string {
  return Array.from({ length }, () => pick([...alphabet], random)).join("");
}

/** A part of a name, with borders of the grammar more often than chance has them; no `n`, so no malformed `xn--`. */
function randomPart(random: Random): string {
  const text = () => randomText("ahsx019", 1 + random(3), random);
  return pick(
    [
      text,
      () => `${text()}-${text()}`,
      () => `${text()}--${text()}`,
      () => pick(["s", "h", "xn", "xn-a", "s-a", "xn--bcher-kva", "localhost", "80", "127"], random),
    ],
    random,
  )();
}

function randomHost(random: Random): string {
  const parts = Array.from({ length: random(3) }, () => randomPart(random));
  const name = [...parts, pick(["example", "s", "h", "a1", "1a", "localhost", "xn--p1ai", "a-1"], random)]
    .join(".");
  const address = Array.from({ length: 4 }, () => random(256)).join(".");
  return pick([name, name, name, address, "localhost"], random);
}

function randomBase(random: Random): string {
  const port = pick(["", "", ":80", ":443", `:${1 + random(65_535)}`], random);
  return new URL(`${pick(["http", "https"], random)}://${randomHost(random)}${port}`).origin;
}

function randomLabel(random: Random): string {
  return Array.from(
    { length: 1 + random(6) },
    () => pick(["s", "h", "-", "-", "--", "0", "1", "80", "xn", "a", "b7", "localhost"], random),
  ).join("");
}

/** Replaces, drops or adds characters at one place. */
function changeOne(label: string, random: Random): string {
  const at = random(label.length + 1);
  return label.slice(0, at) + pick(["", "-", "0", "s", "s-", "h-", "-1"], random) +
    label.slice(at + random(2));
}

function spellAll(alphabet: string, longest: number): string[] {
  const shorter = longest === 1 ? [""] : spellAll(alphabet, longest - 1);
  return [
    ...shorter,
    ...shorter.filter((text) => text.length === longest - 1).flatMap((text) =>
      [...alphabet].map((letter) => text + letter)
    ),
  ];
}
