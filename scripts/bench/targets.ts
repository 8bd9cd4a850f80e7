/**
 * The target that every candidate forwards to: nginx with files.
 * @module
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { launchNginx } from "./native-peers.ts";
import { findPort, LOAD_CORE, type Running, start, waitUntilReady } from "./processes.ts";

/** Sizes of the files at the target, in bytes, by path. */
export const FILES = {
  "/100B.json": 100,
  "/100KiB.bin": 100 * 1024,
  "/10MiB.bin": 10 * 1024 * 1024,
} as const;

/** The path that takes uploads; it reads all and answers how many bytes came, framing and head included. */
export const UPLOAD_PATH = "/upload";

/** The target runs until it is stopped. */
export interface Target {
  port: number;
  program: Running;
}

/** Writes the files and starts a target on the core of the load. */
export async function startTarget(folder: string): Promise<Target> {
  const files = join(folder, "files");
  await mkdir(files, { recursive: true });
  for (const [path, bytes] of Object.entries(FILES)) await writeFile(join(files, path), contentOf(bytes));
  const port = await findPort();
  const program = start(LOAD_CORE, await launchNginx(join(folder, "target"), nginxTarget(port, files)));
  await waitUntilReady(program, port, "/100B.json");
  return { port, program };
}

/** A JSON object of exactly that many bytes. */
function contentOf(bytes: number): string {
  const [head, tail] = ['{"status":true,"data":"', '"}'] as const;
  return head + "x".repeat(bytes - head.length - tail.length) + tail;
}

/** A plain `return` would answer before the body is here; a second hop inside makes nginx read all of it first. */
function nginxTarget(port: number, files: string): string {
  return `  types { application/json json; }
  default_type application/octet-stream;
  open_file_cache max=16;
  client_body_buffer_size 2m;
  upstream self {
    server 127.0.0.1:${port};
    keepalive 64;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port} backlog=2048;
    root ${files};
    location = ${UPLOAD_PATH} {
      proxy_pass http://self/received;
      proxy_http_version 1.1;
      proxy_pass_request_body off;
      proxy_set_header connection "";
      proxy_set_header content-length "";
      proxy_set_header x-received $request_length;
    }
    location = /received {
      default_type text/plain;
      return 200 $http_x_received;
    }
  }`;
}
