/**
 * The target that every candidate forwards to: nginx with files.
 * @module
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Certificate, makeCertificate } from "./certificate.ts";
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
  const config = nginxTarget(ports.plain, files) + nginxTls(ports, files, certificate);
  const program = start(LOAD_CORE, await launchNginx(join(folder, "target"), config));
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

/** A plain `return` would answer before the body has arrived; an inner second hop makes nginx read all of it first. */
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

/** Sessions can be resumed by ticket and by cache, as with most targets: a proxy that does so saves half of a handshake. */
function nginxTls(ports: Record<"tls" | "fresh", number>, files: string, certificate: Certificate): string {
  const server = (port: number, more: string) => `
  server {
    listen 127.0.0.1:${port} ssl backlog=2048;
    root ${files};${more}
  }`;
  return `
  ssl_certificate ${certificate.certificate};
  ssl_certificate_key ${certificate.key};
  ssl_protocols TLSv1.2 TLSv1.3;
  ssl_session_cache shared:bench:10m;
  ssl_session_tickets on;
  ssl_session_timeout 1h;${server(ports.tls, "")}${server(ports.fresh, "\n    keepalive_timeout 0;")}`;
}
