/**
 * Work that costs a machine much, a few pieces at a time.
 * @module
 */

/** So many processes start side by side; with all at once none of them would be there in time. */
const AT_ONCE = 4;
/** How long the proxies of a suite may take to start, in milliseconds, on a machine that does other work too. */
export const START_MS = 120_000;

/** Does the work for each item, in their order. */
export async function inTurns<T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items].values();
  const take = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, take));
}
