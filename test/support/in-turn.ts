/**
 * Callers that send one request after the other, all at once, and what the record of them holds.
 * @module
 */
import { connect, type Socket } from "node:net";
import { setInterval } from "node:timers/promises";
import { expect } from "vitest";
import { open, request } from "./client.ts";
import type { Decision } from "./recorded.ts";

/** Sends requests to `/<caller>/0`, `/<caller>/1` and so on, on one connection, as long as `goesOn`; gives how many. */
async function sendInTurn(
  { port }: { readonly port: number },
  { origin }: { readonly origin: string },
  caller: number,
  goesOn: (turn: number) => boolean,
): Promise<number> {
  const connection = await open(port);
  let turn = 0;
  for (; goesOn(turn); turn += 1) {
    connection.write(request("GET", `/${caller}/${turn}`, { Host: "localhost", proxy_host: origin }));
    expect((await connection.answer()).status).toBe(200);
  }
  connection.end();
  return turn;
}

/** Has 20 callers send at once; gives how many requests each of them has sent. */
export function sendAll(
  proxy: { readonly port: number },
  target: { readonly origin: string },
  goesOn: (turn: number) => boolean,
): Promise<number[]> {
  return Promise.all(Array.from({ length: 20 }, (_, caller) => sendInTurn(proxy, target, caller, goesOn)));
}

/**
 * Has 20 callers send so many requests in all, so many a second, whether or not those before are answered, and waits for all
 * answers; gives how many each of them has sent.
 */
export async function sendAtRate(
  proxy: { readonly port: number },
  target: { readonly origin: string },
  { all, perSecond }: { readonly all: number; readonly perSecond: number },
): Promise<number[]> {
  const callers = Array.from({ length: 20 }, () => connect(proxy.port, "127.0.0.1"));
  const answered = Promise.all(callers.map((caller) => countAnswers(caller, all / callers.length)));
  const counts = callers.map(() => 0);
  const start = performance.now();
  let sent = 0;
  for await (const _ of setInterval(5)) {
    const due = Math.min(all, Math.ceil((performance.now() - start) * perSecond / 1_000));
    for (; sent < due; sent += 1) {
      const caller = sent % callers.length;
      const path = `/${caller}/${counts[caller]!++}`;
      callers[caller]!.write(request("GET", path, { Host: "localhost", proxy_host: target.origin }));
    }
    if (sent === all) break;
  }
  await answered;
  return counts;
}

/** Waits for so many answers, all of them good; reads no more of them than that, to cost little. */
async function countAnswers(caller: Socket, count: number): Promise<void> {
  let text = "";
  let good = 0;
  for await (const bytes of caller) {
    const parts = (text + (bytes as Buffer).toString("latin1")).split("HTTP/1.1 200 ");
    good += parts.length - 1;
    text = parts.at(-1)!;
    if (good === count) break;
  }
  expect(good).toBe(count);
}

/** Each of these requests has its line and nothing else has one, and those of one caller are in order. */
export function expectAll(decisions: readonly Decision[], counts: readonly number[]): void {
  const turns = counts.map((): string[] => []);
  for (const { path = "" } of decisions) turns[Number(path.split("/")[1])]!.push(path);
  expect(turns).toEqual(
    counts.map((each, caller) => Array.from({ length: each }, (_, turn) => `/${caller}/${turn}`)),
  );
}
