/**
 * Time limits that many requests share: one timer for all of them, because a timer each would cost more than a step.
 * @module
 */

/** The time that one request has. */
export class Deadline {
  /** When it is over, by `performance.now()`. */
  due = 0;
  readonly #deadlines: Deadlines;
  readonly #expire: () => void;
  #isOver = false;

  constructor(deadlines: Deadlines, expire: () => void) {
    this.#deadlines = deadlines;
    this.#expire = expire;
  }

  /** Lets the whole time run anew, until it is paused or stopped. */
  start(): void {
    if (!this.#isOver) this.#deadlines.add(this);
  }

  pause(): void {
    this.#deadlines.remove(this);
  }

  /** Stops it for good. */
  stop(): void {
    this.pause();
    this.#isOver = true;
  }

  /** Ends it, because its time is over. */
  expire(): void {
    this.stop();
    this.#expire();
  }
}

/** Deadlines of one length. */
export class Deadlines {
  readonly #ms: number;
  /** In the order in which they are due: all are equally long, and one that runs anew goes to the end. */
  readonly #running = new Set<Deadline>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param ms milliseconds; 0 for ever */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /** Lets a deadline run, from now on. */
  add(deadline: Deadline): void {
    if (this.#ms <= 0) return;
    this.#running.delete(deadline);
    this.#running.add(deadline);
    deadline.due = performance.now() + this.#ms;
    this.#timer ??= setTimeout(() => this.#check(), this.#ms);
  }

  /** Takes it out. Nothing that waits for nobody keeps a process alive. */
  remove(deadline: Deadline): void {
    this.#running.delete(deadline);
    if (this.#running.size === 0) this.#rest();
  }

  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #check(): void {
    this.#rest();
    for (const deadline of this.#running) {
      const left = deadline.due - performance.now();
      if (left > 0) {
        this.#timer ??= setTimeout(() => this.#check(), left);
        return;
      }
      deadline.expire();
    }
  }
}
