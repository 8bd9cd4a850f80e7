/**
 * Adapts a request of Bun (1.4) for the core. Expensive parts are read once, or only if needed.
 * @module
 */

import { createDeadlines, type Deadline } from "../../core/http/deadlines.ts";
import type { Body } from "../../core/http/body.ts";
import { Cancellation } from "../../core/http/cancellation.ts";
import { Fields } from "../../core/http/fields.ts";
import { takeBody } from "../../core/exchange/web-standard.ts";
import type { Incoming } from "../../core/runtime.ts";

/** Milliseconds until the proxy starts to watch for a closed connection; most responses are complete by then. */
const LOOK_MS = 100;

const looks = createDeadlines(LOOK_MS, true);

/** A Bun request as the core expects it. */
export class BunRequest implements Incoming {
  readonly method: string;
  readonly url: string;
  /** A copy, because look-ups in Bun's `Headers` cost more. */
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
    // A body that Bun refuses midway must not be forwarded as complete.
    if (this.body) this.signal.watch();
  }
}

/** Reports that the client closed the connection. Bun's signal costs 3 µs, so it is read only for slow responses. */
export class CallerSignal extends Cancellation {
  readonly #request: Request;
  readonly #look: Deadline;
  #isWatched = false;

  constructor(request: Request) {
    super();
    this.#request = request;
    this.#look = looks.start(() => this.watch());
  }

  /** Aborts when the client closes the connection, or at once if it already has. */
  watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    this.#look.stop();
    const { signal } = this.#request;
    const abort = () => this.abort(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  }

  /** Stops watching: the response is complete. */
  stop(): void {
    this.#look.stop();
  }
}
