/**
 * What there is to say about an answer beside its body: why there is none, where redirects led, what is missing.
 * @see RFC 9209 §2.3
 * @module
 */

import { copyButton, element } from "../page/dom.ts";
import { findField, findIn, formatBytes, parseJson } from "../page/format.ts";
import { MAX_SHOWN_BYTES, type Received } from "../builder/sending.ts";

/** Makes the notes for an answer so far. */
export function renderNotes(received: Received, isRunning: boolean): HTMLElement[] {
  const { status, headers, isOwn, isCut, broken, finalUrl } = received;
  const notes: HTMLElement[] = [];
  if (isOwn && !isRunning) notes.push(...renderCause(received));
  if (finalUrl) notes.push(note("Redirects led to ", element("code", {}, finalUrl)));
  const location = findField(headers, "location");
  if (location && status >= 300 && status < 400) {
    notes.push(note("The target redirects to ", element("code", {}, location)));
  }
  if (!isOwn && (status === 401 || status === 403)) {
    notes.push(
      note("The console sends only the cookies in the request's own headers."),
    );
  }
  if (isCut) {
    notes.push(note(`Only the first ${formatBytes(MAX_SHOWN_BYTES)} are shown. Save names them .part.`));
  }
  if (broken) notes.push(element("p", { class: "notice bad" }, `The body was ${broken}.`));
  return notes;
}

function renderCause({ status, headers, body }: Received): HTMLElement[] {
  const proxyStatus = findField(headers, "proxy-status") ?? "";
  const { headline, detail, advice, setting } = readCause(
    status,
    proxyStatus,
    new TextDecoder().decode(body),
  );
  const said = element(
    "div",
    { class: "notice bad" },
    element("p", {}, element("strong", {}, headline)),
    element("p", {}, `fetchvia answered this itself${detail ? `: ${detail}` : "."}`),
  );
  return [
    said,
    ...(setting ? [renderSetting(setting)] : []),
    ...(advice ? [note(advice)] : []),
  ];
}

/** Shows what would have allowed the request. */
function renderSetting({ what, text }: { what: string; text: string }): HTMLElement {
  return note(`${what} `, element("code", {}, text), " ", copyButton("the setting", () => text));
}

function note(...children: (Node | string)[]): HTMLElement {
  return element("p", { class: "notice" }, ...children);
}

interface Cause {
  headline: string;
  /** The proxy's own explanation; `""` if it gave none. */
  detail: string;
  /** The setting to look at; absent if the explanation names one, or none helps. */
  advice?: string;
  /** Text to be copied into the settings, such as `PRIVATE_TARGETS=true`. */
  setting?: { what: string; text: string };
}

/** What each error type says, and which setting is about it. */
const TYPES: Readonly<Record<string, readonly [headline: string, advice?: string]>> = {
  http_response_timeout: [
    "The target hung: it did not answer in time.",
    "TIMEOUT_MS is how long the proxy waits.",
  ],
  connection_timeout: ["No connection to the target came about in time."],
  dns_timeout: ["The name could not be looked up in time."],
  dns_error: ["The name of the target does not resolve."],
  connection_refused: ["The target refused the connection: nothing listens there."],
  connection_terminated: ["The target hung up before its response was complete."],
  destination_ip_prohibited: ["Not allowed: the proxy may not reach the target's address."],
  destination_ip_unroutable: ["There is no route to the target."],
  destination_unavailable: ["The other proxy refused the target."],
  tls_certificate_error: ["The target's certificate is not accepted."],
  tls_protocol_error: ["The TLS handshake with the target failed: does it speak https?"],
  http_protocol_error: [
    "The target's response is not valid HTTP, or its redirects do not end.",
    "MAX_REDIRECTS limits redirects.",
  ],
  http_response_header_section_size: ["The target's header is too large."],
  http_response_body_size: ["The target's response is too large.", "MAX_RESPONSE_BYTES limits it."],
  http_upgrade_failed: ["The target did not open the WebSocket."],
  proxy_configuration_error: [
    "The other proxy wants other credentials.",
    "UPSTREAM_PROXY carries them.",
  ],
  connection_limit_reached: ["The proxy is at its limit: try again in a moment."],
  proxy_loop_detected: ["The target leads back to this proxy."],
  proxy_internal_error: ["The proxy itself failed."],
};

/** What a refusal before any target says, by status. */
const STATUSES: Readonly<Record<number, readonly [headline: string, advice?: string]>> = {
  400: ["The request cannot be sent as it is."],
  401: ["A token is missing or wrong.", "PROXY_TOKEN is what the proxy asks for."],
  403: ["Not allowed."],
  404: ["The proxy has no such path."],
  405: ["The proxy does not take this method here."],
  408: ["The request came in too slowly."],
  413: ["The request's body is too large.", "MAX_REQUEST_BYTES limits it."],
  414: ["The address is too long."],
  429: ["Too many requests."],
  431: ["The request's fields are too large."],
  499: ["The request was given up."],
};

/**
 * Reads why the proxy answered.
 *
 * @param proxyStatus the field `Proxy-Status`; `""` if there is none
 * @param body the text of the answer, JSON with `title` and `detail`
 */
export function readCause(status: number, proxyStatus: string, body: string): Cause {
  const type = /\berror=([\w-]+)/.exec(proxyStatus)?.[1] ?? "";
  const detail = readDetail(body);
  const [headline, advice] = findIn(TYPES, type) ?? STATUSES[status] ?? ["The proxy did not send it."];
  const setting = readSetting(detail);
  const isNamed = /\b[A-Z]+_[A-Z_]+\b/.test(detail);
  return { headline, detail, ...(advice && !isNamed && { advice }), ...(setting && { setting }) };
}

function readDetail(body: string): string {
  const { detail } = Object(parseJson(body)) as { detail?: unknown };
  return typeof detail === "string" ? detail : "";
}

/** The proxy's messages name a setting as "set NAME=value", or as "add value to NAME". */
function readSetting(detail: string): Cause["setting"] {
  const whole = /\bTo allow it, set ([A-Z_]+=[^\s"]+)/.exec(detail)?.[1];
  if (whole) return { what: "This setting allows it:", text: whole };
  const [, value, name] = /\badd (\S+) to ([A-Z]+(?:_[A-Z]+)*)\b/i.exec(detail) ?? [];
  return value && name ? { what: `To allow it, add to ${name}:`, text: value } : undefined;
}
