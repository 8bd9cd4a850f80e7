/**
 * Proxies beside those of a suite: each of its cases is put to them too, with entries for its target that sign, that allow
 * nothing, or both, each with and without `GATE=report`. Record, explanation and what happened have to agree.
 * @module
 */
import { expect, it } from "vitest";
import type { Explanation } from "../../src/parts/explain/explain.ts";
import type { Verdict } from "../../src/parts/explain/verdict.ts";
import type { CallOptions } from "./client.ts";
import type { NameTable } from "./dns.ts";
import { agree, Explained, makeTally, makeTwo, pickVerdict, type Put } from "./explained.ts";
import { InjectedNetwork } from "./injected-network.ts";
import { Pool, type Shared } from "./pool.ts";
import type { RuntimeName, Settings } from "./proxy.ts";
import { type Decision, readDecisions, recordOf } from "./recorded.ts";
import type { Heard } from "./sentinel.ts";
import { Member, World } from "./world.ts";

const SECRET = "wJalrXUtnFEMI/K7MDENG+secret";
const KEY_ID = "AKIDBESIDE";
const SIGNATURE = `AWS4-HMAC-SHA256 Credential=${KEY_ID}/`;
const SIGN = { aws: { region: "eu-central-1", service: "s3", key: KEY_ID, secret: "{{BESIDE_SECRET}}" } };

/** Members of an entry. */
interface Members {
  sign?: typeof SIGN;
  requests?: readonly string[];
}

/** What the entry of the target has in addition. */
const MEMBERS: readonly Members[] = [{ sign: SIGN }, { sign: SIGN, requests: [] }];
const NO_MEMBERS: readonly Members[] = [{}];

/** What the table and callers' tokens refuse. */
const PARDONED =
  /in (?:methods|paths|requests) of |in targets of the caller|below the paths that are allowed|rate of the caller/;
/** What a request that gets no key does not meet (rule 22.19). */
const OF_KEYS = /^Cannot (?:place|use the key of) /;

/** Of a request that was not explained. */
const NOT_TOLD: Verdict = { allowed: true, rule: "own", reason: "" };

/** What one proxy has decided about a request, and sent. */
interface Done {
  decided: Decision[];
  heard: Heard[];
  dialled: number;
}

/** Proxies with an own network, in which something answers at each address. */
export class Beside {
  readonly network = new InjectedNetwork("beside a suite", true);
  /** What was explained, compared and recorded; the refusals that were let pass; the requests that were signed. */
  readonly tally = makeTally();
  readonly told = { pardoned: 0, refused: 0, signed: 0, unsigned: 0 };
  readonly #proxies = new Map<string, Promise<Explained>>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor() {
    void this.network.addNames({ localhost: { a: [["127.0.0.1"]] } });
  }

  /** Puts a request to all of them, one request at a time. */
  readonly put: Put = (...request) => {
    const put = () => this.#put(...request);
    const turn = this.#turn.then(put, put);
    this.#turn = turn;
    return turn;
  };

  async #put(...[line, options, settings, told]: Parameters<Put>): Promise<void> {
    const place = told?.target ? hostOf(told.target) : undefined;
    for (const members of place === undefined ? NO_MEMBERS : MEMBERS) {
      const own = { ...settings, BESIDE_SECRET: SECRET, ...extend(settings, place, members) };
      const enforced = await this.#ask(own, line, options);
      const reported = await this.#ask({ ...own, GATE: "report" }, line, options);
      this.#compareModes(enforced.decided, reported.decided);
      for (const done of [enforced, reported]) this.#compareSent(done, place, members);
      // The ticket of a console counts for one proxy.
      if (!JSON.stringify(options).includes("X-Fetchvia-Ticket")) {
        this.#compareWithTold(reported.decided, told, members);
      }
    }
  }

  async #ask(settings: Settings, line: string, options: CallOptions): Promise<Done> {
    const proxy = await this.#start(settings);
    const lines = recordOf(proxy.settings.AUDIT!);
    await this.network.forget();
    await proxy.call(line, options);
    const { connections } = await this.network.look();
    const decided = readDecisions(lines.slice(proxy.recordedBefore));
    return { decided, heard: await this.network.hear(), dialled: connections.length };
  }

  async #start(settings: Settings): Promise<Explained> {
    const key = JSON.stringify(settings);
    const known = this.#proxies.get(key) ?? this.#make(settings);
    this.#proxies.set(key, known);
    return await known;
  }

  async #make(settings: Settings): Promise<Explained> {
    const members: Member[] = [];
    const two = makeTwo(settings, (own) => {
      const member = new Member(this.network, own);
      members.push(member);
      return member;
    });
    for (const member of members) await member.start();
    return new Explained(two, this.tally, () => this.network.look());
  }

  /** With `GATE=report` the first decision is the same, but what the table or a token refuses is let pass. */
  #compareModes([enforced]: Decision[], [reported]: Decision[]): void {
    const isPardoned = enforced?.verdict === "refused" && PARDONED.test(enforced.reason ?? "");
    const isLater = isPardoned && reported?.verdict === "refused";
    const expected = enforced && { ...pickVerdict(enforced), ...isPardoned && { verdict: "would_refuse" } };
    // What is behind the table refuses it still.
    if (!isLater) agree(reported && pickVerdict(reported), expected);
    agree(reported?.verdict === "refused" && PARDONED.test(reported.reason ?? ""), false);
    this.told.pardoned += reported?.verdict === "would_refuse" ? 1 : 0;
    this.told.refused += reported?.verdict === "refused" ? 1 : 0;
  }

  /** What was refused is not sent, all else is; and where nothing was let pass, an entry that signs has signed it. */
  #compareSent({ decided, heard, dialled }: Done, place: string | undefined, { sign }: Members): void {
    const sent = decided.filter(({ verdict }) => verdict !== "refused");
    agree([dialled, heard.length], [sent.length, sent.length]);
    for (const [at, { host, entry, verdict }] of sent.entries()) {
      const isOwn = hostOf(`http://${host}`) === place;
      const isSigned = isOwn && sign !== undefined && verdict === "allowed";
      if (isOwn && sign) agree(entry, place);
      agree({ host, verdict, isSigned: heard[at]!.text.includes(SIGNATURE) }, { host, verdict, isSigned });
      this.told[isSigned ? "signed" : "unsigned"] += 1;
    }
  }

  /** An entry that allows nothing, in GATE=report, adds nothing to what is refused all the same. */
  #compareWithTold([reported]: Decision[], told: Explanation | undefined, { requests }: Members): void {
    const { verdict: { allowed, rule, reason } = NOT_TOLD } = told ?? {};
    // An entry that signs takes a token in more fields (rule 22.22), and other hosts were asked by other proxies.
    const isOther = /^(?:own|not_looked_up|token_missing)$/.test(rule) ||
      reason.includes("Set the host again");
    if (!requests || isOther || PARDONED.test(reason)) return;
    const isRefused = !allowed && !OF_KEYS.test(reason);
    agree({ told, reported, isRefused: reported?.verdict === "refused" }, { told, reported, isRefused });
  }
}

/** The host in an address, as the table names it. */
function hostOf(address: string): string {
  return new URL(address).hostname.replace(/\.$/, "");
}

/** The settings with this entry in the table. */
function extend({ TARGETS = "{}" }: Settings, place: string | undefined, members: Members): Settings {
  if (place === undefined || Object.keys(members).length === 0) return {};
  const table = JSON.parse(TARGETS) as Record<string, { set?: Record<string, string> }>;
  const { set: { authorization: _, ...set } = {}, ...own } = table[place] ?? {};
  return { TARGETS: JSON.stringify({ ...table, [place]: { ...own, set, ...members } }) };
}

/** Declares the test that so many requests to them were let pass, refused by GATE=report too, signed, and sent without a signature. */
export function expectBeside({ tally, told }: Beside, least: Beside["told"]): void {
  it(`recorded what GATE=report and sign do as it explains them: ${JSON.stringify(least)}`, () => {
    const few = Object.entries(least).filter(([name, count]) => told[name as keyof typeof told] < count);
    expect(few, JSON.stringify({ ...told, ...tally, left: [...tally.left] })).toEqual([]);
  });
}

/** A pool of proxies that are asked first. Their log tells which target was chosen. */
export class ExplainedPool extends Pool {
  readonly tally = makeTally();
  readonly beside = new Beside();

  constructor(runtime: RuntimeName) {
    super(runtime, (settings) => Promise.resolve({ LOG: "json", ...settings }));
  }

  override with(settings: Settings = {}): Shared {
    return new Explained(makeTwo(settings, (own) => super.with(own)), this.tally, undefined, this.beside.put);
  }
}

/** The network of the access tests, with proxies that are asked first. */
export class ExplainedWorld extends World {
  readonly tally = makeTally();
  readonly beside = new Beside();

  override with(settings: Settings = {}, name = ""): Shared {
    const two = makeTwo(settings, (own) => super.with(own, name));
    return new Explained(two, this.tally, () => this.seen(), this.beside.put);
  }

  override async names(table: NameTable): Promise<void> {
    await this.beside.network.addNames(table);
    await super.names(table);
  }
}
