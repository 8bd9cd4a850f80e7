import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { Admission } from "../../../src/runtimes/deno/admission.ts";

const AT_ONCE = 48;

/** Fills every place. */
function fill(): Admission[] {
  const taken = Array.from({ length: AT_ONCE }, () => new Admission());
  for (const each of taken) expect(each.enter()).toBeUndefined();
  return taken;
}

it("lets those who wait go on in order, each as one before it is answered", async () => {
  const taken = fill();
  const order: string[] = [];
  const first = new Admission();
  const second = new Admission();
  const gone = [
    first.enter()!.then(() => order.push("first")),
    second.enter()!.then(() => order.push("second")),
  ];
  taken[7]!.leave();
  await gone[0];
  expect(order).toEqual(["first"]);
  taken[0]!.leave();
  await gone[1];
  expect(order).toEqual(["first", "second"]);
  for (const each of [...taken, first, second]) each.leave();
});

it("holds nobody up for targets that take long", async () => {
  const taken = fill();
  const next = new Admission();
  await Promise.race([next.enter(), sleep(5_000).then(() => Promise.reject(new Error("held up")))]);
  for (const each of [...taken, next]) each.leave();
  // What was left behind counts once: every place is free again.
  for (const each of fill()) each.leave();
});

it("lets one that was taken up read on", () => {
  const taken = fill();
  expect(taken[0]!.enter()).toBeUndefined();
  for (const each of taken) each.leave();
});
