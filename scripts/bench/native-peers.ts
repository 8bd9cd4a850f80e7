/**
 * nginx and HAProxy as forwarding proxies with one worker, kept connections and streamed bodies.
 * @module
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Place } from "./peers.ts";
import type { Launch } from "./processes.ts";

/** More than the most connections that a case keeps open. */
const MAX_CONNECTIONS = 12_288;

/**
 * The configuration that every nginx of the bench starts with: one process (nothing is left behind when it is killed) and
 * no file outside its folder.
 */
export function nginxFrame(folder: string, http: string): string {
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const paths = kinds.map((kind) => `${kind}_temp_path ${join(folder, kind)};`).join("\n  ");
  return `daemon off;
master_process off;
pid ${join(folder, "nginx.pid")};
error_log stderr error;
events { worker_connections ${MAX_CONNECTIONS}; }
http {
  ${paths}
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000000;
  keepalive_timeout 1h;
  client_max_body_size 0;
${http}
}
`;
}

/** Writes a configuration, and returns how to start nginx with it. */
export async function launchNginx(folder: string, http: string): Promise<Launch> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, "nginx.conf");
  await writeFile(file, nginxFrame(folder, http));
  return { command: ["nginx", "-p", folder, "-e", "stderr", "-c", file] };
}

/** nginx as a peer. */
export function describeNginx({ port, target, folder, authority }: Place): Promise<Launch> {
  const { protocol, host } = new URL(target);
  // Names are compared with `localhost`, because nginx does not support addresses in certificates.
  const tls = protocol === "https:"
    ? `
      proxy_ssl_verify on;
      proxy_ssl_trusted_certificate ${authority};
      proxy_ssl_name localhost;
      proxy_ssl_protocols TLSv1.2 TLSv1.3;
      proxy_ssl_session_reuse on;`
    : "";
  return launchNginx(
    join(folder, `nginx-${port}`),
    `  upstream target {
    server ${host};
    keepalive 1024;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass ${protocol}//target;
      proxy_http_version 1.1;
      proxy_set_header connection "";
      proxy_request_buffering off;
      proxy_buffering off;${tls}
    }
  }`,
  );
}

/** HAProxy as a peer. */
export async function describeHaproxy({ port, target, folder, authority }: Place): Promise<Launch> {
  const { protocol, host } = new URL(target);
  const tls = protocol === "https:" ? ` ssl verify required ca-file ${authority} verifyhost localhost` : "";
  const file = join(folder, `haproxy-${port}.cfg`);
  await writeFile(
    file,
    `global
  maxconn ${MAX_CONNECTIONS}
  no strict-limits
  nbthread 1
defaults
  mode http
  option http-no-delay
  timeout connect 5s
  timeout client 1h
  timeout server 1h
frontend caller
  bind 127.0.0.1:${port}
  default_backend target
backend target
  http-reuse always
  server target ${host}${tls}
`,
  );
  return { command: ["haproxy", "-db", "-f", file] };
}
