/**
 * A minimal AbortController, at a tenth of the cost.
 * @module
 */

/** The part of an `AbortSignal` that is used; every `AbortSignal` fits. */
export interface Signal {
  /** True once the request has been aborted. */
  readonly aborted: boolean;
  /** The reason; `undefined` before the abort. */
  readonly reason: unknown;
  /** Calls the listener on abort; never if the signal is already aborted. */
  addEventListener(type: "abort", listener: () => void, options?: { once: boolean }): void;
  /** Removes the listener. */
  removeEventListener(type: "abort", listener: () => void): void;
}

/** A signal that its owner aborts. */
export class Cancellation implements Signal {
  aborted = false;
  reason: unknown = undefined;
  /** Most signals have one listener. */
  #first: (() => void) | undefined;
  #others: Set<() => void> | undefined;

  /** Calls all listeners. Only the first call counts. */
  abort(reason: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.#first?.();
    for (const listener of this.#others ?? []) listener();
    this.#first = undefined;
    this.#others = undefined;
  }

  addEventListener(_type: "abort", listener: () => void): void {
    if (this.aborted || this.#first === listener) return;
    if (this.#first) (this.#others ??= new Set()).add(listener);
    else this.#first = listener;
  }

  removeEventListener(_type: "abort", listener: () => void): void {
    if (this.#first === listener) this.#first = undefined;
    else this.#others?.delete(listener);
  }
}

/** Converts the signal for `fetch`. */
export function toAbortSignal(signal: Signal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  const controller = new AbortController();
  const abort = () => controller.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return controller.signal;
}
