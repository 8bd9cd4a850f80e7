/**
 * Asks a browser's user before a link does more than read a private target: a mailed link or a redirect acts in the
 * user's name. Programs are not asked.
 * @module
 */

import { encodeArg } from "../address/arg.ts";
import type { Argument } from "./argument/argument.ts";
import { isStreaming, readWhole, watchBody } from "../http/body.ts";
import { ProxyError, proxyStatusOf } from "../http/error.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { shorten } from "../http/text.ts";
import { answerPage, escapeHtml } from "../http/small-page.ts";
import type { Reply } from "../http/reply.ts";
import { readParameter, readQuery } from "../address/query.ts";
import { RESERVED } from "../address/reserved-paths.ts";

/** The parameter with the proof of the button. */
const CONFIRM_PARAMETER = "confirm";
/** Maximum bytes of a body that the button can send, because it goes into an address. */
const MAX_BODY_BYTES = 16_384;
/** Maximum characters of a value to show. */
const MAX_SHOWN = 2_000;

/** The limits for reading such a body. */
const LIMITS = {
  maxBytes: MAX_BODY_BYTES,
  stalled: () => new RangeError("too slow"),
  tooLarge: () => new RangeError("too long"),
};

/** Fields that the proxy adds, not the argument. */
const ADDED: ReadonlySet<string> = new Set(["content-length", "cdn-loop"]);

/** A request as its link describes it (specification 2.1). */
export interface Described {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/** True for what the button sends, be it of this proxy or of one that ran here before, whose proofs no longer count. */
export function isAnswered(exchange: Exchange): boolean {
  return readMark(exchange) !== undefined;
}

/** True if the user pressed the proxy's own button for this argument. */
export async function isConfirmed(exchange: Exchange): Promise<boolean> {
  const mark = readMark(exchange);
  const arg = readParameter(readQuery(exchange.path), "arg") ?? "";
  return mark !== undefined && mark === await exchange.key.mark("confirm", arg);
}

function readMark({ path, incoming }: Exchange): string | undefined {
  return incoming.method === "POST" ? readParameter(readQuery(path), CONFIRM_PARAMETER) : undefined;
}

/** Describes an argument for the page. */
export function describeArgument({ address, method, headers, body }: Argument): Described {
  return {
    url: address.origin.origin + address.path,
    method,
    headers: Object.fromEntries([...headers].filter(([name]) => !ADDED.has(name))),
    ...(body && { body: new TextDecoder().decode(body) }),
  };
}

/**
 * Describes a request to `?url=` as an argument.
 *
 * @throws {ProxyError} `forbidden` if its body is too long for a link, or is not text
 */
export async function describeIncoming({ incoming }: Exchange, url: string): Promise<Described> {
  const { method, headers } = incoming;
  const type = headers.get("content-type");
  const body = await readText(incoming.body);
  return { url, method, headers: type === null ? {} : { "content-type": type }, ...(body && { body }) };
}

async function readText(body: Exchange["incoming"]["body"]): Promise<string> {
  try {
    const bytes = isStreaming(body) ? await readWhole(watchBody(body, LIMITS)) : body ?? new Uint8Array();
    if (bytes.length > MAX_BODY_BYTES) throw LIMITS.tooLarge();
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    const message = "Cannot ask the user to confirm: the body is too long for a link or not text, " +
      `expected at most ${MAX_BODY_BYTES} bytes of UTF-8`;
    throw new ProxyError("forbidden", message, { cause });
  }
}

/**
 * Answers with the confirmation page.
 *
 * @param refusal the error for callers that cannot be asked
 * @param arg the argument of the link as sent, if there is one
 */
export async function answerUnconfirmed(
  { config, record, key }: Exchange,
  described: Described,
  refusal: ProxyError,
  arg: string = encodeArg(described),
): Promise<Reply> {
  record.refuse(refusal);
  const mark = await key.mark("confirm", arg);
  const action = `${config.mountPath}${RESERVED}/fetch?${CONFIRM_PARAMETER}=${mark}&arg=${arg}`;
  const content = writeContent(described, action, `${config.mountPath}${RESERVED}/`);
  return answerPage(refusal.status, "Send this request?", content, proxyStatusOf(refusal));
}

function writeContent({ url, method, headers, body }: Described, action: string, home: string): string {
  const row = (name: string, value: string) =>
    `<tr><th scope="row">${show(name)}</th><td>${show(value)}</td></tr>`;
  const fields = Object.entries(headers).map(([name, value]) => row(name, value)).join("");
  return `<p>A link asks for more than a look at an address of your own network. Send it only if you know where the link comes from.</p>
<p class="line"><b>${show(method)}</b> <code>${show(maskUser(url))}</code></p>
${fields && `<table>${fields}</table>`}
${body ? `<pre>${show(body)}</pre>` : ""}
<form method="post" action="${
    escapeHtml(action)
  }"><button>Send it</button> <a href="${home}">Do not send</a></form>`;
}

function show(text: string): string {
  return escapeHtml(shorten(text, MAX_SHOWN));
}

/** Hides user and password. */
function maskUser(url: string): string {
  return url.replace(/^(https?:\/\/)[^/?#]*@/i, "$1***@");
}
