/**
 * Callers that send each message in its own alphabet, and check that its answer comes in its own.
 * @module
 */
import { once } from "node:events";
import { Agent, type ClientRequest, type IncomingMessage, request as ask } from "node:http";
import { Agent as SecureAgent, request as askSecurely } from "node:https";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { argOf } from "../arg.ts";
import { open, request as requestBytes } from "../client.ts";
import type { Proxy } from "../proxy.ts";
import { join } from "../websocket.ts";
import { bytesOf, foreignTags, StreamReader, tagOf } from "./alphabet.ts";
import { answerStream, pipelineOf, type Plan, planOf, requestStream } from "./plan.ts";
import { cutOff, drink, pour } from "./pour.ts";
import { talk } from "./talk.ts";
import type { Tally } from "./tally.ts";
import type { OwnTarget } from "./target.ts";

const PATIENCE_MS = 30_000;

/** What all callers of a proxy share. */
export interface Place {
  proxy: Pick<Proxy, "port">;
  targets: readonly OwnTarget[];
  tally: Tally;
  /** Whether the proxy speaks TLS. */
  tls: boolean;
}

/** A caller with a connection that it keeps. */
export class OwnCaller {
  readonly #place: Place;
  readonly #agent: Agent;

  constructor(place: Place) {
    this.#place = place;
    this.#agent = place.tls
      ? new SecureAgent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false })
      : new Agent({ keepAlive: true, maxSockets: 1 });
  }

  /** Sends a message and takes what comes of it. */
  async send(message: number): Promise<void> {
    const plan = planOf(message);
    const { tally } = this.#place;
    const late = new AbortController();
    const limit = sleep(PATIENCE_MS, undefined, late).then(
      () => tally.tell(plan, "it does not end"),
      () => {},
    );
    const failed = (error: Error) => tally.tell(plan, error.message);
    await Promise.race([this.#carry(plan).then(() => tally.done(plan), failed), limit]);
    late.abort();
  }

  async #carry(plan: Plan): Promise<void> {
    if (plan.kind === "pipeline") await this.#pipeline(pipelineOf(plan.message));
    else if (plan.kind === "websocket") await this.#join(plan);
    else await this.#ask(plan);
  }

  close(): void {
    this.#agent.destroy();
  }

  async #ask(plan: Plan): Promise<void> {
    const { proxy, tls, tally } = this.#place;
    const outgoing = (tls ? askSecurely : ask)({
      host: "127.0.0.1",
      port: proxy.port,
      rejectUnauthorized: false,
      agent: plan.isFresh ? false : this.#agent,
      ...this.#address(plan),
    });
    const answered = this.#answer(outgoing);
    await this.#upload(outgoing, plan);
    const answer = await answered;
    if (!(answer instanceof Error)) return await this.#read(answer, plan);
    if (!tally.hasFailed(plan)) tally.tell(plan, `no answer came: ${answer.message}`);
  }

  /** Its answer, or why none comes. */
  #answer(outgoing: ClientRequest): Promise<IncomingMessage | Error> {
    return new Promise((resolve) => {
      outgoing.once("response", resolve);
      outgoing.on("error", resolve);
      outgoing.once("close", () => resolve(new Error("closed")));
    });
  }

  async #upload(
    outgoing: ClientRequest,
    { message, upload, uploadBytes, selector, fault }: Plan,
  ): Promise<void> {
    // The address has it.
    if (selector === "arg" || uploadBytes === 0) return void outgoing.end();
    if (upload === "expect") {
      outgoing.flushHeaders();
      await Promise.race(["continue", "close", "error"].map((name) => once(outgoing, name))).catch(() => {});
    }
    const isCut = fault === "caller resets";
    await pour(outgoing, requestStream(message), isCut ? uploadBytes >> 1 : uploadBytes);
    if (!isCut) return void outgoing.end();
    if (!outgoing.socket) await once(outgoing, "socket");
    cutOff(outgoing.socket);
  }

  async #read(answer: IncomingMessage, plan: Plan): Promise<void> {
    const { tally } = this.#place;
    const { message, answerBytes, framing, fault } = plan;
    const own = tagOf(message, "a");
    this.#check(plan, `${answer.statusMessage}\n${answer.rawHeaders.join("\n")}`);
    if (answer.headers["x-own"] !== own) {
      const body = await text(answer).catch(({ message }: Error) => message);
      if (!tally.hasFailed(plan)) tally.tell(plan, `the answer is ${answer.statusCode} ${body}`);
      return;
    }
    const reader = new StreamReader(answerStream(message), (text) => tally.tell(plan, text));
    if (fault === "caller cancels") answer.once("data", () => void setImmediate(() => answer.destroy()));
    if (fault === "caller resets") answer.once("data", () => cutOff(answer.socket));
    await drink(answer, reader, plan.isSlow);
    tally.bytes += reader.size;
    const isWhole = answer.complete && reader.size === answerBytes;
    if (!isWhole && fault === undefined) tally.tell(plan, `the caller got ${reader.size} bytes, ${framing}`);
  }

  /** Writes several requests at once, and reads their answers in order. */
  async #pipeline(plans: readonly Plan[]): Promise<void> {
    const { proxy, tls, tally } = this.#place;
    const connection = await open(proxy.port, { tls });
    connection.write(Buffer.concat(plans.map((plan) => {
      const { method, path, headers } = this.#address(plan);
      return requestBytes(method, path, headers);
    })));
    for (const plan of plans) {
      const answer = await connection.answer("GET", PATIENCE_MS);
      this.#check(plan, answer.head);
      const reader = new StreamReader(answerStream(plan.message), (text) => tally.tell(plan, text));
      reader.take(answer.body);
      tally.bytes += reader.size;
      if (
        answer.ended !== "end" || answer.header("x-own") !== tagOf(plan.message, "a") ||
        reader.size !== plan.answerBytes
      ) {
        tally.tell(plan, `the caller got ${answer.status}, ${reader.size} bytes, ${answer.ended}`);
      }
    }
    connection.destroy();
  }

  async #join(plan: Plan): Promise<void> {
    const { proxy, tls, tally } = this.#place;
    const { message, fault } = plan;
    const { path, headers } = this.#address(plan);
    const { caller, head } = await join(proxy.port, path, headers, { tls });
    this.#check(plan, head.head);
    await talk(caller, {
      plan,
      tally,
      out: requestStream(message),
      in: answerStream(message),
      end: fault === "caller resets"
        ? "reset"
        : fault === "caller cancels"
        ? "close"
        : fault
        ? "wait"
        : "whole",
    });
  }

  #check(plan: Plan, head: string): void {
    const foreign = foreignTags(head, tagOf(plan.message, "a"));
    if (foreign.length > 0) this.#place.tally.tell(plan, `the answer has ${foreign.join(", ")}`);
  }

  /** How it names the target. */
  #address(plan: Plan): { method: string; path: string; headers: Record<string, string> } {
    const { message, selector, framing, upload, uploadBytes } = plan;
    const { proxy, targets } = this.#place;
    const { origin, label } = targets[plan.target]!;
    const own = tagOf(message, "q");
    const method = framing === "HEAD" ? "HEAD" : uploadBytes > 0 ? "POST" : "GET";
    const path = `/${message}`;
    const host = `127.0.0.1:${proxy.port}`;
    const fields = { "x-own": own, Cookie: `own=${own}` };
    if (selector === "arg") {
      const body = uploadBytes > 0
        ? bytesOf(requestStream(message), 0, uploadBytes).toString("latin1")
        : undefined;
      const argument = { url: origin + path, method, headers: fields, body };
      return { method: "GET", path: `/__proxy__/fetch?arg=${argOf(argument)}`, headers: { Host: host } };
    }
    const framed: Record<string, string> = uploadBytes === 0
      ? {}
      : upload === "chunked"
      ? { "Transfer-Encoding": "chunked" }
      : { "Content-Length": String(uploadBytes) };
    if (upload === "expect") framed["Expect"] = "100-continue";
    const all = { Host: host, ...fields, ...framed };
    if (selector === "header") return { method, path, headers: { ...all, proxy_host: origin } };
    if (selector === "cookie") {
      return { method, path, headers: { ...all, Cookie: `proxy_host=${origin}; own=${own}` } };
    }
    if (selector === "label") {
      return { method, path, headers: { ...all, Host: `${label}.w.localhost:${proxy.port}` } };
    }
    return { method, path: `/__proxy__/?url=${encodeURIComponent(origin + path)}`, headers: all };
  }
}
