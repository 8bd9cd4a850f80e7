/**
 * Proxies that are asked what a request would meet before each request, to compare what they say with what it meets.
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import { expect, it } from "vitest";
import type { Explanation } from "../../src/parts/explain/explain.ts";
import type { Answer, CallOptions } from "./client.ts";
import { type Header, pairsOf } from "./http.ts";
import { Entries, type Entry } from "./lines.ts";
import { Shared } from "./pool.ts";
import { answerPath } from "./sentinel.ts";
import type { Settings } from "./proxy.ts";
import { type Decision, readDecisions, recordOf } from "./recorded.ts";

/** How often was compared, and what was not compared, by reason. */
export interface Tally {
  compared: number;
  /** Those that were about later hops. */
  hops: number;
  /** How many lines of the record were compared with what was said, and with what happened. */
  recorded: number;
  /** Calls on their way, and all so far. */
  open: number;
  calls: number;
  readonly left: Map<string, number>;
}

/** An explanation; `isBlind` where the name was not looked up. */
interface Told extends Explanation {
  isBlind: boolean;
}

/** Puts a request to other proxies too, of which this one has said what it would meet. */
export type Put = (
  line: string,
  options: CallOptions,
  settings: Settings,
  told: Explanation | undefined,
) => Promise<void>;

/** Error types by which the proxy itself refuses the first hop (RFC 9209). */
const OWN_REFUSAL =
  /error=(?:destination_ip_prohibited|http_request_denied|http_request_error|proxy_loop_detected|dns_error|dns_timeout)/;
/** Those that only addresses can bring about: what they are, or that there are none. */
const BY_ADDRESSES =
  /error=(?:destination_ip_prohibited|http_request_denied|proxy_loop_detected|dns_error|dns_timeout)/;
const MOST_HOPS = 10;
/** A longer question is a 414 or a 431. */
const MOST_IN_ADDRESS = 8_000;
/** What only the body decides, and what the verdict says of it. */
const TOO_LARGE = /^Cannot take the request body: it is too large \(limit (\d+) bytes\)/;
/** Fields that belong to a body or a handshake, or that are no part of the question. */
const DROPPED = /^(?:content-length|transfer-encoding|expect|upgrade|connection|sec-websocket-.*)$/i;

/** A proxy that is asked first. */
export class Explained extends Shared {
  readonly #inner: Shared;
  /** Another one of the same settings, which is asked: each question of a caller uses up the rate of its token. */
  readonly #asked: Shared;
  readonly #tally: Tally;
  /** What targets have seen; absent where only the log is compared. */
  readonly #look: (() => Promise<unknown>) | undefined;
  readonly #beside: Put | undefined;
  /** The lines of the record that were there before the last request. */
  recordedBefore = 0;

  constructor(
    [inner, asked]: readonly [Shared, Shared],
    tally: Tally,
    look?: () => Promise<unknown>,
    beside?: Put,
  ) {
    super(inner.settings);
    this.#beside = beside;
    this.#inner = inner;
    this.#asked = asked;
    this.#tally = tally;
    this.#look = look;
  }

  override get proxy() {
    return this.#inner.proxy;
  }

  override get port(): number {
    return this.#inner.port;
  }

  override get origin(): string {
    return this.#inner.origin;
  }

  override async call(line: string, options: CallOptions = {}): Promise<Answer> {
    this.#tally.open += 1;
    const own = this.#tally.calls += 1;
    const wasAlone = this.#tally.open === 1;
    const isAlone = () => wasAlone && this.#tally.calls === own;
    try {
      let told = await this.#explain(line, options);
      const entries = this.#look ? undefined : new Entries(this.#inner);
      const explained = typeof told === "object" ? told : undefined;
      await this.#beside?.(line, options, this.#inner.settings, explained);
      const lines = recordOf(this.#inner.settings.AUDIT!);
      const before = this.recordedBefore = lines.length;
      const answer = await this.#inner.call(line, options);
      // What its address holds admits the link, but no question about it: that shows the token.
      if (told === 401 && answer.status !== told && /[?&](?:sig|token)=/.test(line)) {
        told = await this.#explain(line, this.#withToken(options));
      }
      // Who may not ask the question may not send the request either.
      if (typeof told === "number") agree({ line, status: answer.status }, { line, status: told });
      // A server that knows no such method answers before the proxy does.
      const log = await entries?.read(1).catch(() => undefined);
      if (typeof told !== "object") return answer;
      if (entries && !log) this.#leave("no line in the log");
      else if (!isAlone()) return this.#leaveAnswer("others write to the record meanwhile", answer);
      const decided = readDecisions(lines.slice(before));
      const refusal = decided.at(-1)?.reason ?? "";
      const [isTooLarge, most] = TOO_LARGE.exec(refusal) ?? [];
      if (isTooLarge && told.verdict.allowed) {
        expect(told.verdict.reason).toContain(`A body of more than ${most} bytes is refused`);
        this.#tally.compared += 1;
        return answer;
      }
      this.#compareRecord(line, told, answer, decided);
      await this.#compareLater(decided, options);
      if (entries && !log) return answer;
      if (told.target !== null && decided.length > 1 && isRefusal(answer)) {
        await this.#compareHop(line, options, told, answer);
      } else this.#compare(line, told, answer, log);
      return answer;
    } finally {
      this.#tally.open -= 1;
    }
  }

  #withToken(options: CallOptions): CallOptions {
    const { PROXY_TOKEN: token = "" } = this.#inner.settings;
    return { ...options, fields: [...pairsOf(options.fields ?? {}), ["proxy_token", token]] };
  }

  async #explain(line: string, options: CallOptions): Promise<Told | number | undefined> {
    const [method = "GET", path = "/"] = line.split(" ");
    const sent = pairsOf(options.fields ?? {});
    const fields = sent.filter(([name]) => !DROPPED.test(name));
    const isSocket = sent.some(([name, value]) => /^upgrade$/i.test(name) && value === "websocket");
    if (fields.some(([name]) => /^service-worker$/i.test(name))) return this.#leave("another check");
    if (!/^[A-Z]+$/.test(method) || method === "TRACE" || method === "CONNECT") return this.#leave("method");
    if (!isPlain(path)) return this.#leave("a path that no parameter holds");
    const isPosted = method === "POST" && path.startsWith("/__proxy__/fetch");
    const arg = Buffer.from(options.body ?? "").toString("base64");
    if (isPosted && path.includes("?")) return this.#leave("a user's yes, in the body");
    if (isPosted && arg.length > MOST_IN_ADDRESS) return this.#leave("an arg longer than an address");
    if (method === "GET" && options.body) return this.#leave("a body, which decides by itself");
    const isAlone = this.#tally.open === 1;
    const before = await this.#look?.();
    const ask = async (dns: boolean) => {
      const query = isPosted
        ? `dns=${dns}&arg=${encodeURIComponent(arg)}`
        : `method=${method}&dns=${dns}&socket=${isSocket}&path=${encodeURIComponent(path)}`;
      return await this.#asked.call(`GET /__proxy__/explain?${query}`, { ...options, body: "", fields });
    };
    const first = await this.#settled(() => ask(true));
    const answer = first.status === 403 ? await this.#settled(() => ask(false)) : first;
    if (this.#look && isAlone && this.#tally.open === 1) agree(await this.#look(), before);
    if (answer.status === 200) return { ...answer.json() as Explanation, isBlind: answer !== first };
    // The explanation is a page of the proxy's own: pages of other sites may ask for less there.
    return isOfPage(fields) ? this.#leave("a page of another site may not ask") : answer.status;
  }

  /** Waits for the line in the log, so that it is not taken for that of the request. */
  async #settled(ask: () => Promise<Answer>): Promise<Answer> {
    const entries = this.#look ? undefined : new Entries(this.#asked);
    const answer = await ask();
    await entries?.read(1).catch(() => undefined);
    return answer;
  }

  #leaveAnswer(reason: string, answer: Answer): Answer {
    this.#leave(reason);
    return answer;
  }

  #leave(reason: string): undefined {
    this.#tally.left.set(reason, (this.#tally.left.get(reason) ?? 0) + 1);
  }

  #compare(line: string, told: Told, answer: Answer, log: Entry[] | undefined): void {
    const isRefused = isRefusal(answer);
    const { allowed, rule, reason } = told.verdict;
    if (rule === "own") return this.#leave("the proxy answers itself");
    // It says that it does not know, and why; so what is refused is refused for its addresses, or for want of them.
    if (rule === "not_looked_up") {
      expect({ line, told }).toMatchObject({ told: { isBlind: true } });
      expect(reason).toMatch(/^Depends: .*it was not resolved/);
      expect({ line, status: answer.header("proxy-status") ?? "" })
        .toMatchObject({ status: isRefused ? expect.stringMatching(BY_ADDRESSES) : expect.anything() });
    } else agree({ line, told, allowed }, { line, told, allowed: !isRefused });
    const [entry] = log ?? [];
    if (entry && told.chosen !== null) {
      expect([told.chosen, new URL(told.target ?? "").host]).toEqual([entry["selector"], entry["target"]]);
    }
    this.#tally.compared += 1;
  }

  /** Compares the record with what was said: a line for each hop, and what is said of the first one. */
  #compareRecord(line: string, told: Told, answer: Answer, decided: readonly Decision[]): void {
    const { verdict: { rule }, chosen, target, entry } = told;
    const isRefused = isRefusal(answer);
    const last = decided.at(-1)?.verdict;
    const sent = decided.find(({ verdict }) => verdict === "would_refuse")?.verdict ?? "allowed";
    agree({ line, last }, { line, last: isRefused ? "refused" : rule === "own" ? undefined : sent });
    const isKnown = rule !== "own" && rule !== "not_looked_up" && !isJudgedBefore(told, decided[0]);
    for (const first of isKnown ? decided.slice(0, 1) : []) {
      const said = target === null ? undefined : new URL(target);
      agree({ line, ...first, reason: first.reason }, {
        line,
        ...first,
        reason: undefined,
        ...verdictOf(told),
        ...said && first.host !== undefined && { selector: chosen, host: said.host },
        ...entry && { entry: entry.name },
      });
      this.#tally.recorded += 1;
    }
  }

  /** Asks about each later hop, and compares that with its line of the record. */
  async #compareLater(decided: readonly Decision[], options: CallOptions): Promise<void> {
    if (JSON.stringify(options.fields ?? {}).includes("{{")) return this.#leave("a key that stays behind");
    let passed = decided.find(({ verdict }) => verdict === "would_refuse");
    for (const { method, scheme, host, path, ...hop } of decided.slice(1)) {
      const url = encodeURIComponent(`${scheme}://${host}${path}`);
      const then = await this.#explain(`${method} /__proxy__/?url=${url}`, { ...options, body: "" });
      if (typeof then !== "object" || then.verdict.rule === "not_looked_up") continue;
      // What was let pass holds for the hops behind it.
      const said = then.verdict.allowed && !then.verdict.wouldRefuse && passed ? passed : verdictOf(then);
      if (hop.verdict === "would_refuse") passed = { ...hop, method };
      agree({ url, ...pickVerdict(hop) }, { url, ...pickVerdict(said) });
      this.#tally.hops += 1;
    }
  }

  /** Asks about the address that the target's redirect leads to, and compares that with the refusal. */
  async #compareHop(line: string, options: CallOptions, told: Explanation, answer: Answer): Promise<void> {
    const hop = findRefusedHop(told, answer);
    // Then the record alone knows the address.
    if (hop === undefined) return;
    const [method = "GET"] = line.split(" ");
    const url = `/__proxy__/?url=${encodeURIComponent(hop)}`;
    const then = await this.#explain(`${method === "HEAD" ? method : "GET"} ${url}`, {
      ...options,
      body: "",
    });
    if (typeof then !== "object") return;
    const { allowed, rule, reason } = then.verdict;
    const isKnown = rule !== "not_looked_up";
    expect({ line, hop, reason, refused: isKnown && !allowed }).toMatchObject({ refused: isKnown });
    // It gives the very reason.
    expect(answer.text).toContain(isKnown ? reason : new URL(hop).host);
    this.#tally.compared += 1;
    this.#tally.hops += 1;
  }
}

/** What the record has to say of what was explained. */
function verdictOf({ verdict: { allowed, wouldRefuse, rule, reason } }: Explanation) {
  const isOpen = allowed && !wouldRefuse;
  return isOpen
    ? { rule, verdict: "allowed" }
    : { rule, verdict: allowed ? "would_refuse" : "refused", reason };
}

/** `expect` with `toEqual`, which takes longer than most requests: only for what differs. */
export function agree(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

/** What a line says of its decision. */
export function pickVerdict({ rule, verdict, reason }: { rule: string; verdict: string; reason?: string }) {
  return { rule, verdict, reason };
}

/** True if the addresses of a target refuse it, which is so before what was explained without them does. */
function isJudgedBefore({ isBlind, verdict }: Told, first: Decision | undefined): boolean {
  const isByAddress = (reason = "") => reason.startsWith("Cannot reach ");
  return isBlind && !verdict.allowed && isByAddress(first?.reason) && !isByAddress(verdict.reason);
}

/** True for a refusal by the proxy itself. */
function isRefusal(answer: Answer): boolean {
  return OWN_REFUSAL.test(answer.header("proxy-status") ?? "");
}

/** The address in the chain of redirects that the refusal names; targets of the tests have it in their own address. */
function findRefusedHop({ target }: Explanation, answer: Answer): string | undefined {
  let at = target ?? "";
  for (let hops = 0; hops < MOST_HOPS; hops += 1) {
    const { pathname, search } = new URL(at);
    const { location } = answerPath(pathname + search);
    if (location === undefined || !URL.canParse(location, at)) return undefined;
    at = new URL(location, at).href;
    if (answer.text.includes(new URL(at).host)) return at;
  }
  return undefined;
}

/** True for what only browsers send for pages. */
function isOfPage(fields: readonly Header[]): boolean {
  return fields.some(([name, value]) => /^(?:origin|sec-fetch-site)$/i.test(name) && value !== "none");
}

/** True for a path that goes through a parameter unchanged. */
function isPlain(path: string): boolean {
  return /^\/[\x21-\x7e]*$/.test(path) && !path.includes("#");
}

/** Nothing so far. */
export function makeTally(): Tally {
  return { compared: 0, hops: 0, recorded: 0, open: 0, calls: 0, left: new Map() };
}

/** Two proxies of the same settings, each with a record of its own: the first one is for requests, the other one for questions. */
export function makeTwo(settings: Settings, make: (own: Settings) => Shared): readonly [Shared, Shared] {
  const name = JSON.stringify(settings);
  const inner = make({ ...settings, AUDIT: `record of ${name}` });
  return [inner, settings.SIGNING_KEY ? make({ ...settings, AUDIT: `questions of ${name}` }) : inner];
}

/** Declares the test that so many requests were compared. */
export function expectCompared(tally: Tally, least: number): void {
  it(`compared at least ${least} requests`, () =>
    expect(tally.compared, `left out: ${JSON.stringify([...tally.left])}`).toBeGreaterThanOrEqual(least));
}

/** Declares the test that so many decisions were recorded as they were explained. */
export function expectRecorded(tally: Tally, least: number): void {
  it(`recorded at least ${least} decisions as it explains them`, () =>
    expect(tally.recorded).toBeGreaterThanOrEqual(least));
}

/** Declares the test that so many of them were refused at a later hop. */
export function expectHops(tally: Tally, least: number): void {
  it(`compared at least ${least} hops behind a redirect`, () =>
    expect(tally.hops).toBeGreaterThanOrEqual(least));
}
