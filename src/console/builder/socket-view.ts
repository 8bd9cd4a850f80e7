/**
 * The WebSocket client: messages with direction and time, and an input. It goes through the proxy, opened with a pass, or by
 * `?url=` where the page has no ticket. Loaded when it is used.
 * @module
 */

import type { CapturedMessage } from "../../parts/capture/capture.ts";
import { MessagesView } from "../inspector/messages-view.ts";
import { loadStyle } from "../page/sheet.ts";
import { element, find, hint, say } from "../page/dom.ts";
import { writeBase64 } from "../share/languages/request-parts.ts";
import type { Draft } from "./draft.ts";
import { buildRequest, type ReadyRequest, type Surroundings } from "./compose-request.ts";
import { encodeArg } from "../../core/address/arg.ts";
import { REQUEST_FIELD } from "../../parts/console/page-facts.ts";
import { findField } from "../page/format.ts";
import { askProxy, captureFields, ownAddress } from "../page/own-requests.ts";

/** Maximum messages in memory, and bytes of each. */
const MOST = 500;
const MAX_BYTES = 65_536;

type Panel = ReturnType<typeof makePanel>;

let current: WebSocket | undefined;

/** Closes the WebSocket that is open, if any. */
export function closeSocket(): void {
  current?.close(1000);
}

/**
 * Opens a WebSocket for the draft in the builder. One that is open is closed first.
 *
 * @param place shows the panel where responses stand
 */
export async function openSocket(
  place: (panel: HTMLElement) => void,
  draft: Draft,
  ticket: string | null,
  surroundings: Surroundings,
): Promise<void> {
  closeSocket();
  const handshake = readHandshake(draft, surroundings);
  if (handshake.problem !== undefined) return void (find("builder-problem").textContent = handshake.problem);
  await loadStyle();
  const panel = makePanel();
  place(panel.whole);
  const lost = ticket === null && handshake.request.headers.length > 0;
  const notes = [...handshake.notes, ...(lost ? ["Without live traffic no headers go out"] : [])];
  show(panel, "Connecting…", notes.join(". "));
  try {
    const socket = current = await connect(handshake, ticket);
    follow(socket, panel);
  } catch (error) {
    show(panel, "Not connected", (error as Error).message);
  }
}

function follow(socket: WebSocket, panel: Panel): void {
  const add = keepMessages(panel.messages, () => socket.readyState < WebSocket.CLOSING);
  socket.addEventListener("open", () => {
    const { protocol } = socket;
    show(panel, `Open${protocol && `, ${protocol}`}`, "");
    panel.button.disabled = panel.close.disabled = false;
    panel.input.focus({ preventScroll: true });
  });
  socket.addEventListener(
    "message",
    ({ data }: MessageEvent<string | ArrayBuffer>) => add("target", data),
  );
  socket.addEventListener("close", ({ code, reason }) => {
    const why = code === 1006 ? " Live traffic has the target's response." : "";
    show(panel, `Closed: ${code} ${nameClose(code)}${reason && `, ${reason}`}.${why}`, "");
    panel.button.disabled = panel.close.disabled = true;
    if (current === socket) current = undefined;
  });
  panel.close.addEventListener("click", () => socket.close(1000));
  const send = () => {
    if (socket.readyState !== WebSocket.OPEN) return;
    const text = panel.input.value;
    const data = panel.kind.value === "binary" ? readHex(text) : text;
    panel.problem.textContent = data === undefined ? "Write bytes as hexadecimal digits, such as 00 ff" : "";
    if (data === undefined) return;
    socket.send(data);
    add("caller", typeof data === "string" ? data : data.buffer);
    panel.input.value = "";
  };
  panel.button.addEventListener("click", send);
  panel.input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  });
}

function show(panel: Panel, state: string, problem: string): void {
  panel.state.textContent = state;
  panel.problem.textContent = problem;
  say(`WebSocket: ${state}`);
}

/** Keeps the newest messages, as capture does, and shows them. */
function keepMessages(view: MessagesView, isOpen: () => boolean) {
  const start = performance.now();
  const messages: CapturedMessage[] = [];
  let skippedMessages = 0;
  return (from: CapturedMessage["from"], data: string | ArrayBuffer) => {
    const isText = typeof data === "string";
    const bytes = isText ? new TextEncoder().encode(data) : new Uint8Array(data);
    messages.push({
      atMs: performance.now() - start,
      from,
      kind: isText ? "text" : "binary",
      size: bytes.length,
      base64: writeBase64(bytes.subarray(0, MAX_BYTES)),
    });
    if (messages.length > MOST) {
      messages.shift();
      skippedMessages += 1;
    }
    view.show({ messages, skippedMessages, isRunning: isOpen() });
  };
}

function makePanel() {
  const state = element("b", { role: "status" });
  const messages = new MessagesView();
  const input = element("textarea", { rows: 2, id: "socket-input", spellcheck: "false" });
  const kind = element(
    "select",
    { "aria-label": "Kind of message" },
    element("option", { value: "text" }, "Text"),
    element("option", { value: "binary" }, "Binary (hex)"),
  );
  const problem = hint("", { role: "status" });
  const button = element("button", { type: "button", disabled: true }, "Send message");
  const close = element("button", { type: "button", class: "quiet", disabled: true }, "Close");
  const about = element("small", {}, "Enter sends, Shift+Enter breaks the line");
  const whole = element(
    "div",
    { class: "socket" },
    element("div", { class: "head" }, element("span", {}, "WebSocket: ", state), close),
    problem,
    messages.element,
    element("label", { for: "socket-input", class: "sr" }, "Message"),
    input,
    element("div", { class: "row" }, kind, button, about),
  );
  return { whole, state, messages, input, kind, problem, button, close };
}

type Handshake =
  | { request: ReadyRequest; protocols: string[]; notes: string[]; problem?: undefined }
  | {
    problem: string;
  };

/** Reads the handshake of a draft. Method and body are not used. */
export function readHandshake(draft: Draft, surroundings: Surroundings): Handshake {
  const address = draft.address.replace(
    /^(\s*)ws(s?):/i,
    (_, lead, s: string) => `${lead}http${s.toLowerCase()}:`,
  );
  const outcome = buildRequest(
    { ...draft, method: "GET", kind: "none", address, follow: false },
    surroundings,
  );
  if (outcome.problem !== undefined) return outcome;
  const { headers } = outcome.request;
  const offered = findField(headers, "sec-websocket-protocol") ?? "";
  return {
    request: { ...outcome.request, headers: headers.filter(([name]) => !/^sec-websocket-/i.test(name)) },
    protocols: offered.split(",").map((protocol) => protocol.trim()).filter((protocol) => protocol !== ""),
    notes: outcome.notes,
  };
}

/**
 * Opens the WebSocket.
 *
 * @param ticket proves that the console asks; `null` if the page has none
 * @throws {Error} if the proxy gives no pass; the message is its own
 */
async function connect(
  { request, protocols }: { request: ReadyRequest; protocols: string[] },
  ticket: string | null,
): Promise<WebSocket> {
  const address = ticket === null
    ? `${ownAddress("")}?url=${encodeURIComponent(request.url)}`
    : `${ownAddress("socket")}?pass=${await askPass(request, ticket)}`;
  const socket = new WebSocket(address.replace(/^http/, "ws"), protocols);
  socket.binaryType = "arraybuffer";
  return socket;
}

async function askPass({ url, headers }: ReadyRequest, ticket: string): Promise<string> {
  const fields = { ...captureFields(ticket), [REQUEST_FIELD]: encodeArg({ url, headers }) };
  const answer = await askProxy<{ pass: string }>("socket", fields, { method: "POST" });
  if (answer.problem !== undefined) throw new Error(answer.problem);
  return answer.told.pass;
}

/** Reads bytes written as hexadecimal digits, with blanks as you like; `undefined` for anything else. */
export function readHex(text: string): Uint8Array<ArrayBuffer> | undefined {
  const digits = text.replace(/\s+/g, "");
  if (!/^(?:[\da-f]{2})*$/i.test(digits)) return undefined;
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** The meaning of a close code (RFC 6455 §7.4.1). */
export function nameClose(code: number): string {
  const names: Readonly<Record<number, string>> = {
    1000: "normal",
    1001: "going away",
    1002: "protocol error",
    1003: "unsupported data",
    1005: "no code",
    1006: "no close frame: refused, or cut off",
    1007: "invalid data",
    1008: "against the policy",
    1009: "too big",
    1010: "extension missing",
    1011: "error of the server",
    1012: "restarts",
    1013: "try again later",
    1015: "TLS failed",
  };
  return names[code] ?? (code >= 4000 ? "of the application" : "reserved");
}
