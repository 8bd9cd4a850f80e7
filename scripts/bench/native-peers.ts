/**
 * nginx and HAProxy: how they are started with the configurations beside this file.
 * @module
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "./peers.ts";
import type { Launch } from "./processes.ts";

/** More than the most connections that a case keeps open. */
const connections = "12288";

/** Fills in a configuration of this folder, and writes it into a folder of its own. */
async function writeConfiguration(
  name: string,
  folder: string,
  words: Readonly<Record<string, string>>,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const text = await readFile(join(import.meta.dirname, name), "utf8");
  const all: Record<string, string> = { ...words, folder, connections };
  const file = join(folder, name);
  await writeFile(file, text.replace(/\{\{(\w+)\}\}/g, (word, key: string) => all[key] ?? word));
  return file;
}

/** How to start nginx with a configuration of this folder. */
export async function launchNginx(
  name: string,
  folder: string,
  words: Readonly<Record<string, string>>,
): Promise<Launch> {
  const file = await writeConfiguration(name, folder, words);
  return { command: ["nginx", "-p", folder, "-e", "stderr", "-c", file] };
}

/** nginx as a peer. */
export function describeNginx({ port, target, folder, authority }: Place): Promise<Launch> {
  const { protocol, host } = new URL(target);
  const words = { port: String(port), scheme: protocol, host, authority };
  return launchNginx("nginx.conf", join(folder, `nginx-${port}`), words);
}

/** HAProxy as a peer. */
export async function describeHaproxy({ port, target, folder, authority }: Place): Promise<Launch> {
  const { protocol, host } = new URL(target);
  const tls = protocol === "https:" ? ` ssl verify required ca-file ${authority} verifyhost localhost` : "";
  const words = { port: String(port), host, tls };
  const file = await writeConfiguration("haproxy.conf", join(folder, `haproxy-${port}`), words);
  return { command: ["haproxy", "-db", "-f", file] };
}
