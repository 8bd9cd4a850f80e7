/**
 * The overview of a request: what, to whom, how it ended.
 * @module
 */

import type { Capture, CapturedHop, CapturedResponse } from "../../parts/capture/capture.ts";
import { element, terms } from "../page/dom.ts";
import { formatBytes, formatSpan, tellEnd } from "../page/format.ts";
import type { InspectedEntry } from "./context.ts";
import { judgeConnection, judgeTime } from "./timing.ts";

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
