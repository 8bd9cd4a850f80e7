/**
 * Deadlines of one length: with one timer for them all, however many run, or with one for each.
 * @module
 */

/** A time in which something must happen. */
export interface Deadline {
  /** Runs from now on, for its whole length. */
  start(): void;
  /** Does not run any more, until it is started again. */
  stop(): void;
}

/** Deadlines of one length. */
export interface Deadlines {
  /**
   * Starts another one.
   *
   * @param expire called when it is over
   */
  start(expire: () => void): Deadline;
}

/**
 * Makes deadlines.
 *
 * @param ms milliseconds; with 0 none is ever over
 * @param isShared whether one timer may serve them all, which costs less; not where timers end with the request that set them
 */
export function createDeadlines(ms: number, isShared: boolean): Deadlines {
  return isShared ? new SharedDeadlines(ms) : { start: (expire) => startTimer(ms, expire) };
}

function startTimer(ms: number, expire: () => void): Deadline {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const start = () => {
    stop();
    if (ms > 0) timer = setTimeout(expire, ms);
  };
  start();
  return { start, stop };
}

/** One of many. */
class SharedDeadline implements Deadline {
  readonly #all: SharedDeadlines;
  readonly expire: () => void;
  /** When it is over, by `performance.now()`. */
  due = 0;
  /** Its neighbours while it runs, in the order in which they are over. */
  before: SharedDeadline | undefined;
  after: SharedDeadline | undefined;
  isRunning = false;

  constructor(all: SharedDeadlines, expire: () => void) {
    this.#all = all;
    this.expire = expire;
  }

  start(): void {
    this.#all.append(this);
  }

  stop(): void {
    this.#all.remove(this);
  }
}

/** Begun later is over later, so a list is all that it takes. */
class SharedDeadlines implements Deadlines {
  readonly #ms: number;
  #first: SharedDeadline | undefined;
  #last: SharedDeadline | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  start(expire: () => void): Deadline {
    const deadline = new SharedDeadline(this, expire);
    this.append(deadline);
    return deadline;
  }

  /** Puts a deadline at the end of the list. */
  append(deadline: SharedDeadline): void {
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
  remove(deadline: SharedDeadline): void {
    if (!deadline.isRunning) return;
    this.#unlink(deadline);
    if (this.#first) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #unlink(deadline: SharedDeadline): void {
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

/** The times in which a target must answer, and in which a body must go on. */
export type Times = Readonly<Record<"answer" | "idle", Deadlines>>;
