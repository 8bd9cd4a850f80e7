/**
 * The sender for Node, Deno and Bun: HTTP/1.1 with raw bytes, exact path, any method, and checked addresses only.
 *
 * `node:http` on Node and `fetch` on Deno cost twice as much per request. Each client also has faults: Bun and Deno
 * resend requests that met a closing connection, accept some truncated bodies, and change methods and paths.
 * @module
 */

import type { Buffer } from "node:buffer";
import { clearImmediate, setImmediate } from "node:timers";
import type { Outgoing, Send, Upstream } from "../../core/runtime.ts";
import type { Fields } from "../../core/http/fields.ts";
import { FlowBody } from "../../core/http/flow.ts";
import type { Patience } from "../../core/http/flow-queue.ts";
import type { Connection } from "./connection.ts";
import { ConnectionPool } from "./pool.ts";
import type { RoundTripEvents } from "./round-trip-events.ts";
import { atTurnEnd, type TurnWatch } from "../turn.ts";
import type { Upload } from "./upload.ts";
import type { Connect } from "../contract.ts";
import { connectNode } from "../wire-node.ts";

/**
 * Waits until the next turn of the event loop has read the connections: many servers send the head and the body of a
 * short response separately.
 */
const A_TURN: Patience = {
  maxBytes: 65_536,
  joinedBytes: 65_536,
  wait(expire) {
    let immediate = setImmediate(() => (immediate = setImmediate(expire)));
    return { stop: () => clearImmediate(immediate) };
  },
};

/** Options of the sender: how it connects, and how it adapts responses to a server. */
export interface HttpSenderOptions {
  connect?: Connect;
  /** When to buffer a body instead of streaming it. */
  patience?: Patience;
  /** Adapts a response to the server. `upload` is present while the request body is still being sent. */
  finish?: (response: Upstream, upload?: Upload) => Upstream | Promise<Upstream>;
}

/** Makes the response of a connection that has switched protocols; `rest` is the first data of the new one. */
export type Switch = (connection: Connection, headers: Fields, rest: Buffer) => Upstream;

/** Makes a sender that keeps its connections for later requests. */
export function createHttpSender(options: HttpSenderOptions = {}): Send {
  return createSending(options, true);
}

/**
 * Makes a function that sends a request on the connection bound to its caller, an idle one or a new one. It settles with the
 * response headers; a response without a streamed body is delivered at the end of the turn, together with all others.
 *
 * @param keeps false to keep only connections that are bound to a caller
 */
export function createSending(
  { connect = connectNode, patience = A_TURN, finish }: HttpSenderOptions,
  keeps: boolean,
): (outgoing: Outgoing, onSwitch?: Switch) => Promise<Upstream> {
  const pool = new ConnectionPool(connect, patience, keeps);
  return (outgoing, onSwitch) =>
    new Promise((resolve, reject) => {
      const { signal } = outgoing;
      if (signal.aborted) reject(signal.reason);
      else new Sending({ pool, outgoing, finish, onSwitch, resolve, reject }).begin(false);
    });
}

/** A request, and the callbacks that wait for its response. */
interface Task extends Pick<HttpSenderOptions, "finish"> {
  readonly pool: ConnectionPool;
  readonly outgoing: Outgoing;
  readonly onSwitch: Switch | undefined;
  readonly resolve: (response: Upstream | Promise<Upstream>) => void;
  readonly reject: (failure: unknown) => void;
}

/** A request on its way. */
class Sending implements RoundTripEvents, TurnWatch {
  readonly #task: Task;
  #connection!: Connection;
  #response!: Upstream | Promise<Upstream>;

  constructor(task: Task) {
    this.#task = task;
  }

  /** @param isAgain true for the second and last try, which uses a new connection */
  begin(isAgain: boolean): void {
    const { pool, outgoing } = this.#task;
    const connection = pool.take(outgoing, isAgain);
    this.#connection = connection;
    if (connection.isKept) outgoing.watch?.onReused(connection, connection.tls);
    const isUnasked = outgoing.continuation && pool.isOld(connection);
    connection.run(isUnasked ? { ...outgoing, continuation: undefined } : outgoing, this);
  }

  onAgain(): void {
    try {
      this.begin(true);
    } catch (failure) {
      this.reject(failure);
    }
  }

  reject(failure: unknown): void {
    this.#task.reject(failure);
  }

  resolve(response: Upstream, upload?: Upload): void {
    const { finish } = this.#task;
    this.#response = finish ? finish(response, upload) : response;
    if (response.body instanceof FlowBody) this.onTurnEnd();
    else atTurnEnd(this);
  }

  onTurnEnd(): void {
    this.#task.resolve(this.#response);
  }

  onOver(idleMs: number): void {
    this.#task.pool.giveBack(this.#connection, this.#task.outgoing, idleMs);
  }

  onSwitch(headers: Fields, rest: Buffer): void {
    const { onSwitch, resolve } = this.#task;
    if (!onSwitch) throw Object.assign(new Error("unexpected upgrade"), { code: "UnrequestedUpgrade" });
    resolve(onSwitch(this.#connection, headers, rest));
  }
}
