/**
 * A browser of the simplest kind: an address, a cookie jar, and GET for whatever a `Location` names.
 * @module
 */
import { type Answer, call } from "./client.ts";
import { type Header, pairsOf } from "./http.ts";
import type { Shared } from "./pool.ts";
import { labelOf, placeOf, type Selector } from "./ways.ts";

/** Someone who opened a page of a target through the proxy, and goes on from there. */
export class Visitor {
  /** Where the visitor is. */
  url: URL;
  readonly #proxy: Shared;
  /** Fields of every request, as long as it goes to the proxy. */
  readonly #fields: Header[];
  readonly #cookies = new Map<string, string>();

  /** Starts at the page with this path on the target. */
  constructor(proxy: Shared, selector: Selector, base: string, path: string) {
    this.#proxy = proxy;
    this.#fields = selector === "header" ? [["proxy_host", base]] : [];
    if (selector === "cookie") this.#cookies.set("proxy_host", encodeURIComponent(base));
    const origin = selector === "label" ? `http://${labelOf(base)}.w.localhost:${proxy.port}` : proxy.origin;
    const start = {
      url: () => `/__proxy__/?url=${encodeURIComponent(base + path)}`,
      at: () => placeOf(base) + path,
    };
    this.url = new URL(selector === "url" || selector === "at" ? start[selector]() : path, origin);
  }

  /** What the jar holds. */
  get cookies(): Record<string, string> {
    return Object.fromEntries(this.#cookies);
  }

  /** Asks for the page where the visitor is; stays there. */
  async request(method: string): Promise<Answer> {
    const { host, port, pathname, search } = this.url;
    if (port !== String(this.#proxy.port)) {
      throw new Error(`Expected an address of the proxy, got ${this.url}`);
    }
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const fields = pairsOf([
      ["Host", host],
      ...this.#fields,
      ...(cookie ? [["Cookie", cookie] as Header] : []),
    ]);
    const answer = await call(this.#proxy.port, `${method} ${pathname}${search}`, { fields });
    for (const line of answer.headersNamed("set-cookie")) this.#store(line);
    return answer;
  }

  /** Goes where an answer leads, and on while that leads further. */
  async follow(answer: Answer): Promise<Answer> {
    let current = answer;
    for (let hops = 0; hops < 5 && current.header("location") !== undefined; hops += 1) {
      // A browser takes the bytes of the field for UTF-8.
      const location = Buffer.from(current.header("location") ?? "", "latin1").toString("utf8");
      this.url = new URL(location, this.url);
      current = await this.request("GET");
    }
    return current;
  }

  #store(line: string): void {
    const [pair = "", ...attributes] = line.split("; ");
    const name = pair.slice(0, pair.indexOf("="));
    if (attributes.includes("Max-Age=0")) this.#cookies.delete(name);
    else this.#cookies.set(name, pair.slice(name.length + 1));
  }
}
