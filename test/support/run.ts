/**
 * Programs under `fetchvia run`: what the whole tree of processes shows, and whether a text is the key of a token.
 * @module
 */
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { signLink } from "../../src/core/address/signature.ts";

/** The program that asks the API once and tells what it has. */
export const ASK = `
const { OPENAI_BASE_URL: base, OPENAI_API_KEY: key } = process.env;
const ask = (url, headers) => fetch(url, { headers }).then(({ status }) => status);
const authorization = "Bearer " + key;
const { origin } = new URL(base);
console.log(JSON.stringify({
  base, key,
  known: await ask(base + "/models", { authorization }),
  none: await ask(base + "/models"),
  other: await ask(origin + "/__proxy__/at/127-0-0-1--9/", { authorization }),
  page: await ask(origin + "/__proxy__/"),
}));`;

/** A file of a process; `""` where it is gone or not ours. */
function read(process: string | number, file: string): string {
  try {
    return readFileSync(`/proc/${process}/${file}`, "latin1");
  } catch {
    return "";
  }
}

/** The ids of all processes that have this text in their environment. */
export function listProcesses(text: string): number[] {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return ids.filter((id) => read(id, "environ").includes(text)).map(Number);
}

/** Environment and arguments of a process and of all that it has started, in one text. */
export function readTree(root: number): string {
  const children = read(root, `task/${root}/children`).split(" ").filter(Boolean).map(Number);
  return [read(root, "environ"), read(root, "cmdline"), ...children.map(readTree)].join("\n");
}

/** The texts among these that sign the token: its signing key, if it is there. */
export async function findSigningKey(text: string, token: string): Promise<string[]> {
  const end = token.lastIndexOf(".");
  const candidates = [...new Set(text.match(/[\w-]{43}/g))];
  const signed = await Promise.all(candidates.map((key) => signLink(token.slice(0, end), key)));
  return candidates.filter((_, index) => signed[index] === token.slice(end + 1));
}

/** Searches the memory that a process may write for a short text, as whoever is its user can. */
export function isInMemory(pid: number, text: string): boolean {
  const [memory, pages] = ["mem", "pagemap"].map((name) => openSync(`/proc/${pid}/${name}`, "r")) as [
    number,
    number,
  ];
  const read = (file: number, length: number, at: number) => {
    const bytes = Buffer.alloc(length);
    return bytes.subarray(0, readSync(file, bytes, 0, length, at));
  };
  const holds = ([from, to]: readonly [number, number]) => {
    for (let at = from; at < to; at += 2 ** 20) {
      // Most of what runtimes reserve has no page: eight bytes for each 4 KiB tell.
      const isUsed = read(pages, 2 ** 11, at / 2 ** 9).some((byte) => byte !== 0);
      if (isUsed && read(memory, Math.min(2 ** 20 + text.length, to - at), at).includes(text)) return true;
    }
    return false;
  };
  const areas = readFileSync(`/proc/${pid}/maps`, "latin1").matchAll(/^(\w+)-(\w+) rw/gm);
  const isFound = [...areas].map(([, from, to]) => [Number(`0x${from}`), Number(`0x${to}`)] as const).some(
    holds,
  );
  [memory, pages].forEach(closeSync);
  return isFound;
}
