/**
 * What was trusted under one entry of the table serves no other: neither a TLS session nor a kept connection.
 * @module
 * @see RFC 8446 §2.2, RFC 5077
 */
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type TlsOptions, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { reply } from "../support/answers.ts";
import { type Connection, request } from "../support/client.ts";
import { expectedOf, SHARED_SESSIONS } from "../support/exceptions.ts";
import { expectError } from "../support/expect.ts";
import { pinFor } from "../support/faulty-targets.ts";
import { mint, type Minted } from "../support/mint.ts";
import type { Fields } from "../support/http.ts";
import { type Proxy, type RuntimeName, type Settings, startProxy } from "../support/proxy.ts";
import { listen, type Upstream } from "../support/upstream.ts";
import { waitFor } from "../support/wait.ts";
import { connectEach, startTwo } from "../support/workers.ts";

const AUTHORITY = mint({ subject: "usual authority", isAuthority: true });
const OTHER = mint({ subject: "authority of an entry", isAuthority: true });
const NAMES = ["localhost", "other.test"];
const USUAL = mint({ names: NAMES, issuer: AUTHORITY });
const UNKNOWN = mint({ names: NAMES, issuer: OTHER });
const CLIENT = mint({ subject: "client", issuer: OTHER });

const VERSIONS = [
  { version: "TLS 1.2", limits: { maxVersion: "TLSv1.2" } },
  { version: "TLS 1.3", limits: { minVersion: "TLSv1.3" } },
] as const satisfies { version: string; limits: TlsOptions }[];

/** An entry with each member that decides whom to trust; `{}` for none. All reach a target of the usual authority. */
const ENTRIES: Readonly<Record<string, object>> = {
  "no member": {},
  insecure: { insecure: true },
  ca: { ca: OTHER.cert },
  cert: { cert: CLIENT.cert, key: CLIENT.key },
  pin: { pin: pinFor(USUAL) },
  minVersion: { minVersion: "TLSv1.2" },
  serverName: { serverName: "other.test" },
};

/** Targets on ports of their own that resume each other's sessions. */
async function listenTwins(certificate: Minted, limits: TlsOptions, many: number): Promise<Upstream[]> {
  const shared = { ticketKeys: randomBytes(48), sessionIdContext: "twins" };
  const asks = { requestCert: true, rejectUnauthorized: false };
  const tls = { ...limits, ...shared, ...asks, ...certificate };
  const twins = await Promise.all(Array.from({ length: many }, () => listen({ tls })));
  for (const twin of twins) twin.answer = reply(200, { connection: "close" }, "ok");
  return twins;
}

/** Whether a session of one target is resumed by another one, whoever offers it. */
function resumes(from: Upstream, by: Upstream): Promise<boolean> {
  const options = { host: "127.0.0.1", servername: "localhost", rejectUnauthorized: false };
  return new Promise((resolve, reject) => {
    const first = connect({ ...options, port: from.port }, () => first.write("GET / HTTP/1.1\r\n\r\n"));
    first.once("error", reject).once("session", (session: Buffer) => {
      const second = connect({ ...options, port: by.port, session }, () => {
        resolve(second.isSessionReused());
        second.destroy();
        first.destroy();
      });
      second.once("error", reject);
    });
  });
}

/** What a new table ends: what it had led to stays in no process. */
const CHANGES: { about: string; tls: TlsOptions & Minted; from?: object; to?: object }[] = [
  {
    about: "minVersion that the target speaks no more",
    tls: { ...USUAL, maxVersion: "TLSv1.2" },
    from: { minVersion: "TLSv1.2" },
    to: { minVersion: "TLSv1.3" },
  },
  {
    about: "minVersion where there was none",
    tls: { ...USUAL, maxVersion: "TLSv1.2" },
    to: { minVersion: "TLSv1.3" },
  },
  { about: "pin", tls: USUAL, to: { pin: pinFor(UNKNOWN) } },
  {
    about: "serverName",
    tls: mint({ names: ["other.test"], issuer: AUTHORITY }),
    from: { serverName: "other.test" },
  },
  {
    about: "cert",
    tls: { ...USUAL, ca: OTHER.cert, requestCert: true, rejectUnauthorized: true },
    from: ENTRIES["cert"]!,
  },
  ...VERSIONS.flatMap(({ version, limits }) => [
    { about: `insecure, by ${version}`, tls: { ...limits, ...UNKNOWN }, from: { insecure: true } },
    { about: `ca, by ${version}`, tls: { ...limits, ...UNKNOWN }, from: { ca: OTHER.cert } },
  ]),
];

/** A whole handshake by TLS 1.3 brings two tickets, one that resumes brings none: so one is left. */
const PRIMED = 2;
/** Callers of each process at once. */
const EACH = 2;
/** Targets of the usual authority in two orders of their entries. */
const ORDERS = VERSIONS.flatMap((version) => [
  { ...version, order: "forwards", tls: USUAL, members: Object.keys(ENTRIES) },
  { ...version, order: "backwards", tls: USUAL, members: Object.keys(ENTRIES).reverse() },
]);
/** A target of another authority with an entry that trusts it, and those with the others. */
const TRUSTING = VERSIONS.flatMap((version) =>
  ["insecure", "ca"].map((by) => ({
    ...version,
    by,
    tls: UNKNOWN,
    members: [by, ...Object.keys(ENTRIES).filter((member) => member !== "insecure" && member !== "ca")],
  }))
);

/** What the table has for a target with such an entry. */
function entryOf(place: string, member: string): Record<string, object> {
  return member === "no member" ? {} : { [place]: ENTRIES[member]! };
}

/** Declares the tests. */
export function describeKeptTrust(runtime: RuntimeName): void {
  describe("what was trusted under one entry", () => {
    const folder = mkdtempSync(join(tmpdir(), "fetchvia-"));
    const settings = { NODE_EXTRA_CA_CERTS: join(folder, "usual.pem"), LOG: "off" };
    beforeAll(() => writeFile(settings.NODE_EXTRA_CA_CERTS, AUTHORITY.cert));
    afterAll(() => rmSync(folder, { recursive: true }));

    describeSessions(runtime, settings);
    describeChanges(runtime, settings, join(folder, "targets.json"));
  });
}

function describeSessions(runtime: RuntimeName, settings: Settings): void {
  let proxy: Proxy;
  const twinsOf = new Map<object, Upstream[]>();
  beforeAll(async () => {
    const table: Record<string, object> = {};
    for (const row of [...ORDERS, ...TRUSTING]) {
      const twins = await listenTwins(row.tls, row.limits, row.members.length);
      twinsOf.set(row, twins);
      for (const [index, { port }] of twins.entries()) {
        Object.assign(table, entryOf(`localhost:${port}`, row.members[index]!));
      }
    }
    proxy = await startProxy(runtime, { ...settings, TARGETS: JSON.stringify(table) });
  });
  afterAll(() =>
    Promise.all([proxy.stop("SIGKILL"), ...[...twinsOf.values()].flat().map((twin) => twin.close())])
  );
  const ask = ({ port }: Upstream) =>
    proxy.call("GET /p", { fields: { proxy_host: `https://localhost:${port}` } });

  it.each(ORDERS)("is resumed under no other, $order, by $version", async (row) => {
    const twins = twinsOf.get(row)!;
    expect(await resumes(twins[0]!, twins[1]!)).toBe(true);
    const firsts: Record<string, unknown> = {};
    const expected: Record<string, unknown> = {};
    for (const [index, member] of row.members.entries()) {
      const twin = twins[index]!;
      const resumed: boolean[] = [];
      twin.connected = (socket) => resumed.push((socket as TLSSocket).isSessionReused());
      for (let times = 0; times < PRIMED; times += 1) expect((await ask(twin)).status).toBe(200);
      const step = `${member} after ${row.members[index - 1]}`;
      firsts[step] = resumed[0];
      expected[step] = expectedOf(SHARED_SESSIONS, runtime, step, false);
    }
    expect(firsts).toEqual(expected);
  });

  it.each(TRUSTING)(
    "of an authority that no other entry knows is refused under all of them, after $by, by $version",
    async (row) => {
      const [trusted, ...refused] = twinsOf.get(row)!;
      for (const target of refused) {
        for (let times = 0; times < PRIMED; times += 1) expect((await ask(trusted!)).status).toBe(200);
        // A refusal is followed by a look at the certificate, which checks nothing.
        for (let times = 0; times < 2; times += 1) {
          expectError(await ask(target), { status: 502, error: "tls_certificate_error" });
        }
        expect(target.requests).toEqual([]);
      }
    },
  );
}

function describeChanges(runtime: RuntimeName, settings: Settings, file: string): void {
  describe("ends in all processes when a SIGHUP changes it", () => {
    let proxy: Proxy;
    let marked: Upstream;
    /** Some of each process. */
    let callers: Connection[];
    let version = 0;

    /** Waits until every process has read the table again. */
    async function write(entries: Record<string, object>): Promise<void> {
      version += 1;
      const mark = { "127.0.0.1": { set: { "x-version": String(version) } } };
      await writeFile(`${file}.next`, JSON.stringify({ ...mark, ...entries }));
      await rename(`${file}.next`, file);
      if (!proxy) return;
      proxy.process.kill("SIGHUP");
      await waitFor(async () => {
        await askAll({ proxy_host: marked.origin });
        const seen = marked.requests.splice(0).map((request) => request.header("x-version"));
        expect(new Set(seen)).toEqual(new Set([String(version)]));
      });
    }
    const askAll = (fields: Fields) =>
      Promise.all(callers.map(async (caller) => {
        caller.write(request("GET", "/p", { Host: "localhost", ...fields }));
        return (await caller.answer()).status;
      }));

    beforeAll(async () => {
      marked = await listen();
      await write({});
      proxy = await startTwo({ runtime }, { ...settings, TARGETS: file });
    });
    beforeEach(async () => {
      callers = await connectEach(proxy, EACH);
      return () => callers.forEach((caller) => caller.destroy());
    });
    afterAll(() => Promise.all([proxy.stop("SIGKILL"), marked.close()]));

    it("whatever trusted its target: each of them has an entry in the same tables", async () => {
      const rows = await Promise.all(CHANGES.map(async (change) => {
        const target = await listen({ tls: change.tls });
        onTestFinished(() => target.close());
        return { ...change, target, place: `localhost:${target.port}` };
      }));
      /** What all callers get of each target under the first table or the changed one, and how many requests arrive. */
      const askUnder = async (table: "from" | "to") => {
        await write(Object.fromEntries(rows.map(({ place, ...row }) => [place, row[table] ?? {}])));
        const told: unknown[] = [];
        for (const { about, target, place } of rows) {
          target.requests.length = 0;
          told.push([about, await askAll({ proxy_host: `https://${place}` }), target.requests.length]);
        }
        return told;
      };
      const all = (status: number, arrived: number) =>
        rows.map(({ about }) => [about, callers.map(() => status), arrived]);
      expect(await askUnder("from")).toEqual(all(200, callers.length));
      expect(rows.filter(({ target }) => target.open === 0)).toEqual([]);
      expect(await askUnder("to")).toEqual(all(502, 0));
      expect(await askUnder("from")).toEqual(all(200, callers.length));
    });

    it("and a target that speaks a newer TLS by then is spoken to by that alone", async () => {
      const shared = { ...USUAL, ticketKeys: randomBytes(48) };
      const target = await listen({ tls: { ...shared, maxVersion: "TLSv1.2" } });
      onTestFinished(() => target.close());
      const place = `localhost:${target.port}`;
      const fields = { proxy_host: `https://${place}` };
      const spoken = new Set<unknown>();
      target.early = (_request, socket) => void spoken.add((socket as TLSSocket).getProtocol());
      await askAll(fields);
      expect([...spoken.values()]).toEqual(["TLSv1.2"]);
      target.show({ ...shared, maxVersion: "TLSv1.3" });
      await write({ [place]: { minVersion: "TLSv1.3" } });
      spoken.clear();
      expect(new Set(await askAll(fields))).toEqual(new Set([200]));
      expect([...spoken.values()]).toEqual(["TLSv1.3"]);
    });
  });
}
