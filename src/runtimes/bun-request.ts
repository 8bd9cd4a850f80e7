/**
 * A request as Bun (1.4) hands it in, for the core: what costs much is asked for once, or only where it is needed.
 * @module
 */

import { createDeadlines, type Deadline } from "../deadlines.ts";
import { type Body, Cancellation, Fields, type Incoming } from "../index.ts";

/** Who leaves is noticed after this many milliseconds at the latest; most answers are there by then. */
const LOOK_MS = 100;

const looks = createDeadlines(LOOK_MS, true);

/** The request for the core. */
export class BunRequest implements Incoming {
  readonly method: string;
  readonly url: string;
  /** Copied once: a look into the `Headers` of Bun costs more than one into these. */
  readonly headers: Fields = new Fields();
  readonly signal: CallerSignal;
  readonly #request: Request;

  constructor(request: Request) {
    this.method = request.method;
    this.url = request.url;
    request.headers.forEach((value, name) => this.headers.append(name, value));
    this.signal = new CallerSignal(request);
    this.#request = request;
  }

  get body(): Body {
    return this.#request.body;
  }
}

/** Tells of a caller who leaves. The signal of Bun, which costs 3 µs, is asked for when the answer takes its time. */
export class CallerSignal extends Cancellation {
  readonly #request: Request;
  readonly #look: Deadline;

  constructor(request: Request) {
    super();
    this.#request = request;
    this.#look = looks.start(() => this.watch());
  }

  /** Aborts when the caller leaves, or at once where it has. */
  watch(): void {
    this.#look.stop();
    const { signal } = this.#request;
    const abort = () => this.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  }

  /** The answer is whole: who leaves now changes nothing. */
  stop(): void {
    this.#look.stop();
  }
}
