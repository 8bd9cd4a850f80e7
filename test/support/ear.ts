/**
 * Listens to what the targets of a proxy with keys are sent, and to what the proxy says.
 * @module
 */
import { expect } from "vitest";
import { base64 } from "./arg.ts";
import type { Answer, CallOptions } from "./client.ts";
import { pairsOf } from "./http.ts";
import { BOUND, findSecrets, isBound, type Stage } from "./keys.ts";
import { Shared } from "./pool.ts";
import type { Heard } from "./sentinel.ts";
import type { World } from "./world.ts";

/** The proxy with the keys, as callers of a stage ask it. */
export class Keeper extends Shared {
  readonly #inner: Shared;
  readonly #stage: Stage;

  constructor(world: World, stage: Stage) {
    super(stage.settings);
    this.#inner = world.with(stage.settings, "sentinel");
    this.#stage = stage;
  }

  /** The member of the network. */
  get inner(): Shared {
    return this.#inner;
  }

  override get port(): number {
    return this.#inner.port;
  }

  override get origin(): string {
    return this.#inner.origin;
  }

  override call(line: string, options: CallOptions = {}): Promise<Answer> {
    const fields = [...pairsOf(options.fields ?? {}), ...Object.entries(this.#stage.fields)];
    return this.#inner.call(line, { ...options, fields });
  }
}

/** Judges each answer, and at the end all that the proxy wrote. */
export class Ear {
  readonly #world: World;
  readonly #proxy: Keeper;

  constructor(world: World, proxy: Keeper) {
    this.#world = world;
    this.#proxy = proxy;
  }

  /** What the targets heard; fails where a stranger, or the caller, got a key. */
  async judge(answer: Answer): Promise<Heard[]> {
    const heard = await this.#world.heard();
    expect(heard.filter((one) => !isBound(one)).flatMap(({ text }) => findSecrets(text))).toEqual([]);
    // What the target itself says is its own: the bound one repeats its query there.
    const own = answer.text.startsWith("seen ") ? "" : answer.text;
    expect(findSecrets(answer.head + own)).toEqual([]);
    return heard;
  }

  /** Sends and judges. */
  async send(line: string, options: CallOptions = {}): Promise<Heard[]> {
    return await this.judge(await this.#proxy.call(line, options));
  }

  /** Looks through pages, metrics, live traffic, log, stderr and the command line. */
  async end(): Promise<void> {
    const pages = ["metrics", "", "nope", `?host=http://${BOUND}`];
    const answers = [];
    for (const page of pages) answers.push(await this.#proxy.call(`GET /__proxy__/${page}`));
    answers.push(await this.#proxy.call("GET /__proxy__/traffic", { timeout: 500 }));
    const said = [
      ...answers.map(({ head, text }) => head + text),
      await this.#world.outputOf(this.#proxy.inner),
    ];
    expect(said.flatMap(findSecrets)).toEqual([]);
  }
}

/** The value of `proxy_headers`. */
export function headersOf(fields: Record<string, string>): string {
  return base64(JSON.stringify(fields)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
