/**
 * Deadlines of one length: one timer for them all, however many run.
 * @module
 */

/** A time in which something must happen. */
export class Deadline {
  readonly #all: Deadlines;
  readonly expire: () => void;
  /** When it is over, by `performance.now()`. */
  due = 0;
  /** Its neighbours while it runs, in the order in which they are over. */
  before: Deadline | undefined;
  after: Deadline | undefined;
  isRunning = false;

  constructor(all: Deadlines, expire: () => void) {
    this.#all = all;
    this.expire = expire;
  }

  /** Runs from now on, for its whole length. */
  start(): void {
    this.#all.append(this);
  }

  /** Does not run any more, until it is started again. */
  stop(): void {
    this.#all.remove(this);
  }
}

/** Begun later is over later, so a list is all that it takes. */
export class Deadlines {
  readonly #ms: number;
  #first: Deadline | undefined;
  #last: Deadline | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param ms milliseconds; with 0 none is ever over */
  constructor(ms: number) {
    this.#ms = ms;
  }

  /**
   * Starts another one.
   *
   * @param expire called when it is over
   */
  start(expire: () => void): Deadline {
    const deadline = new Deadline(this, expire);
    this.append(deadline);
    return deadline;
  }

  /** Puts a deadline at the end of the list. */
  append(deadline: Deadline): void {
    if (this.#ms <= 0) return;
    if (deadline.isRunning) this.#unlink(deadline);
    deadline.isRunning = true;
    deadline.due = performance.now() + this.#ms;
    deadline.before = this.#last;
    if (this.#last) this.#last.after = deadline;
    else this.#first = deadline;
    this.#last = deadline;
    this.#timer ??= setTimeout(() => this.#check(), this.#ms);
  }

  /** Takes a deadline off the list. */
  remove(deadline: Deadline): void {
    if (!deadline.isRunning) return;
    this.#unlink(deadline);
    if (this.#first) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #unlink(deadline: Deadline): void {
    const { before, after } = deadline;
    if (before) before.after = after;
    else this.#first = after;
    if (after) after.before = before;
    else this.#last = before;
    deadline.before = undefined;
    deadline.after = undefined;
    deadline.isRunning = false;
  }

  #check(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (let first = this.#first; first; first = this.#first) {
      if (first.due > now) {
        this.#timer = setTimeout(() => this.#check(), first.due - now);
        return;
      }
      this.#unlink(first);
      first.expire();
    }
  }
}
