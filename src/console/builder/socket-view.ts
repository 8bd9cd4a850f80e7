/**
 * The WebSocket client: messages with direction and time, and an input. Loaded when it is used.
 * @module
 */

import { element, find, say } from "../page/dom.ts";
import type { Draft } from "./draft.ts";
import type { Surroundings } from "./compose-request.ts";
import { connect, nameClose, readHandshake, readHex, writeHex } from "./open-socket.ts";

/** Messages in the list, and characters or bytes of each. */
const MOST = 500;
const MAX_SHOWN = 4_000;
const MAX_BYTES = 512;

/** The panel of one WebSocket. */
interface Panel {
  state: HTMLElement;
  list: HTMLElement;
  dropped: HTMLElement;
  input: HTMLTextAreaElement;
  kind: HTMLSelectElement;
  problem: HTMLElement;
  button: HTMLButtonElement;
  close: HTMLButtonElement;
}

let current: WebSocket | undefined;

/** Opens a WebSocket for the draft in the builder. One that is open is closed first. */
export async function openSocket(
  place: HTMLElement,
  draft: Draft,
  ticket: string | null,
  surroundings: Surroundings,
): Promise<void> {
  current?.close();
  const handshake = readHandshake(draft, surroundings);
  if (handshake.problem !== undefined) return void (find("builder-problem").textContent = handshake.problem);
  const panel = makePanel();
  place.replaceChildren(...fillPanel(panel));
  place.hidden = false;
  const lost = ticket === null && handshake.request.headers.length > 0;
  const notes = [...handshake.notes, ...(lost ? ["Without live traffic no headers go out"] : [])];
  show(panel, "Connecting…", notes.join(". "));
  try {
    const socket = current = await connect(handshake, ticket);
    follow(socket, panel);
  } catch (error) {
    show(panel, "Not connected", error instanceof Error ? error.message : "The proxy does not answer");
  }
}

function follow(socket: WebSocket, panel: Panel): void {
  socket.addEventListener("open", () => {
    const { protocol } = socket;
    show(panel, `Open${protocol && `, ${protocol}`}`, "");
    panel.button.disabled = panel.close.disabled = false;
    panel.input.focus({ preventScroll: true });
  });
  socket.addEventListener(
    "message",
    ({ data }: MessageEvent<string | ArrayBuffer>) => add(panel, "in", data),
  );
  socket.addEventListener("close", ({ code, reason }) => {
    const why = code === 1006 ? " Live traffic has the target's answer." : "";
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
    add(panel, "out", typeof data === "string" ? data : data.buffer);
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

function add(panel: Panel, direction: "in" | "out", data: string | ArrayBuffer): void {
  const { list, dropped } = panel;
  const isAtEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 24;
  const isText = typeof data === "string";
  const bytes = isText ? new TextEncoder().encode(data).length : data.byteLength;
  const most = isText ? MAX_SHOWN : MAX_BYTES;
  const whole = isText ? data.slice(0, most) : writeHex(new Uint8Array(data, 0, Math.min(bytes, most)));
  const isCut = isText ? data.length > most : bytes > most;
  list.append(element(
    "li",
    { class: direction },
    element(
      "span",
      { class: "way-of", "aria-label": direction === "in" ? "received" : "sent" },
      direction === "in" ? "↓" : "↑",
    ),
    element("time", {}, new Date().toISOString().slice(11, 23)),
    element("span", { class: "size" }, `${isText ? "text" : "binary"} ${bytes.toLocaleString("en")} B`),
    element("pre", {}, isCut ? `${whole}…` : whole),
  ));
  if (list.children.length > MOST) {
    list.firstElementChild?.remove();
    dropped.dataset["count"] = String(Number(dropped.dataset["count"] ?? 0) + 1);
    dropped.textContent = `${dropped.dataset["count"]} older messages are not kept`;
  }
  if (isAtEnd) list.scrollTop = list.scrollHeight;
}

function makePanel(): Panel {
  return {
    state: element("b", { role: "status" }),
    list: element("ol", { class: "frames", tabindex: 0, role: "log", "aria-label": "Messages" }),
    dropped: element("small", {}),
    input: element("textarea", { rows: 2, id: "socket-input", spellcheck: "false" }),
    kind: element(
      "select",
      { "aria-label": "Kind of message" },
      element("option", { value: "text" }, "Text"),
      element("option", { value: "binary" }, "Binary (hex)"),
    ),
    problem: element("p", { class: "hint", role: "status" }),
    button: element("button", { type: "button", disabled: true }, "Send message"),
    close: element("button", { type: "button", class: "quiet", disabled: true }, "Close"),
  };
}

function fillPanel({ state, list, dropped, input, kind, problem, button, close }: Panel): Node[] {
  return [
    element("div", { class: "head" }, element("span", {}, "WebSocket: ", state), close),
    problem,
    dropped,
    list,
    element("label", { for: "socket-input", class: "sr" }, "Message"),
    input,
    element(
      "div",
      { class: "row" },
      kind,
      button,
      element("small", {}, "Enter sends, Shift+Enter breaks the line"),
    ),
  ];
}
