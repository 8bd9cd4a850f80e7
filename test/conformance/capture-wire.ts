/**
 * Capture of what stands before a response and behind a body: interim responses and trailers, as they came and as they
 * went on.
 * @module
 * @see RFC 9110 §6.5, §15.2
 */
import { X509Certificate } from "node:crypto";
import type { TlsOptions } from "node:tls";
import type { Har } from "har-format";
import { describe, expect, it } from "vitest";
import type { Capture } from "../../src/parts/capture/capture.ts";
import { raw, reply } from "../support/answers.ts";
import { declareOnce, declareWith } from "../support/capabilities.ts";
import { capture } from "../support/captured.ts";
import { open } from "../support/client.ts";
import { checkHar } from "../support/har-check.ts";
import type { Header } from "../support/http.ts";
import { pinFor } from "../support/faulty-targets.ts";
import { type Link, useLink } from "../support/link.ts";
import { mint, type Minted } from "../support/mint.ts";
import type { Pool } from "../support/pool.ts";
import { listen } from "../support/upstream.ts";

const CAPTURED = { LOG: "json", CAPTURE: "64KiB" };
const SECRET = "pl4nted-s3cret";
const KEY = "first/secret+1";
const AUTHORITY = mint({ subject: "authority", isAuthority: true });
const VOUCHED = mint({ subject: "a.test", names: ["localhost"], issuer: AUTHORITY });
/** Why the certificate of a target passes, by the name that it is asked by. */
const TRUST = {
  localhost: { insecure: true },
  "ca.localhost": { ca: AUTHORITY.cert, serverName: "localhost" },
  "pin.localhost": { pin: pinFor(VOUCHED), insecure: true },
};
const KEYED = {
  ...CAPTURED,
  FIRST_KEY: KEY,
  TARGETS: JSON.stringify({
    ...TRUST,
    "127.0.0.1": { set: { "X-Own": "{{FIRST_KEY}}" }, paths: ["/"] },
  }),
};
const MASK = expect.stringMatching(/^\*{3}\(14 bytes, [0-9a-f]{4}\)$/);
const TE: Header[] = [["TE", "trailers"]];
const CHUNKED: Header[] = [["Transfer-Encoding", "chunked"]];

const answerWith = (...trailers: string[]) =>
  raw(
    ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "2", "ok", "0", ...trailers, "", ""].join("\r\n"),
  );

/** The trailers as the caller sent them, as the target got them, as it sent some, and as the caller got them. */
const trailersOf = ({ request, response, hops: [hop] }: Capture) =>
  [request, hop?.request, hop?.response, response].map((head) => head?.trailers);

/** Sends the bytes, and waits for the end of the answer. */
async function exchange(link: Link, bytes: Buffer, end: string): Promise<void> {
  const connection = await open(link.proxy.port);
  connection.write(bytes);
  await connection.until(end);
  connection.destroy();
}

/** Declares the tests. */
export function describeCaptureWire(pool: Pool): void {
  declareWith(pool.runtime, "connections of its own", () => describeConnections(pool));
  declareOnce(pool.runtime, () => describeLines(pool));
}

function describeLines(pool: Pool): void {
  describe("capture of field lines", () => {
    const link = useLink(pool, CAPTURED);
    const lines: Header[] = [["X-Zeta", "1"], ["accept", "*/*"], ["x-Zeta", "2"], ["SOAPAction", "x"], [
      "X-ZETA",
      "3",
    ]];

    it("has their letters, order and repetition, as they came and as they went on, in HAR too", async () => {
      link.upstream.answer = reply(200, lines, "ok");
      const { id, request, response, hops: [hop] } = await capture(
        link.proxy,
        () => link.call("GET /p", { fields: lines }),
      );
      const har = await link.proxy.call(`GET /__proxy__/traffic.har?id=${id}`);
      const [entry] = (har.json() as Har).log.entries;
      const inHar = [entry!.request, entry!.response].map(({ headers }) =>
        headers.map(({ name, value }): Header => [name, value])
      );
      const heads = [request, hop!.request, hop!.response, response].map((head) => head!.headers);
      for (const shown of [...heads, ...inHar]) {
        expect(shown.filter(([name]) => lines.some(([own]) => own === name))).toEqual(lines);
      }
    });
  });

  describe("capture of trailers", () => {
    const link = useLink(pool, CAPTURED);
    const keyed = useLink(pool, KEYED);
    const upload = (trailers: string[], fields: Header[] = []) =>
      link.bytes("POST /p", {
        fields: [...CHUNKED, ...fields],
        body: ["2", "ok", "0", ...trailers, "", ""].join("\r\n"),
      });

    it("has them as they came and as they went on, with secrets masked", async () => {
      link.upstream.answer = answerWith("X-Sum: b", `X-Auth-Token: ${SECRET}`, `Set-Cookie: a=${SECRET}`);
      const bytes = upload(["X-Sum: a", `Authorization: ${SECRET}`], TE);
      const captured = await capture(link.proxy, () => exchange(link, bytes, "0\r\nX-Sum: b\r\n"));
      expect(trailersOf(captured)).toEqual([
        [["X-Sum", "a"], ["Authorization", MASK]],
        [["X-Sum", "a"]],
        [["X-Sum", "b"], ["X-Auth-Token", MASK], ["Set-Cookie", expect.stringMatching(/^a=\*{3}\(14 bytes/)]],
        [["X-Sum", "b"], ["X-Auth-Token", MASK]],
      ]);
      const har = await link.proxy.call(`GET /__proxy__/traffic.har?id=${captured.id}`);
      expect(checkHar(har.json())).toEqual([]);
      expect(har.text).toContain('"_trailers":[{"name":"X-Sum","value":"a"}]');
      expect(har.text + JSON.stringify(captured)).not.toContain(SECRET);
    });

    it("has those that reach nobody", async () => {
      link.upstream.answer = answerWith("X-Sum: b");
      const captured = await capture(link.proxy, () => link.call("GET /p"));
      expect(trailersOf(captured)).toEqual([undefined, undefined, [["X-Sum", "b"]], undefined]);
    });

    it("has no place for them where there are none", async () => {
      link.upstream.answer = answerWith();
      const captured = await capture(link.proxy, () => exchange(link, upload([], TE), "0\r\n\r\n"));
      expect(JSON.stringify(captured)).not.toMatch(/"(?:trailers|interims)":/);
    });

    it("shows no key in them, and those of the caller stay behind where an entry rules", async () => {
      keyed.upstream.answer = answerWith(`X-Sum: ${KEY}`);
      const bytes = keyed.bytes("POST /p", {
        fields: [...CHUNKED, ...TE],
        body: `2\r\nok\r\n0\r\nX-Sum: ${KEY}\r\n\r\n`,
      });
      const captured = await capture(keyed.proxy, () => exchange(keyed, bytes, "0\r\nX-Sum: {{FIRST"));
      const shown = [["X-Sum", "{{FIRST_KEY}}"]];
      expect(trailersOf(captured)).toEqual([shown, undefined, shown, shown]);
      expect(JSON.stringify(captured)).not.toContain(KEY);
    });
  });

  describe("capture of interim responses", () => {
    const link = useLink(pool, CAPTURED);
    const keyed = useLink(pool, KEYED);
    const said = ({ interims = [] }: Pick<Capture, "interims">) =>
      interims.map(({ status, statusText, headers }) => [status, statusText, headers]);
    const hint = `HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\nX-Auth-Token: ${SECRET}\r\n\r\n`;

    it("has them as they came and as they were passed on, in order, with secrets masked", async () => {
      link.upstream.answer = (request, socket) => {
        socket.write(`HTTP/1.1 102 Processing\r\nConnection: X-Hop\r\nX-Hop: 1\r\n\r\n${hint}`);
        void reply(200, {}, "ok")(request, socket);
      };
      const captured = await capture(link.proxy, () => link.call("GET /p"));
      const passed = [103, "Early Hints", [["Link", "</a.css>; rel=preload"], ["X-Auth-Token", MASK]]];
      expect(said(captured.hops[0]!))
        .toEqual([[102, "Processing", [["Connection", "X-Hop"], ["X-Hop", "1"]]], passed]);
      expect(said(captured)).toEqual([[102, "Processing", []], passed]);
      const times = captured.hops[0]!.interims!.map(({ atMs }) => atMs);
      const { startMs, endMs } = captured.hops[0]!.times;
      expect([startMs, ...times, endMs]).toEqual([startMs, ...times, endMs].sort((a, b) => a! - b!));
      const har = await link.proxy.call(`GET /__proxy__/traffic.har?id=${captured.id}`);
      expect(checkHar(har.json())).toEqual([]);
      expect(har.text).toContain('"_interimResponses":[{"time":');
      expect(har.text + JSON.stringify(captured)).not.toContain(SECRET);
    });

    it("has the 100 of the target, and that of the caller", async () => {
      link.upstream.answer = (request, socket) => reply(200, {}, request.body)(request, socket);
      link.early = (_request, socket) => void socket.write("HTTP/1.1 100 Go on\r\n\r\n");
      const captured = await capture(link.proxy, async () => {
        const connection = await open(link.proxy.port);
        connection.write(
          link.bytes("POST /p", { fields: { "Expect": "100-continue", "Content-Length": "2" } }),
        );
        await connection.until("HTTP/1.1 100 Continue\r\n\r\n");
        connection.write(Buffer.from("ok"));
        await connection.until("\r\n\r\nok");
        connection.destroy();
      });
      expect([said(captured.hops[0]!), said(captured)])
        .toEqual([[[100, "Go on", []]], [[100, "Continue", []]]]);
    });

    it("has those that reach nobody", async () => {
      link.upstream.answer = raw(`${hint}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`);
      const old = link.bytes("GET /p").toString("latin1").replace("HTTP/1.1", "HTTP/1.0");
      const captured = await capture(
        link.proxy,
        () => exchange(link, Buffer.from(old, "latin1"), "\r\n\r\nok"),
      );
      expect([said(captured.hops[0]!).length, captured.interims]).toEqual([1, undefined]);
    });

    it("has a hundred at most, and 64 KiB", async () => {
      const many = `HTTP/1.1 103 A\r\nX-Long: ${"x".repeat(100)}\r\n\r\n`.repeat(300);
      const long = `HTTP/1.1 103 A\r\nX-Long: ${"x ".repeat(15_000)}\r\n\r\n`.repeat(5);
      const counts: number[][] = [];
      for (const interims of [many, long]) {
        link.upstream.answer = raw(`${interims}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`);
        const captured = await capture(link.proxy, () => link.call("GET /p"));
        counts.push([captured.hops[0]!, captured].map((side) => side.interims!.length));
      }
      expect(counts).toEqual([[100, 100], [2, 2]]);
    });

    it("shows no key in them", async () => {
      keyed.upstream.answer = (request, socket) => {
        socket.write(`HTTP/1.1 103 ${KEY}\r\nX-Seen: ${request.header("x-own")}\r\n\r\n`);
        void reply(200, {}, "ok")(request, socket);
      };
      const captured = await capture(keyed.proxy, () => keyed.call("GET /p"));
      const shown = [[103, "{{FIRST_KEY}}", [["X-Seen", "{{FIRST_KEY}}"]]]];
      expect([said(captured.hops[0]!), said(captured)]).toEqual([shown, shown]);
    });
  });
}

/** What runtimes tell differently: of TLS, and of their connections. */
function describeConnections(pool: Pool): void {
  describe("capture of a connection", () => {
    const link = useLink(pool, KEYED);
    /** Asks a target, and reads the capture. */
    const tell = async (origin: string) => {
      const fields = { proxy_host: origin };
      const { request, hops: [hop] } = await capture(
        link.proxy,
        () => link.proxy.call("GET /p", { fields }),
      );
      return { ...hop!, versions: [request.httpVersion, hop?.response?.httpVersion] };
    };
    /** Asks a target with this certificate twice, on one connection. */
    const tellTls = async (tls: TlsOptions & Minted, name = "localhost") => {
      const target = await listen({ tls });
      const origin = `https://${name}:${target.port}`;
      const told = [await tell(origin), await tell(origin)];
      await target.close();
      return told.map(({ tls, times }) => [tls, times.isReused]);
    };

    it.each([
      { name: "localhost", checked: { isUnchecked: true } },
      { name: "ca.localhost", checked: {} },
      { name: "pin.localhost", checked: {} },
    ])(
      "tells what $name chose, what its certificate says, and if nobody checked it",
      async ({ name, checked }) => {
        const tls = {
          protocol: "TLSv1.3",
          cipher: expect.stringMatching(/^TLS_[A-Z]/),
          alpn: "http/1.1",
          certificate: {
            subject: "CN=a.test",
            issuer: "CN=authority",
            validTo: new Date(new X509Certificate(VOUCHED.cert).validTo).toISOString(),
            ...checked,
          },
        };
        const told = await tellTls({ ...VOUCHED, ALPNProtocols: ["http/1.1"] }, name);
        expect(told).toEqual([[tls, false], [tls, true]]);
      },
    );

    it("has no more of a certificate than 256 characters a name, none that turns round others", async () => {
      const subject = `\u202e${"x".repeat(10_000)}`;
      const text = `CN=?${"x".repeat(252)}`;
      const [[tls] = []] = await tellTls(mint({ subject, names: ["localhost"] }));
      expect(tls).not.toHaveProperty("alpn");
      expect(tls).toMatchObject({ certificate: { subject: text, issuer: text } });
    });

    it("numbers connections in their order, and tells the version of both sides", async () => {
      const other = await listen();
      const { connection = "", versions } = await tell(link.upstream.origin);
      link.upstream.answer = raw("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok");
      expect([connection, versions])
        .toEqual([expect.stringMatching(/^[1-9]\d*$/), ["HTTP/1.1", "HTTP/1.1"]]);
      expect(await tell(link.upstream.origin))
        .toMatchObject({ connection, versions: ["HTTP/1.1", "HTTP/1.0"] });
      expect(await tell(other.origin)).toMatchObject({ connection: String(Number(connection) + 1) });
      await other.close();
    });
  });
}
