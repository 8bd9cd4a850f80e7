/**
 * Targets of the tests in a browser: sites on addresses and ports of their own, whose pages are data, and which tell
 * all that they were asked.
 * @module
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Header } from "./http.ts";
import { formatDialled } from "./sentinel.ts";

/** What is in every answer of a private address that no page was written for. */
export const SECRET = "the secret of this machine";

/** An answer as data. */
export interface SitePage {
  /** 200 unless given. */
  status?: number;
  /** Repeated fields stay repeated. */
  fields?: Header[];
  body?: string;
  /** The answer to requests with `Authorization`, where those get another one. */
  authorized?: SitePage;
}

/** Pages by Host and path, such as `evil.test/` or `127.0.0.1:3000/admin`. The query does not count. */
export type SitePages = Readonly<Record<string, SitePage>>;

/** One request as a site saw it; a handshake for a WebSocket too. */
export interface Visit {
  /** The address and port that were dialled. */
  dialled: string;
  method: string;
  /** The Host field. */
  host: string;
  /** With its query. */
  path: string;
  /** As they stood on the wire. */
  fields: Header[];
  body: string;
}

/** Where the sites listen: public addresses, the private network, and services of this machine. */
const PLACES = [
  ["93.184.216.34", 80],
  ["8.8.4.4", 80],
  ["8.8.4.4", 3000],
  ["10.1.2.3", 80],
  ["127.0.0.1", 80],
  ["127.0.0.1", 3000],
  ["127.0.0.1", 5173],
] as const;

const HTML: Header = ["content-type", "text/html"];
const TEXT: Header = ["content-type", "text/plain"];

/** The sites, each on an address and port of its own. */
export class Sites {
  readonly #servers = new Map<string, Server>();
  #pages: SitePages = {};
  #visits: Visit[] = [];

  async listen(): Promise<void> {
    await Promise.all(PLACES.map(([address, port]) => this.#start(address, port)));
  }

  /** Replaces all pages. */
  publish(pages: SitePages): void {
    this.#pages = pages;
  }

  /** What was asked since it was last forgotten. */
  get visits(): Visit[] {
    return this.#visits;
  }

  forget(): void {
    this.#visits = [];
  }

  /** Ends a site: nobody listens there any more, and no connection stays. */
  shut(place: string): void {
    this.#servers.get(place)?.close();
    this.#servers.get(place)?.closeAllConnections();
  }

  async #start(address: string, port: number): Promise<void> {
    const server = createServer(async (request, response) => {
      const visit = await readVisit(request);
      this.#visits.push(visit);
      write(response, this.#choose(visit));
    });
    server.on("upgrade", async (request, socket) => {
      this.#visits.push(await readVisit(request));
      socket.destroy();
    });
    this.#servers.set(formatDialled(address, port), server);
    server.listen(port, address);
    await once(server, "listening");
  }

  #choose({ host, path, dialled, fields }: Visit): SitePage {
    const page = this.#pages[host + path.split("?")[0]];
    if (!page) return writePlain(dialled, host);
    const isAuthorized = fields.some(([name]) => name.toLowerCase() === "authorization");
    return page.authorized && isAuthorized ? page.authorized : page;
  }
}

/** The page of a site that no test has written one for. */
function writePlain(dialled: string, host: string): SitePage {
  return /^(?:127|10)\./.test(dialled)
    ? { fields: [TEXT], body: SECRET }
    : { fields: [HTML], body: `<!doctype html><title>${host}</title><p>A page of ${host}` };
}

function write(response: ServerResponse, { status = 200, fields = [HTML], body = "" }: SitePage): void {
  // Each request on a connection of its own, so that a site which is shut is gone.
  const last: Header[] = [["content-length", String(Buffer.byteLength(body))], ["connection", "close"]];
  response.writeHead(status, [...fields, ...last].flat());
  response.end(response.req.method === "HEAD" ? "" : body);
}

async function readVisit(request: IncomingMessage): Promise<Visit> {
  const { method = "", url = "", headers, rawHeaders, socket } = request;
  const dialled = formatDialled(socket.localAddress ?? "", socket.localPort ?? 0);
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  const fields = names.map((name, index): Header => [name, rawHeaders[2 * index + 1] ?? ""]);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks).toString();
  return { dialled, method, host: headers.host ?? "", path: url, fields, body };
}
