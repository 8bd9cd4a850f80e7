/**
 * Requests and replies between two processes, over the channel of `node:child_process`.
 * @module
 */

/** One end of the channel. */
export interface Channel {
  send(message: Message): unknown;
  on(event: "message", listener: (message: Message) => void): unknown;
}

/** A message: a request, or the reply to the request with this number. */
export interface Message {
  number: number;
  question?: string;
  value?: unknown;
  /** True if the request failed. */
  isFailed?: boolean;
}

/** Request handlers, by name. */
export type Answers = Readonly<Record<string, (value: never) => unknown>>;

/** One end of the channel; both ends can send requests. */
export class RpcPeer {
  readonly #channel: Channel;
  readonly #answers: Answers;
  readonly #open = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
  #last = 0;

  constructor(channel: Channel, answers: Answers) {
    this.#channel = channel;
    this.#answers = answers;
    channel.on("message", (message) => void this.#receive(message));
  }

  /** Sends a request; rejects if it fails or the other end is gone. */
  ask<Answer>(question: string, value?: unknown): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const number = this.#last += 1;
      this.#open.set(number, { resolve, reject });
      this.#send({ number, question, value });
    });
  }

  /** Sends a request; also rejects after this many milliseconds. */
  async askWithin<Answer>(limit: number, question: string, value?: unknown): Promise<Answer> {
    const answer = this.ask<Answer>(question, value);
    const number = this.#last;
    const timer = setTimeout(() => {
      this.#open.get(number)?.reject(new Error("Cannot ask: the other process takes too long"));
      this.#open.delete(number);
    }, limit);
    return await answer.finally(() => clearTimeout(timer));
  }

  /** Rejects all open requests, because no reply will come. */
  close(): void {
    for (const { reject } of this.#open.values()) reject(new Error("Cannot ask: the other process is gone"));
    this.#open.clear();
  }

  async #receive({ number, question, value, isFailed }: Message): Promise<void> {
    if (question !== undefined) {
      try {
        this.#send({ number, value: await this.#answers[question]?.(value as never) });
      } catch {
        this.#send({ number, isFailed: true });
      }
      return;
    }
    const open = this.#open.get(number);
    this.#open.delete(number);
    if (isFailed) open?.reject(new Error("Cannot ask: the other process has no answer"));
    else open?.resolve(value as never);
  }

  /** Sends a message. The other process may end and close the channel at any moment; then all open requests are rejected. */
  #send(message: Message): void {
    try {
      this.#channel.send(message);
    } catch {
      this.close();
    }
  }
}
