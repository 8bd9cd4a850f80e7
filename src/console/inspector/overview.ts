/**
 * The overview of a request: what, to whom, how it ended, whose verdict that was; and why there is no more of it.
 * @module
 */

import type { Capture, CapturedHop, CapturedResponse } from "../../parts/capture/capture.ts";
import { button, element, hint, say, terms } from "../page/dom.ts";
import { findField, formatBytes, formatSpan, parseJson, tellEnd } from "../page/format.ts";
import type { InspectedEntry, InspectorContext, Missing } from "./context.ts";
import { judgeConnection, judgeTime } from "./timing.ts";
import { MINUTES, switchCapture } from "../traffic/capture-switch.ts";
import { readBytes } from "./captured.ts";

type Row = readonly [name: string, value: string | undefined];

/** Draws what the row says, and more if the request was captured. */
export function drawOverview(entry: InspectedEntry, capture: Capture | undefined): Node[] {
  const rows = [...listRows(entry), ...(capture ? listCaptured(capture) : [])];
  const known = rows.filter((row): row is [string, string] => row[1] !== undefined && row[1] !== "");
  return [element("dl", { class: "facts" }, ...known.map((row) => element("div", {}, ...terms([row]))))];
}

function listRows(entry: InspectedEntry): Row[] {
  const { method, address, target, selector, callerId, status, setting, bytesIn, bytesOut, time } = entry;
  return [
    ["Request", `${method} ${address ?? target ?? ""}${entry.query ?? (entry.isPartial ? "…" : "")}`],
    ["Operation", entry.operation],
    ["Status", status > 0 ? String(status) : entry.isRunning ? "no response yet" : undefined],
    ["Ended", tellEnd(entry)],
    ["Would be allowed by", setting],
    ["Arrived", new Date(time).toLocaleString()],
    ["Selector", selector],
    ["Caller's token", callerId],
    ["Bytes sent", formatBytes(bytesIn)],
    ["Bytes received", formatBytes(bytesOut)],
    ["Duration", entry.isRunning ? undefined : formatSpan(entry.totalMs)],
  ];
}

function listCaptured(capture: Capture): Row[] {
  const { hops, request, isOwn, skippedMessages } = capture;
  const hop = hops.at(-1);
  const of = (head: typeof request | CapturedResponse | undefined, side: string) =>
    head?.httpVersion && `${head.httpVersion} from the ${side}`;
  return [
    ["Hops", hops.length > 1 ? hops.map(({ request }) => request.url).join(" → ") : undefined],
    ["Addresses", hop?.addresses?.join(", ")],
    ["HTTP version", join([of(request, "caller"), of(hop?.response, "target")])],
    ["Connection", hop && describeConnection(hop)],
    ["Certificate", hop && describeCertificate(hop)],
    ["Through the proxy", hop?.upstream],
    ["Answered by", hops.length === 0 ? "the proxy itself" : undefined],
    ["Failure of the target", hop?.error?.replaceAll("_", " ")],
    ["Time", judgeTime(capture)],
    ["Messages not kept", skippedMessages ? String(skippedMessages) : undefined],
    ["Secrets", isOwn ? "shown, because this page sent it" : undefined],
  ];
}

function describeConnection(hop: CapturedHop): string {
  const { protocol, cipher, alpn } = hop.tls ?? {};
  return join([judgeConnection(hop), protocol, cipher, alpn && `ALPN ${alpn}`]);
}

function describeCertificate({ tls }: CapturedHop): string {
  const { subject, issuer, validTo, isUnchecked } = tls?.certificate ?? {};
  return join([
    isUnchecked && "unchecked",
    subject,
    issuer && `issued by ${issuer}`,
    validTo && `valid until ${validTo.slice(0, 10)}`,
  ]);
}

function join(facts: (string | false | undefined)[]): string {
  return facts.filter(Boolean).join(", ");
}

const MODE = "64KiB";

/** Draws the reason, and a button that switches capture on. */
export function drawMissing(
  { problem, reason }: Missing,
  entry: InspectedEntry,
  context: InspectorContext,
): Node[] {
  if (problem !== "missing") return [element("p", { class: "notice" }, reason)];
  const text = entry.isCaptured
    ? "This request is no longer kept: newer ones are."
    : "This request was not captured.";
  const said = hint("", { role: "status" });
  const begin = async () => {
    const { problem } = await switchCapture(context.ticket, MODE);
    said.textContent = problem ??
      `Capture is on for ${MINUTES} minutes. Send the request again to see it whole.`;
    say(said.textContent);
  };
  return [
    element("p", {}, text),
    hint(
      `Capture keeps headers and the first ${MODE} of each body in memory, secrets masked. CAPTURE=${MODE} has it on from the start.`,
    ),
    button(`Capture the next ${MINUTES} minutes`, () => void begin(), { class: undefined }),
    said,
  ];
}

/** Members of a JSON body that say why, the clearest first. */
const REASONS = ["detail", "message", "reason", "error_description", "error", "title"];
const MOST_LETTERS = 200;

/** True if the answer is the proxy's own: no target answered, or it is not what the target answered last. */
export function isByProxy(
  { error, target }: Pick<InspectedEntry, "error" | "target">,
  capture?: Capture,
): boolean {
  if (capture) {
    const { response } = capture;
    const last = capture.hops.at(-1)?.response;
    return !last || capture.error !== undefined && response !== undefined && response.status !== last.status;
  }
  return target === undefined || error !== undefined && error !== "caller_gone";
}

/** Says how a request ended: what is said first, and what follows; `undefined` while it has no answer. */
export function tellVerdict(entry: InspectedEntry, capture?: Capture) {
  const { status, error, isRunning } = entry;
  if (status === 0) return undefined;
  const code = error?.replaceAll("_", " ");
  // A status below 400 with an error: its head came from the target, and then it broke off.
  if (status < 400 || !isByProxy(entry, capture)) {
    const isLeft = error === "caller_gone";
    const ending = isLeft ? "closed by the caller" : code && `then ${code}`;
    const reason = status >= 400 ? readReason(capture) : "";
    return { who: `${status} from the target`, why: ending ?? (isRunning ? "still running" : reason) };
  }
  const who = status === 403 || status === 401 ? "refused by the proxy" : "from the proxy";
  return { who: `${status} ${who}`, why: readReason(capture) || code || "" };
}

function readReason(capture: Capture | undefined): string {
  const headers = capture?.response?.headers ?? [];
  if (!capture?.responseBody || !/json/i.test(findField(headers, "content-type") ?? "")) return "";
  // One that is cut, or encoded, has none: the tab of the response shows it.
  const body = parseJson(new TextDecoder().decode(readBytes(capture.responseBody)));
  const members = Object(body) as Record<string, unknown>;
  const found = REASONS.map((name) => members[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found.slice(0, MOST_LETTERS) : "";
}
