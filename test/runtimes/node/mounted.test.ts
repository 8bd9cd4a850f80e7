/**
 * A proxy inside a server of others: what it reads of its process. Its answers: `test/shipped/connect.test.ts`.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fetchvia } from "../../../src/runtimes/node/connect.ts";
import type { Options } from "../../../src/settings/config.ts";
import { call } from "../../support/client.ts";
import { listen, type Upstream } from "../../support/upstream.ts";

const TABLE = { "localhost": { set: { "x-api-key": "{{MOUNTED_KEY}}" } } };
let folder: string;
let upstream: Upstream;
beforeEach(async () => {
  vi.stubEnv("MOUNTED_KEY", "s3cret");
  folder = mkdtempSync(join(tmpdir(), "fetchvia-"));
  upstream = await listen();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
  await upstream.close();
});

it.each<{ about: string; targets: () => Options["targets"] }>([
  { about: "an object", targets: () => TABLE },
  {
    about: "a file",
    targets() {
      const file = join(folder, "targets.json");
      writeFileSync(file, JSON.stringify(TABLE));
      return file;
    },
  },
])("sends the keys of its environment, with $about", async ({ targets }) => {
  const target = `http://localhost:${upstream.port}`;
  const api = fetchvia({ prefix: "/api", target, targets: targets() });
  const server = createServer((incoming, outgoing) => api(incoming, outgoing, () => outgoing.end()));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const answer = await call((server.address() as AddressInfo).port, "GET /api/p");
  await api.close();
  server.close();
  expect(answer.status).toBe(200);
  expect(upstream.requests.map((request) => request.header("x-api-key"))).toEqual(["s3cret"]);
});
