/**
 * What a proxy with capture and its log as JSON has captured.
 * @module
 */
import { expect } from "vitest";
import type { Capture, CapturedBody, FieldLine } from "../../src/parts/capture/capture.ts";
import type { Answer } from "./client.ts";
import { Entries } from "./lines.ts";
import type { Shared } from "./pool.ts";

/** Makes a request, and reads its capture when it is over. */
export async function capture(
  proxy: Shared,
  ask: () => Promise<unknown>,
  fields: Readonly<Record<string, string>> = {},
): Promise<Capture> {
  const entries = new Entries(proxy);
  await ask();
  const [entry] = await entries.read(1);
  const answer = await proxy.call(`GET /__proxy__/capture?id=${entry?.["id"]}`, { fields });
  // The line of this look must not be taken for that of the next request.
  await entries.read(2);
  expect(answer.status, answer.text).toBe(200);
  return answer.json() as Capture;
}

/** The same for one that is not kept: the answer to the look. */
export async function missed(proxy: Shared, ask: () => Promise<Answer>): Promise<Answer> {
  const entries = new Entries(proxy);
  await ask();
  const [entry] = await entries.read(1);
  const answer = await proxy.call(`GET /__proxy__/capture?id=${entry?.["id"]}`);
  await entries.read(2);
  return answer;
}

/** The bytes of a body that are kept, as text of one character each. */
export function textOf(body: Pick<CapturedBody, "base64"> | undefined): string | undefined {
  return body && Buffer.from(body.base64, "base64").toString("latin1");
}

/** The values of a field, joined as some runtimes join them. */
export function valueOf(lines: readonly FieldLine[] | undefined, name: string): string | undefined {
  const values = (lines ?? []).filter(([one]) => one.toLowerCase() === name).map(([, value]) => value);
  return values.length > 0 ? values.join(", ") : undefined;
}
