/**
 * The headers of a response as the target sent them, for those who may see all of them.
 * @module
 */

import type { Answer, Exchange } from "../exchange/exchange.ts";
import { Fields } from "../http/fields.ts";
import { isHopByHop, readNominated } from "../http/headers.ts";
import { changeAnswer } from "../../parts/gate/answer-rules.ts";

/**
 * The headers of a response as the target sent them, without hop-by-hop headers, and changed as the table says.
 *
 * @param origin the target that the caller named
 */
export function readTrueHead(
  answer: Pick<Answer, "headers" | "finalAddress" | "hadKey">,
  { table }: Pick<Exchange, "table">,
  origin: URL,
): Fields {
  const { headers } = answer;
  const head = new Fields();
  const nominated = readNominated(headers.get("connection"));
  headers.forEach((value, name, written) => {
    if (!isHopByHop(name) && !nominated?.has(name)) head.append(name, value, written);
  });
  if (table) changeAnswer(head, table, answer, origin);
  return head;
}
