/** `fetchvia/core`: its options, and that whatever parts do, nothing goes out that the core alone would not send. @module */
import { expect, it } from "vitest";
import { type CoreOptions, createProxy, createReply, type Part, ProxyError } from "../../src/core/index.ts";
import { isOption } from "../../src/core/settings/config.ts";
import { SETTINGS } from "../../src/core/settings/settings.ts";
import { ask, dealRequest, OF_CORE, OF_PARTS, Tally } from "../support/dealt.ts";
import { Dice } from "../support/dice.ts";
import { words } from "../support/rows.ts";

function fail(): never {
  throw new Error("/secret/path");
}

it.each(Object.keys(OF_PARTS))("the option %s is refused, because nothing of the core applies it", (name) => {
  const createWith = (value: unknown) => () => createProxy({ [name]: value } as CoreOptions);
  expect(createWith(true)).toThrow(`Cannot use option ${name}: the part`);
  expect(createWith(undefined)).not.toThrow();
});

const NAMES = words`content-security-policy access-control-allow-origin access-control-allow-credentials
  set-cookie location vary x-frame-options cross-origin-resource-policy x-a`;
/** Headers by which the proxy holds a page in its bounds. */
const GUARDS = words`content-security-policy x-content-type-options referrer-policy`;

/** A part that does something at random. */
function dealPart(dice: Dice, name: string): Part {
  const decide = dice.pick([undefined, () => {}, fail, () => {
    throw new ProxyError("forbidden", "no");
  }]);
  const [field, isDropped] = [dice.pick(NAMES), dice.roll() < 0.3];
  const answer = dice.maybe(
    () => (headers: { set(name: string, value: string): void; delete(name: string): void }) =>
      isDropped ? headers.delete(field) : headers.set(field, dice.pick(["*", "https://evil.test", "none"])),
  );
  const meet = dice.roll() < 0.1 ? () => createReply(200, [], "met") : undefined;
  return { name, rules: () => ({ ...decide && { decide }, ...answer && { answer }, ...meet && { meet } }) };
}

it("every option is drawn, a new one too", () => {
  const drawn = Object.keys({ ...OF_CORE, ...OF_PARTS }).toSorted();
  expect(drawn).toEqual(Object.keys(SETTINGS).filter(isOption).toSorted());
});

it("random parts never let anything through that the core alone refuses, and drop no guard", async () => {
  const dice = new Dice(43);
  const tally = new Tally();
  for (let round = 0; round < 600; round += 1) {
    const dealt = dealRequest(dice);
    const parts = ["one", "two"].map((name) => dealPart(dice, name));
    const [alone, joined] = [[], parts].map((all) => ask(createProxy(dealt.options, all), dealt));
    const [before, after] = await tally.compare(dealt, alone!, joined!, true);
    const isSame = joined!.sent.length > 0 && after.status === before.status;
    const dropped = GUARDS.filter((name) =>
      isSame && !(after.headers.get(name) ?? "").includes(before.headers.get(name) ?? "")
    );
    expect(dropped).toEqual([]);
  }
  // Each kind is there, so the cases say something.
  expect(Object.values(tally.told).filter((count) => count < 20)).toEqual([]);
});
