/**
 * The messages of a WebSocket: direction, time, size and content. New ones are added below, those that are there stay.
 * @module
 */

import { Inflate } from "fflate";
import { concat } from "../../core/http/concat.ts";
import type { Capture, CapturedMessage } from "../../parts/capture/capture.ts";
import { showBody } from "../answer/body-view.ts";
import { element, hint } from "../page/dom.ts";
import { formatBytes, formatSpan } from "../page/format.ts";
import { readBytes } from "./captured.ts";

/** Maximum number of messages in the list; the newest stay. */
const MOST_ROWS = 500;
const PREVIEW_LENGTH = 200;

/** The list of one request. */
export class MessagesView {
  readonly element: HTMLElement;
  readonly #note = hint("");
  readonly #rows = element("ol", { class: "messages", "aria-label": "Messages", tabindex: 0 });
  readonly #inflaters = { caller: new Inflater(), target: new Inflater() };
  #shown = 0;
  #skipped = 0;

  constructor() {
    this.element = element("div", {}, this.#note, this.#rows);
  }

  /** Adds what is new. Follows only if the end was in view. */
  show(
    { messages = [], skippedMessages = 0, isRunning }: Pick<
      Capture,
      "messages" | "skippedMessages" | "isRunning"
    >,
  ): void {
    // Those that are no longer kept went from the front.
    const lost = skippedMessages - this.#skipped;
    this.#skipped = skippedMessages;
    const known = Math.max(0, this.#shown - Math.max(0, lost));
    const fresh = messages.slice(known);
    this.#shown = messages.length;
    if (lost > 0 && known === 0 && this.#rows.childElementCount > 0) this.#breakOff();
    const scroller = this.#rows;
    const isAtEnd = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 8;
    scroller.append(...fresh.slice(-MOST_ROWS).map((message) => this.#draw(message)));
    while (scroller.childElementCount > MOST_ROWS) scroller.firstElementChild?.remove();
    if (isAtEnd && fresh.length > 0) scroller.scrollTop = scroller.scrollHeight;
    const left = skippedMessages + messages.length - scroller.childElementCount;
    this.#note.textContent = [
      `${skippedMessages + messages.length} messages`,
      left > 0 && `the first ${left} are not shown`,
      isRunning ? "open" : "closed",
    ].filter(Boolean).join(", ");
  }

  #breakOff(): void {
    this.#inflaters.caller.miss();
    this.#inflaters.target.miss();
  }

  #draw(message: CapturedMessage): HTMLElement {
    const { from, kind, size, atMs } = message;
    const { bytes, note } = this.#read(message);
    const isText = kind === "text" && note === undefined;
    const body = element("div", { class: "message-body" });
    const row = element(
      "details",
      {},
      element(
        "summary",
        {},
        element("span", { class: `direction ${from}`, "aria-hidden": "true" }, from === "caller" ? "↑" : "↓"),
        element("span", { class: "sr" }, from === "caller" ? "from the caller" : "from the target"),
        element("span", { class: "at" }, `+${formatSpan(atMs)}`),
        element("span", { class: "kind" }, kind),
        element("span", { class: "size" }, formatBytes(size)),
        element("code", {}, note ?? preview(bytes, isText)),
      ),
      body,
    );
    const type = isText ? "text/plain; charset=utf-8" : "application/octet-stream";
    row.addEventListener("toggle", () => {
      if (!row.open || body.childElementCount > 0) return;
      showBody(body, {
        bytes,
        type,
        encoding: "",
        name: `message-${from}`,
        size: Math.max(size, bytes.length),
        isRunning: false,
      });
    });
    return element("li", {}, row);
  }

  /** The payload, decompressed if it can be. One that was cut breaks those behind it. */
  #read(message: CapturedMessage): { bytes: Uint8Array<ArrayBuffer>; note?: string } {
    const bytes = readBytes({ base64: message.base64, size: message.size, isOver: true });
    if (!message.isCompressed) return { bytes };
    const inflater = this.#inflaters[message.from];
    if (bytes.length < message.size) inflater.miss();
    const plain = inflater.inflate(bytes);
    return plain ? { bytes: plain } : { bytes, note: "compressed; what it refers to is not kept" };
  }
}

function preview(bytes: Uint8Array, isText: boolean): string {
  const start = bytes.subarray(0, PREVIEW_LENGTH);
  if (isText) return new TextDecoder().decode(start);
  return [...start.subarray(0, 24)].map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
}

/** Ends each message; senders leave it out. */
const TAIL = Uint8Array.of(0, 0, 255, 255);
/** A message of a few bytes may become gigabytes. */
const MAX_BYTES = 4_194_304;
/** Bytes that are taken in one go: at most a thousand times as many come out. */
const STEP = 1_024;

/**
 * Undoes the compression of the messages of one direction, in order (permessage-deflate, RFC 7692 §7.2.2). `DecompressionStream` never
 * says that a message is over, so this takes a library that answers at once. Those after a message that cannot be undone are lost too, because they may refer
 * to it (context takeover).
 */
export class Inflater {
  readonly #stream = new Inflate();
  #isBroken = false;

  /** Undoes the next message; `undefined` if that is not possible. */
  inflate(payload: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
    const chunks: Uint8Array[] = [];
    let size = 0;
    this.#stream.ondata = (chunk) => {
      // The buffer is used again.
      chunks.push(chunk.slice());
      size += chunk.length;
    };
    try {
      for (let at = 0; at < payload.length && !this.#isBroken; at += STEP) {
        this.#stream.push(payload.subarray(at, at + STEP));
        if (size > MAX_BYTES) this.#isBroken = true;
      }
      if (!this.#isBroken) this.#stream.push(TAIL);
    } catch {
      this.#isBroken = true;
    }
    return this.#isBroken ? undefined : concat(chunks, size);
  }

  /** A message is missing: nothing after it can be undone. */
  miss(): void {
    this.#isBroken = true;
  }
}
