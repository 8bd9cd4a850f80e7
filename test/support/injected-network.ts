/**
 * The same network without a socket: proxies in this process, their resolver and sender injected.
 * @module
 */
import type { Addresses } from "../../src/core/address/dns-cache.ts";
import { createConfiguredProxy, type Outgoing, type Proxy } from "../../src/index.ts";
import { ProxyError, readConfig, type Upstream } from "../../src/index.ts";
import { normalizeAddress } from "../../src/core/address/ip.ts";
import { takeBody } from "../../src/core/exchange/web-standard.ts";
import { Cancellation } from "../../src/core/http/cancellation.ts";
import { type Body, discard, isStreaming } from "../../src/core/http/body.ts";
import type { Reply } from "../../src/core/http/reply.ts";
import type { Incoming } from "../../src/core/runtime.ts";
import { findOwnAddresses } from "../../src/runtimes/process/own-addresses.ts";
import { Answer, type CallOptions, type Ending } from "./client.ts";
import { Names, type NameTable } from "./dns.ts";
import { Head, pairsOf } from "./http.ts";
import type { Settings } from "./proxy.ts";
import { takeLines } from "./recorded.ts";
import { answerPath, formatDialled, type Heard, isOwned, type Sight } from "./sentinel.ts";
import type { Network } from "./world.ts";

type Handle = (incoming: Incoming) => Promise<Reply>;

/** Reads a body to its end, or as much of it as comes in so many milliseconds: live traffic has no end. */
async function readUntil(body: Body, ms: number): Promise<{ bytes: Buffer; ended: Ending }> {
  if (!isStreaming(body)) return { bytes: Buffer.from(body ?? []), ended: "end" };
  const chunks: Uint8Array[] = [];
  const reader = body.stream().getReader();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    void reader.cancel();
  }, ms);
  for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
  clearTimeout(timer);
  return { bytes: Buffer.concat(chunks), ended: isLate ? "timeout" : "end" };
}

/** Stands in where the machine permits no namespace. */
export class InjectedNetwork implements Network {
  readonly name: string;
  readonly #names = new Names();
  readonly #proxies = new Map<number, Handle>();
  #nextPort = 15_000;
  #sight: Sight = { connections: [], requests: [] };
  #heard: Heard[] = [];
  readonly #isEverywhere: boolean;

  /** @param isEverywhere true if something answers at each address, by TLS in each name, and with no body */
  constructor(reason: string, isEverywhere = false) {
    this.name = `with an injected resolver and sender, because there is no namespace: ${reason}`;
    this.#isEverywhere = isEverywhere;
  }

  open(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async start(settings: Settings): Promise<number> {
    const config = readConfig(settings);
    const port = this.#nextPort++;
    const own = await findOwnAddresses(config.host, () => port);
    const proxy: Proxy = createConfiguredProxy(config, { environment: settings, ...takeLines(settings) });
    // On every address it has those of this network, not those of the machine that the tests run on.
    const isOpen = config.host === "0.0.0.0" || config.host === "::";
    const runtime = {
      ...own,
      isOwnAddress: (address: string, otherPort: number) =>
        isOpen ? otherPort === port && isOwned(address) : own.isOwnAddress(address, otherPort),
      clientAddress: "127.0.0.1",
      obeysRoute: true,
      resolve: (name: string, isComplete = false) => this.#resolve(name, isComplete),
      send: (outgoing: Outgoing) => this.#send(outgoing),
      ...this.#isEverywhere && { upgrade: (outgoing: Outgoing) => this.#send(outgoing) },
    };
    this.#proxies.set(port, (incoming) => proxy.reply(incoming, runtime));
    return port;
  }

  async call(port: number, line: string, options: CallOptions): Promise<Answer> {
    const [method = "", path = ""] = line.split(" ");
    const headers = new Headers(pairsOf(options.fields ?? {}));
    if (!headers.has("host")) headers.set("host", `127.0.0.1:${port}`);
    const url = `http://${headers.get("host")}${path}`;
    const reply = await this.#ask(port, {
      url,
      method,
      headers,
      body: takeBody(options.body ? Buffer.from(options.body) : null),
      signal: new Cancellation(),
    });
    const fields = [...reply.headers].map(([name, value]) => `\r\n${name}: ${value}`).join("");
    const head = new Head(`HTTP/1.1 ${reply.status} ${reply.statusText ?? ""}${fields}`);
    if (method === "HEAD") discard(reply.body);
    const { bytes, ended } = await readUntil(method === "HEAD" ? null : reply.body, options.timeout ?? 5_000);
    return new Answer(head, bytes, ended);
  }

  addNames(table: NameTable): Promise<void> {
    this.#names.add(table);
    return Promise.resolve();
  }

  countQueries(name: string): Promise<number> {
    return Promise.resolve(this.#names.count(name));
  }

  look(): Promise<Sight> {
    const { connections, requests } = this.#sight;
    return Promise.resolve({ connections: [...connections], requests: [...requests] });
  }

  hear(): Promise<Heard[]> {
    return Promise.resolve([...this.#heard]);
  }

  listOutput(): Promise<string> {
    return Promise.resolve("");
  }

  forget(): Promise<void> {
    this.#sight = { connections: [], requests: [] };
    this.#heard = [];
    return Promise.resolve();
  }

  #ask(port: number, incoming: Incoming): Promise<Reply> {
    const handle = this.#proxies.get(port);
    if (!handle) throw new Error(`Cannot ask port ${port}: no proxy is there`);
    return handle(incoming);
  }

  /** As the runtimes do it: the hosts file first, then A and AAAA, a late one only where it must be; none is a failure. */
  #resolve(name: string, isComplete: boolean): Promise<Addresses> {
    const [a, aaaa] = [this.#names.ask(name, "a"), this.#names.ask(name, "aaaa")];
    const isEnough = Array.isArray(a) && a.length > 0 && !isComplete;
    const isLate = aaaa === "silence" || this.#names.delay(name, "aaaa") > 0;
    const answers = isEnough && isLate ? [a] : [a, aaaa];
    if (answers.includes("silence")) return new Promise(() => {});
    const found = answers.flatMap((answer) => typeof answer === "string" ? [] : answer);
    const code = answers.includes("servfail") || answers.includes("refused") ? "EAI_AGAIN" : "ENOTFOUND";
    return found.length > 0
      ? Promise.resolve(Object.assign(found, { ttlMs: this.#names.ttl(name) * 1_000 }))
      : Promise.reject(Object.assign(new Error("no address"), { code }));
  }

  async #send(outgoing: Outgoing): Promise<Upstream> {
    const { origin, path, method, headers, addresses = [], signal } = outgoing;
    const isSecure = origin.protocol === "https:";
    const port = Number(origin.port) || (isSecure ? 443 : 80);
    if (this.#proxies.has(port)) {
      const { status, statusText = "", headers: own, body } = await this.#ask(port, {
        url: `http://${headers.get("host")}${path}`,
        method,
        headers: new Headers([...headers]),
        body: null,
        signal,
      });
      return { status, statusText, headers: own, body };
    }
    const upstream = outgoing.route?.upstream;
    if (upstream) {
      const { host: dialled } = upstream;
      const asked = formatDialled(addresses[0] ?? origin.hostname, port);
      this.#sight.connections.push(dialled);
      this.#sight.requests.push({ dialled, path: asked, host: asked, sni: "" });
      throw new ProxyError(
        "upstream_refused",
        `Cannot reach ${origin.host}: the upstream proxy ${dialled} refused`,
      );
    }
    // As a socket does: the next address where nobody is at the first.
    const isThere = (address: string) => this.#isEverywhere || isOwned(address);
    const reached = addresses.map(normalizeAddress).find(isThere) ??
      (addresses.length ? "" : origin.hostname);
    if (!reached) throw Object.assign(new Error("nobody is there"), { code: "ECONNREFUSED" });
    const dialled = formatDialled(reached, port);
    this.#sight.connections.push(dialled);
    const name = origin.hostname.replace(/\.$/, "");
    if (isSecure && name !== "tls.test" && !this.#isEverywhere) {
      throw Object.assign(new Error("wrong name"), { code: "ERR_TLS_CERT_ALTNAME_INVALID" });
    }
    const sni = isSecure ? name : "";
    this.#sight.requests.push({ dialled, path, host: headers.get("host") ?? "", sni });
    const written = [method, path, ...[...headers].flat()].join("\n");
    this.#heard.push({ dialled, host: headers.get("host") ?? "", text: written });
    const { status, location } = answerPath(path);
    const body = this.#isEverywhere ? null : new Response(`seen ${path}`).body;
    return { status, statusText: "", headers: new Headers(location === undefined ? {} : { location }), body };
  }
}
