/**
 * `fetchvia check targets.json`: says whether the proxy would accept a table of targets, without starting it.
 * @module
 */

import { Gate } from "../parts/gate/gate.ts";
import type { Config } from "../core/settings/config.ts";
import { count } from "../runtimes/process/count.ts";
import { findOwnAddresses } from "../runtimes/process/own-addresses.ts";
import { guardKeys, loadTable } from "../runtimes/process/targets-file.ts";

/**
 * Checks a table.
 *
 * @param words the name of the file
 * @returns one line: what the table holds, without any value
 * @throws {Error} (as a rejection) with a one-line message that names the entry, the member and what was expected
 */
export async function checkTable(words: readonly string[], config: Config): Promise<string> {
  const [file, ...rest] = words;
  if (!file || rest.length > 0) {
    throw new Error("Cannot check the targets: expected exactly one file, such as targets.json");
  }
  const { listensOnLoopback } = await findOwnAddresses(config.host, () => config.port);
  const table = guardKeys(loadTable(file), config, !listensOnLoopback);
  // The gate throws if a label of the table is in PROXY_LABELS already.
  new Gate(config, table);
  const signed = table.entries.filter(({ sign }) => sign).length;
  const counts = [
    count(table.entries.length, "entry", "entries"),
    count(table.keys.size, "key"),
    ...(signed > 0 ? [count(signed, "signed target")] : []),
    ...(table.unchecked > 0 ? [count(table.unchecked, "unchecked target")] : []),
  ];
  return `${file} is good: ${counts.join(", ")}`;
}
