/**
 * A request as Bun (1.4) hands it in, for the core: what costs much is asked for once, or only where it is needed.
 * @module
 */

import { createDeadlines, type Deadline } from "../../http/deadlines.ts";
import type { Body } from "../../http/body.ts";
import { Cancellation } from "../../http/cancellation.ts";
import { Fields } from "../../http/fields.ts";
import { takeBody } from "../../exchange/border.ts";
import type { Incoming } from "../../exchange/runtime.ts";

/** Who leaves is noticed after this many milliseconds at the latest; most answers are there by then. */
const LOOK_MS = 100;

const looks = createDeadlines(LOOK_MS, true);

/** The request for the core. */
export class BunRequest implements Incoming {
  readonly method: string;
  readonly url: string;
  /** Copied once: a look into the `Headers` of Bun costs more than one into these. */
  readonly headers: Fields = new Fields();
  fieldBytes = 0;
  readonly body: Body;
  readonly signal: CallerSignal;

  constructor(request: Request) {
    this.method = request.method;
    this.url = request.url;
    request.headers.forEach((value, name) => {
      this.headers.append(name, value);
      this.fieldBytes += name.length + value.length;
    });
    this.body = takeBody(request.body);
    this.signal = new CallerSignal(request);
    // What Bun refuses in the middle of a body must not go out as a whole one.
    if (this.body) this.signal.watch();
  }
}

/** Tells of a caller who leaves. The signal of Bun, which costs 3 µs, is asked for when the answer takes its time. */
export class CallerSignal extends Cancellation {
  readonly #request: Request;
  readonly #look: Deadline;
  #isWatched = false;

  constructor(request: Request) {
    super();
    this.#request = request;
    this.#look = looks.start(() => this.watch());
  }

  /** Aborts when the caller leaves, or at once where it has. */
  watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
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
