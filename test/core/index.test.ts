/** `fetchvia/core`: its options, and that whatever parts do, nothing goes out that the core alone would not send. @module */
import { expect, it } from "vitest";
import { type CoreOptions, createProxy, createReply, type Part, ProxyError } from "../../src/core/index.ts";
import { Dice } from "../support/dice.ts";
import { incoming, target } from "../support/handle.ts";
import { words } from "../support/rows.ts";

const ask = (parts: readonly Part[], path: string, options: CoreOptions, fields: object) => {
  const { runtime, sent } = target();
  const proxy = createProxy(options, parts);
  return { sent, answer: proxy.handle(incoming(path, { ...fields }), runtime) };
};

function fail(): never {
  throw new Error("/secret/path");
}

it.each(words`addressForms callerTokens capture captureBytes console metrics revokedTokens targets`)(
  "the option %s is refused, because nothing of the core applies it",
  (name) => {
    const createWith = (value: unknown) => () => createProxy({ [name]: value } as CoreOptions);
    expect(createWith(true)).toThrow(`Cannot use option ${name}: the part`);
    expect(createWith(undefined)).not.toThrow();
  },
);

const HOSTS = words`https://a.test http://localhost:81 http://10.1.2.3 http://169.254.169.254 https://b.test`;
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

function dealRequest(dice: Dice) {
  const host = dice.pick(HOSTS);
  const page = dice.maybe(() => ({ origin: dice.pick(["https://evil.test", "http://localhost:8080"]) }));
  const options: CoreOptions = {
    allowTargets: dice.maybe(() => dice.some(["a.test", "*.test", "10.0.0.0/8", "localhost:81"])),
    denyTargets: dice.maybe(() => dice.some(["b.test", "localhost"])),
    privateTargets: dice.pick(["true", "false", "auto"] as const),
    corsOrigins: dice.maybe(() => dice.some(["https://evil.test", "https://app.test"])),
  };
  const byUrl = dice.roll() < 0.5;
  return byUrl
    ? { options, path: `/__proxy__/?url=${encodeURIComponent(`${host}/x`)}`, fields: { ...page } }
    : { options, path: "/x", fields: { proxy_host: host, ...page } };
}

it("random parts never let anything through that the core alone refuses, and drop no guard", async () => {
  const dice = new Dice(43);
  const told = { sent: 0, refused: 0, narrowed: 0 };
  for (let round = 0; round < 1_000; round += 1) {
    const { options, path, fields } = dealRequest(dice);
    const parts = ["one", "two"].map((name) => dealPart(dice, name));
    const [alone, joined] = [ask([], path, options, fields), ask(parts, path, options, fields)];
    const [before, after] = await Promise.all([alone.answer, joined.answer]);
    const facts = ({ sent }: typeof alone) =>
      sent.map(({ method, origin, path, headers, addresses }) => [
        method,
        origin.href,
        path,
        [...headers].filter(([name]) => name !== "cdn-loop"),
        addresses,
      ]);
    const [allowed, done] = [facts(alone), facts(joined)];
    expect([[], allowed]).toContainEqual(done);
    told.sent += done.length;
    told.refused += 1 - allowed.length;
    told.narrowed += allowed.length - done.length;
    const isSame = done.length > 0 && after.status === before.status;
    const dropped = GUARDS.filter((name) =>
      isSame && !(after.headers.get(name) ?? "").includes(before.headers.get(name) ?? "")
    );
    expect(dropped).toEqual([]);
  }
  // Each kind is there, so the cases say something.
  expect(Object.values(told).filter((count) => count < 60)).toEqual([]);
});
