/** The line that says where the console is. */
import { EventEmitter } from "node:events";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { announce, type Listening } from "../../../src/runtimes/node/announce.ts";
import { readMountOptions } from "../../../src/runtimes/node/mount-options.ts";

/** A server that listens once it is told to. */
class Stub extends EventEmitter implements Listening {
  listening = false;
  readonly #address: string | Pick<AddressInfo, "address" | "port">;

  constructor(address: string | Pick<AddressInfo, "address" | "port">) {
    super();
    this.#address = address;
  }

  address(): AddressInfo | string {
    return this.#address as AddressInfo;
  }
}

it.each([
  { address: "127.0.0.1", options: {}, lines: ["http://localhost:5173/__proxy__/"] },
  { address: "::1", options: {}, lines: ["http://localhost:5173/__proxy__/"] },
  { address: "::", options: {}, lines: ["http://localhost:5173/__proxy__/"] },
  { address: "192.0.2.1", options: {}, lines: ["http://192.0.2.1:5173/__proxy__/"] },
  { address: "2001:db8::1", options: {}, lines: ["http://[2001:db8::1]:5173/__proxy__/"] },
  { address: "::1", options: { mountPath: "/in" }, lines: ["http://localhost:5173/in/__proxy__/"] },
  { address: "::1", options: { console: false }, lines: [] },
])("says for $address and $options: $lines", ({ address, options, lines }) => {
  const server = new Stub({ address, port: 5173 });
  const said: string[] = [];
  announce(server, readMountOptions(options), (line) => said.push(line));
  expect(said).toEqual([]);
  server.emit("listening");
  expect(said).toEqual(lines.map((line) => `fetchvia: console at ${line}`));
});

it("says nothing for a server on a pipe", () => {
  const server = new Stub("/run/app.sock");
  server.listening = true;
  const said: string[] = [];
  announce(server, readMountOptions({}), (line) => said.push(line));
  expect(said).toEqual([]);
});

const TARGET = { prefix: "/api", target: "http://localhost:3000" };
const REFUSED = "fetchvia: the target is private, and other machines can reach this server. " +
  'To allow it, set allowTargets: "localhost:3000" (allowTargets closes all other targets)';

it.each(
  [
    { address: "0.0.0.0", options: TARGET, lines: [REFUSED] },
    { address: "::", options: TARGET, lines: [REFUSED] },
    { address: "192.0.2.1", options: TARGET, lines: [REFUSED] },
    { address: "127.0.0.1", options: TARGET, lines: [] },
    { address: "::1", options: TARGET, lines: [] },
    { address: "::", options: { ...TARGET, allowTargets: "localhost:3000" }, lines: [] },
    { address: "::", options: { ...TARGET, privateTargets: true }, lines: [] },
    { address: "::", options: { ...TARGET, target: "https://api.test" }, lines: [] },
    { address: "::", options: {}, lines: [] },
    { address: "::", options: { mountPath: "/in" }, lines: [] },
    {
      address: "::",
      options: { prefix: ["/api", "/auth"] },
      lines: ["fetchvia: no target for /api, /auth: set one with the option target"],
    },
  ] as const,
)("warns for $address and $options: $lines", ({ address, options, lines }) => {
  const server = new Stub({ address, port: 5173 });
  server.listening = true;
  const said: string[] = [];
  announce(server, readMountOptions({ ...options, console: false }), (line) => said.push(line));
  expect(said).toEqual(lines);
});

it("says that a prefix has no target, and where to set one", () => {
  const server = new Stub({ address: "::1", port: 5173 });
  const said: string[] = [];
  announce(server, readMountOptions({ prefix: "/api" }), (line) => said.push(line));
  server.emit("listening");
  const page = "http://localhost:5173/__proxy__/";
  expect(said.slice(1))
    .toEqual([`fetchvia: no target for /api: set one at ${page}, or with the option target`]);
});

it("says the same once for several proxies in one server", () => {
  const server = new Stub({ address: "::1", port: 5173 });
  const said: string[] = [];
  announce(server, readMountOptions({ ...TARGET }), (line) => said.push(line));
  announce(server, readMountOptions({ ...TARGET, prefix: "/auth" }), (line) => said.push(line));
  server.emit("listening");
  expect(said).toEqual(["fetchvia: console at http://localhost:5173/__proxy__/"]);
});
