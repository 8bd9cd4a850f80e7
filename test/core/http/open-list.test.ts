/** What is open: who is in the list after any coming and going, and who is looked at. */
import { expect, it, vi } from "vitest";
import { OpenList, type Placed, WatchedList } from "../../../src/core/http/open-list.ts";
import { Dice } from "../../support/dice.ts";

const placed = (count: number) => Array.from({ length: count }, (): Placed => ({ place: -1 }));

it("holds what was added and not deleted, whatever comes and goes", () => {
  const open = new OpenList();
  const known = new Set<Placed>();
  const dice = new Dice(24);
  const all = placed(20);
  for (let turn = 0; turn < 2_000; turn += 1) {
    const one = dice.pick(all);
    const isNew = !known.has(one) && dice.pick([true, false]);
    (isNew ? [open, known] : []).forEach((list) => list.add(one));
    (isNew ? [] : [open, known]).forEach((list) => void list.delete(one));
    expect([open.size, new Set(open.values())]).toEqual([known.size, known]);
  }
});

it("has values that stay as they were, and lets go of what another list holds", () => {
  const [open, other] = [new OpenList(), new OpenList()];
  const [one, two, foreign] = placed(3) as [Placed, Placed, Placed];
  open.add(one);
  open.add(two);
  other.add(foreign);
  const values = open.values();
  for (const each of [one, foreign]) open.delete(each);
  expect([values, open.values(), other.values()]).toEqual([[one, two], [two], [foreign]]);
});

it("looks at those that are there, with one timer", () => {
  vi.useFakeTimers();
  const all = new WatchedList(1_000);
  const [one, other] = placed(2).map((each) => ({ ...each, look: vi.fn() }));
  const last = { place: -1, look: vi.fn(() => all.delete(last)) };
  const counts = () => [one, other, last].map((each) => each!.look.mock.calls.length);
  expect(vi.getTimerCount()).toBe(0);
  all.add(one!);
  vi.advanceTimersByTime(500);
  all.add(other!);
  vi.advanceTimersByTime(250);
  expect([counts(), vi.getTimerCount()]).toEqual([[3, 1, 0], 1]);
  all.delete(one!);
  all.delete(other!);
  expect(vi.getTimerCount()).toBe(0);
  all.add(last);
  vi.advanceTimersByTime(2_000);
  expect([counts(), vi.getTimerCount()]).toEqual([[3, 1, 1], 0]);
  vi.useRealTimers();
});
