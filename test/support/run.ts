/**
 * Programs under `fetchvia run`: what the whole tree of processes shows, and whether a text is the key of a token.
 * @module
 */
import { readdirSync, readFileSync } from "node:fs";
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
