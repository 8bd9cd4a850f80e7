/**
 * Timeouts of equal length that share one timer, or have one each; and how a stall is seen.
 * @module
 */

/** A timeout. */
export interface Deadline {
  /** Starts, or restarts, the timeout. */
  start(): void;
  /** Stops the timeout until it is started again. */
  stop(): void;
}

/** Timeouts of equal length. */
export interface Deadlines {
  /**
   * Starts another timeout.
   *
   * @param expire called when the timeout expires
   */
  start(expire: () => void): Deadline;
}

/**
 * Makes timeouts of equal length.
 *
 * @param ms milliseconds; 0 for no timeout
 * @param isShared whether all share one timer, which is cheaper; not if timers end with the request that set them
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

/** A timer. In some runtimes `unref` lets the process end before it. */
type Timer = ReturnType<typeof setTimeout> & { ref?(): unknown; unref?(): unknown };

/** A timeout that shares its timer. */
class SharedDeadline implements Deadline {
  readonly #all: SharedDeadlines;
  readonly expire: () => void;
  /** When it expires, by `performance.now()`. */
  due = 0;
  /** Its neighbours in the order of expiry, while it runs. */
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

/** Timeouts of equal length expire in the order in which they start, so a list is enough. */
class SharedDeadlines implements Deadlines {
  readonly #ms: number;
  #first: SharedDeadline | undefined;
  #last: SharedDeadline | undefined;
  #timer: Timer | undefined;

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
    else {
      this.#first = deadline;
      this.#timer?.ref?.();
    }
    this.#last = deadline;
    this.#timer ??= setTimeout(() => this.#check(), this.#ms);
  }

  /** Takes a deadline off the list. */
  remove(deadline: SharedDeadline): void {
    if (!deadline.isRunning) return;
    this.#unlink(deadline);
    if (!this.#first) this.#rest();
  }

  /** Keeps the timer, if `unref` lets the process end before it: under load, the list is empty many times a second. */
  #rest(): void {
    if (this.#timer?.unref) return void this.#timer.unref();
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
        // A deadline that was restarted by its own `expire` has set a timer too.
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#check(), first.due - now);
        return;
      }
      this.#unlink(first);
      first.expire();
    }
  }
}

/** Looks in a row that find no progress, until a reader counts as stalled. */
const MAX_STILL_LOOKS = 4;

/** The limit in milliseconds if `IDLE_TIMEOUT_MS` is 0: a target may be silent for ever, but a stalled reader is cut. */
const TAKEN_MS = 300_000;

/**
 * Milliseconds between two looks. A stalled reader is given up after one to 5/4 idle timeouts: one timer with few looks
 * costs less than a timeout for each chunk.
 */
export function lookMsOf(idleTimeoutMs: number): number {
  return Math.ceil((idleTimeoutMs || TAKEN_MS) / MAX_STILL_LOOKS);
}

/** The timeouts for response headers and for the next chunk of a body, and between two looks at a reader. */
export type Times = Readonly<Record<"answer" | "idle" | "look", Deadlines>>;

/** Makes the timeouts of these settings. */
export function createTimes(
  { timeoutMs, idleTimeoutMs }: Readonly<Record<"timeoutMs" | "idleTimeoutMs", number>>,
  isShared: boolean,
): Times {
  return {
    answer: createDeadlines(timeoutMs, isShared),
    idle: createDeadlines(idleTimeoutMs, isShared),
    look: createDeadlines(lookMsOf(idleTimeoutMs), isShared),
  };
}

/** Tracks the progress of one reader, from look to look. */
export class Stall {
  /** What had been taken at the last look; `NaN` while nothing waits. */
  #taken = NaN;
  #stillLooks = 0;

  /**
   * Looks once. True if nothing has been taken for too long.
   *
   * @param isWaiting whether bytes wait to be taken
   * @param taken a number that differs with every byte that is taken
   */
  look(isWaiting: boolean, taken: number): boolean {
    this.#stillLooks = isWaiting && taken === this.#taken ? this.#stillLooks + 1 : 0;
    this.#taken = isWaiting ? taken : NaN;
    return this.#stillLooks >= MAX_STILL_LOOKS;
  }
}
