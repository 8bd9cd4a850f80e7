/**
 * Converts requests and responses from the forms of the Web to those of the core. No other module does that.
 * @module
 */

import { type Body, isStreaming, type StandardBody } from "../http/body.ts";
import { answerError, ProxyError } from "../http/error.ts";
import type { FieldReader } from "../http/fields.ts";
import { FlowBody } from "../http/flow.ts";
import { fromStream } from "../http/read-along.ts";
import { type Reply, toResponse } from "../http/reply.ts";
import type { Signal } from "../http/cancellation.ts";
import type { TargetResponse } from "./exchange.ts";
import type { HandedBody, Incoming, Upstream } from "../runtime.ts";

/** A request as a server passes it in. A `Request` is one. */
export interface HandedRequest extends Omit<Incoming, "body"> {
  /** The unread body; `null` for none. */
  readonly body: HandedBody;
}

/** Converts a body to the form of the core. */
export function takeBody(body: HandedBody | undefined): Body {
  if (!body) return null;
  return body instanceof Uint8Array || body instanceof FlowBody ? body : fromStream(body);
}

/**
 * Converts a request to the form of the core. Its body is accessed only when needed, because that access may be
 * expensive.
 *
 * @param headers its fields, in a form that is cheaper to read
 */
export function takeRequest(request: HandedRequest, headers?: FieldReader): Incoming {
  return new TakenRequest(request, headers);
}

/** Answers a request of the Web with a `Response`; what is no request, with a 500 that says so. */
export async function respond(
  request: HandedRequest,
  reply: (incoming: Incoming) => Promise<Reply>,
): Promise<Response> {
  if (isRequest(request)) return toResponse(await reply(takeRequest(request)), request, writeBody);
  const error = new ProxyError("internal", "Cannot answer: what was handed to the proxy is no Request");
  return toResponse(answerError(error, "Proxy Error"), { method: "" });
}

function isRequest(handed: Partial<HandedRequest> | null | undefined): boolean {
  return typeof handed?.method === "string" && typeof handed.url === "string" &&
    typeof handed.headers?.get === "function";
}

/** Frameworks may show the error of a body to callers, who see no text of the system (rule 6.2). */
function writeBody(body: Body): StandardBody {
  return isStreaming(body) ? body.stream(explainCut) : body;
}

function explainCut(cause: Error): ProxyError {
  if (cause instanceof ProxyError) return cause;
  return new ProxyError("connection_terminated", "The response ended early", { cause });
}

/** Converts the response of a sender to the form of the core. */
export function takeResponse(upstream: Upstream): TargetResponse {
  const body = takeBody(upstream.body);
  return body === upstream.body ? upstream as TargetResponse : { ...upstream, body };
}

class TakenRequest implements Incoming {
  readonly method: string;
  readonly url: string;
  readonly headers: FieldReader;
  readonly #request: HandedRequest;
  #body: Body | undefined;
  #isLocked = false;

  constructor(request: HandedRequest, headers: FieldReader = request.headers) {
    this.method = request.method;
    this.url = request.url;
    this.headers = headers;
    this.#request = request;
  }

  get fieldBytes(): number | undefined {
    return this.#request.fieldBytes;
  }

  get signal(): Signal {
    return this.#request.signal;
  }

  get body(): Body {
    if (this.#body !== undefined) return this.#body;
    const { body } = this.#request;
    this.#isLocked = body !== null && "locked" in body && body.locked;
    return this.#body = takeBody(body);
  }

  /** Also true while the stream is locked by another reader. */
  get bodyUsed(): boolean {
    return this.#request.bodyUsed === true || (this.body !== null && this.#isLocked);
  }
}
