/**
 * The target that every candidate forwards to: nginx with files.
 * @module
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeCertificate } from "./certificate.ts";
import { launchNginx } from "./native-peers.ts";
import { findPort, LOAD_CORE, type Running, start, waitUntilReady } from "./processes.ts";

/** Sizes of the files at the target, in bytes, by path. */
export const FILES = {
  "/100B.json": 100,
  "/100KiB.bin": 100 * 1024,
  "/10MiB.bin": 10 * 1024 * 1024,
} as const;

/** The path for uploads; reads the whole body and responds with the number of bytes, framing and head included. */
export const UPLOAD_PATH = "/upload";

/** The ways to the same files: plain, by TLS, and by TLS on connections that end after one response. */
export type Way = "plain" | "tls" | "fresh";

/** The target runs until it is stopped. */
export interface Target {
  /** The origins: `http://127.0.0.1:port`, `https://localhost:port`. */
  origins: Readonly<Record<Way, string>>;
  /** The PEM file of the authority behind its certificate. */
  authority: string;
  program: Running;
}

/** The origin of a port of this machine. */
export function originOf(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Writes the files and starts a target on the core of the load. */
export async function startTarget(folder: string): Promise<Target> {
  const files = join(folder, "files");
  await mkdir(files, { recursive: true });
  for (const [path, bytes] of Object.entries(FILES)) await writeFile(join(files, path), contentOf(bytes));
  const certificate = makeCertificate(folder);
  const ports = { plain: await findPort(), tls: await findPort(), fresh: await findPort() };
  const words = {
    files,
    ...certificate,
    plain: `${ports.plain}`,
    tls: `${ports.tls}`,
    fresh: `${ports.fresh}`,
  };
  const program = start(LOAD_CORE, await launchNginx("nginx-target.conf", join(folder, "target"), words));
  await waitUntilReady(program, ports.plain, "/100B.json");
  const origins = {
    plain: originOf(ports.plain),
    // By name, like real targets: addresses need no `server_name`, and some clients handle them differently.
    tls: `https://localhost:${ports.tls}`,
    fresh: `https://localhost:${ports.fresh}`,
  };
  return { origins, authority: certificate.authority, program };
}

/** A JSON object of exactly that many bytes. */
function contentOf(bytes: number): string {
  const [head, tail] = ['{"status":true,"data":"', '"}'] as const;
  return head + "x".repeat(bytes - head.length - tail.length) + tail;
}
