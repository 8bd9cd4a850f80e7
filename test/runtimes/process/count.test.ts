/** Counts with their nouns. */
import { expect, it } from "vitest";
import { count } from "../../../src/runtimes/process/count.ts";

it.each([
  { amount: 0, said: "0 keys, 0 entries" },
  { amount: 1, said: "1 key, 1 entry" },
  { amount: 2, said: "2 keys, 2 entries" },
])("$amount is told as $said", ({ amount, said }) => {
  expect(`${count(amount, "key")}, ${count(amount, "entry", "entries")}`).toBe(said);
});
