/**
 * Callers that send one request after the other, all at once, and what the record of them holds.
 * @module
 */
import { connect } from "node:net";
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

/** Requests of one caller that wait for their responses. */
const IN_FLIGHT = 16;

/**
 * Has 20 callers send at once, each many requests before the first one is answered, with as little work here as can be: so more
 * than a thousand a second come. Gives how many each of them has sent.
 */
export function sendMany(
  proxy: { readonly port: number },
  target: { readonly origin: string },
  goesOn: (turn: number) => boolean,
): Promise<number[]> {
  return Promise.all(Array.from({ length: 20 }, async (_, caller) => {
    const connection = connect(proxy.port, "127.0.0.1");
    let [sent, good, rest] = [0, 0, ""];
    const send = () => {
      const first = sent;
      while (sent < good + IN_FLIGHT && goesOn(sent)) sent += 1;
      const turns = Array.from({ length: sent - first }, (_, index) => first + index);
      const fields = { Host: "localhost", proxy_host: target.origin };
      connection.write(turns.map((turn) => request("GET", `/${caller}/${turn}`, fields)).join(""));
    };
    send();
    for await (const bytes of connection) {
      const parts = (rest + (bytes as Buffer).toString("latin1")).split("HTTP/1.1 200 ");
      good += parts.length - 1;
      rest = parts.at(-1)!;
      send();
      if (good === sent) break;
    }
    expect(good).toBe(sent);
    return sent;
  }));
}

/** Each of these requests has its line and nothing else has one, and those of one caller are in order. */
export function expectAll(decisions: readonly Decision[], counts: readonly number[]): void {
  const turns = counts.map((): string[] => []);
  for (const { path = "" } of decisions) turns[Number(path.split("/")[1])]!.push(path);
  expect(turns)
    .toEqual(counts.map((each, caller) => Array.from({ length: each }, (_, turn) => `/${caller}/${turn}`)));
}
