/**
 * The WebSocket client: messages with direction and time, and an input. Loaded when it is used.
 * @module
 */

import type { CapturedMessage } from "../../parts/capture/capture.ts";
import { MessagesView } from "../inspector/messages-view.ts";
import { loadStyle } from "../inspector/style-sheet.ts";
import { element, find, hint, say } from "../page/dom.ts";
import { writeBase64 } from "../share/languages/request-parts.ts";
import type { Draft } from "./draft.ts";
import type { Surroundings } from "./compose-request.ts";
import { connect, nameClose, readHandshake, readHex } from "./open-socket.ts";

/** Maximum messages in memory, and bytes of each. */
const MOST = 500;
const MAX_BYTES = 65_536;

/** The panel of one WebSocket. */
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
