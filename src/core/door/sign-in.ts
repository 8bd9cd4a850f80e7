/**
 * How a browser's user signs in with the token, which a cookie keeps: by an address with it, which leads to the same one
 * without it, because a target's script could read that; or on a page with a form.
 *
 * On a label there is no form: the origin is the target's, and its service worker would see what is typed.
 * @module
 */

import { prefersHtml } from "../http/accept.ts";
import { checkMethod, ProxyError, proxyStatusOf } from "../http/error.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { readPosted } from "../way/request-body.ts";
import { keepToken } from "../may/token-duty.ts";
import { answerPage, escapeHtml } from "../http/small-page.ts";
import { isLook, isNavigation, isTopNavigation } from "../http/headers.ts";
import type { FieldReader } from "../http/fields.ts";
import type { Reply } from "../http/reply.ts";
import { dropParameter, readQuery } from "../address/query.ts";
import { isReserved, RESERVED, SIGN_IN } from "../address/reserved-paths.ts";

/** Maximum bytes of the form: a token and an address. */
const MAX_FORM_BYTES = 64 * 1024;

/**
 * Stores the token of an address that is opened in a browser.
 *
 * @returns the redirect to the same address without the token; `undefined` if no browser opens the address
 */
export function answerSignIn({ incoming, config, caller, path, token }: Exchange): Reply | undefined {
  const { method, headers } = incoming;
  if (!isLook(method) || !isOpened(headers, path)) return undefined;
  return keepToken({ config, caller }, token?.text ?? config.proxyToken, withoutToken(path));
}

/** Over plain http, except to loopback, browsers send no Fetch Metadata. Some programs prefer HTML too. */
function isOpened(headers: FieldReader, path: string): boolean {
  if (headers.has("sec-fetch-mode")) return isNavigation(headers);
  if (headers.has("upgrade-insecure-requests")) return true;
  return /^\/__proxy__\/?\?token=[^&]*$/.test(path) && prefersHtml(headers.get("accept"));
}

/**
 * Answers with the sign-in page, if a browser's user has sent no valid token.
 *
 * @param refusal the error that everyone else gets
 * @param next the path to continue at
 * @throws {ProxyError} the refusal, if no user sees the response
 */
export function answerSignInPage(
  exchange: Exchange,
  refusal: unknown,
  next: string = isReserved(exchange.path) ? withoutToken(exchange.path) : exchange.path,
): Reply {
  if (!(refusal instanceof ProxyError) || refusal.status !== 401 || !isLookedAt(exchange)) throw refusal;
  const { config: { mountPath }, carried, record, path } = exchange;
  record.refuse(refusal);
  const isWrong = next !== path;
  const content = carried.label === undefined
    ? `<p>${isWrong ? "That is not a token of this proxy." : "This proxy asks for its token."}</p>
<form method="post" action="${escapeHtml(mountPath + SIGN_IN)}">
<input type="hidden" name="next" value="${escapeHtml(next)}">
<label for="token">Token</label>
<input id="token" name="token" type="password" required autofocus autocomplete="current-password">
<button>Sign in</button>
</form>`
    : `<p>This proxy asks for its token, and a label is an origin of its own: having signed in to the console does not count here.</p>
<p>If you trust the target of this label, open <code>${RESERVED}/?token=</code> with the token here once.</p>`;
  return answerPage(refusal.status, "Sign in", content, { ...refusal.headers, ...proxyStatusOf(refusal) });
}

/**
 * Takes the form.
 *
 * @param check rejects if the token is not one of this proxy; otherwise returns the token to store
 * @throws {ProxyError} `method_not_allowed`, `request_too_large`, `bad_request`; for programs, the 401 of `check`
 */
export async function takeSignIn(
  exchange: Exchange,
  check: (token: string) => Promise<string>,
): Promise<Reply> {
  const { incoming: { method }, carried: { label } } = exchange;
  checkMethod(method, "POST");
  if (label !== undefined) {
    throw new ProxyError("forbidden", "Cannot sign in on a label: its page would see the token");
  }
  const form = new URLSearchParams(new TextDecoder().decode(await readPosted(exchange, MAX_FORM_BYTES)));
  const next = readNext(form.get("next"));
  try {
    return keepToken(exchange, await check(form.get("token") ?? ""), next);
  } catch (refusal) {
    return answerSignInPage(exchange, refusal, next);
  }
}

/** The path without the token in it. */
function withoutToken(path: string): string {
  const [pathname = ""] = path.split("?", 1);
  const query = dropParameter(readQuery(path), "token");
  return pathname + (query && `?${query}`);
}

/** Reads the path to continue at: only paths of this origin, and never the form itself. */
function readNext(sent: string | null): string {
  const isOwn = sent !== null && /^\/(?![/\\])[\x21-\x7e]*$/.test(sent);
  return isOwn && !sent.startsWith(SIGN_IN) ? sent : `${RESERVED}/`;
}

/** True if a browser shows the response in a window. Over plain http, except to loopback, there is no Fetch Metadata. */
function isLookedAt({ incoming: { headers, method }, path }: Exchange): boolean {
  if (method !== "GET" && !(method === "POST" && path.startsWith(SIGN_IN))) return false;
  if (headers.has("sec-fetch-mode")) return isTopNavigation(headers);
  return headers.has("upgrade-insecure-requests") && prefersHtml(headers.get("accept"));
}
