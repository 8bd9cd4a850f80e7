/**
 * `/__proxy__/metrics`: the metrics of several processes, added up.
 * @module
 */

import { answerText } from "../../core/http/answer.ts";
import { ProxyError } from "../../core/http/error.ts";
import type { Exchange } from "../../core/exchange/exchange.ts";
import type { Reply } from "../../core/http/reply.ts";

/**
 * Responds with the metrics of all processes, added up.
 *
 * @param readAll reads the texts of all processes
 * @throws {ProxyError} `forbidden` for a caller with a token of its own
 */
export async function answerMetrics(
  { token }: Exchange,
  readAll: () => Promise<readonly string[]>,
): Promise<Reply> {
  if (!token) return answerText(sumMetrics(await readAll()));
  throw new ProxyError(
    "forbidden",
    "Cannot show metrics to a caller with a token of its own: they are about all callers. Use PROXY_TOKEN",
    { names: ["PROXY_TOKEN"] },
  );
}

/** Adds up the texts of several processes, sample by sample; the samples of a family stay together. */
export function sumMetrics(texts: readonly string[]): string {
  const families = new Map<string, Map<string, number>>();
  for (const block of texts.flatMap((text) => text.split(/(?=^# HELP )/m)).filter(Boolean)) {
    const [help, type, ...samples] = block.trimEnd().split("\n");
    const head = `${help}\n${type}`;
    const sums = families.get(head) ?? new Map<string, number>();
    families.set(head, sums);
    for (const sample of samples) {
      const cut = sample.lastIndexOf(" ");
      const name = sample.slice(0, cut);
      sums.set(name, (sums.get(name) ?? 0) + Number(sample.slice(cut + 1)));
    }
  }
  const written = [...families].flatMap(([head, sums]) => [
    head,
    ...[...sums].map(([name, sum]) => `${name} ${sum}`),
  ]);
  return [...written, ""].join("\n");
}
