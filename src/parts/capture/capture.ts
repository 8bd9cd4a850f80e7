/**
 * What is kept of one request while capture is on: types only, as the console and `traffic.har` read them.
 *
 * Secrets are masked before they are kept here (see `mask-fields.ts`), except in a viewer's own requests. Keys of the table are
 * masked always.
 * @module
 */

/** One field line as it stood on the wire: order, case and repetitions stay. */
export type FieldLine = [name: string, value: string];

/** A body as on the wire, as far as it is kept. */
export interface CapturedBody {
  /** The first bytes, Base64. */
  base64: string;
  /** Bytes that passed so far, kept or not; a key that was replaced counts as what stands in its place. */
  size: number;
  /** True once it has ended. */
  isOver: boolean;
  /** Why nothing is kept of it, where that is not the size alone. */
  withheld?: string;
}

/** A request's head; its body is that of the whole exchange, unless a hop dropped it. */
export interface CapturedRequest {
  method: string;
  /** Absolute; secrets in it are masked. */
  url: string;
  headers: FieldLine[];
  /** Fields behind its body (RFC 9110 §6.5); absent if there are none. */
  trailers?: FieldLine[];
}

/** A response's head. */
export interface CapturedResponse {
  status: number;
  statusText: string;
  headers: FieldLine[];
  /** Fields behind its body; absent if there are none. */
  trailers?: FieldLine[];
}

/** The head of an interim response (RFC 9110 §15.2). */
export interface CapturedInterim extends CapturedResponse {
  /** Milliseconds since the request arrived. */
  atMs: number;
}

/** When each step of a hop was over, in milliseconds since the request arrived; absent if there was none or it is not over. */
export interface CapturedTimes {
  /** The hop began. */
  startMs: number;
  /** Addresses are known and judged. */
  lookedUpMs?: number;
  /** The connection is open. */
  connectedMs?: number;
  /** TLS is agreed upon. */
  securedMs?: number;
  /** The last byte of the request was handed to the connection. */
  sentMs?: number;
  /** The first byte of the response arrived. */
  firstByteMs?: number;
  /** The last byte of the response arrived. */
  endMs?: number;
  /** True for a connection that was open already; absent where the runtime does not tell. */
  isReused?: boolean;
}

/** One request to a target: the first, or one after a redirect. */
export interface CapturedHop {
  request: CapturedRequest;
  /** What the target said before its response, oldest first; absent if it said nothing. */
  interims?: CapturedInterim[];
  response?: CapturedResponse;
  /** The addresses that were judged and may be dialled; absent if none were. */
  addresses?: readonly string[];
  /** The other proxy that it goes through, without credentials. */
  upstream?: string;
  times: CapturedTimes;
  /** The code of the failure. */
  error?: string;
}

/** One message of a WebSocket. */
export interface CapturedMessage {
  /** Milliseconds since the request arrived. */
  atMs: number;
  from: "caller" | "target";
  kind: "text" | "binary" | "ping" | "pong" | "close";
  /** Bytes of its payload. */
  size: number;
  /** The payload's first bytes, Base64. */
  base64: string;
  /** True if the payload is compressed (RFC 7692) and shown as it is. */
  isCompressed?: boolean;
}

/** One request, from the caller's first byte to the last one back. */
export interface Capture {
  /** The id of its log line. */
  id: string;
  /** When it arrived, in Unix milliseconds. */
  time: number;
  selector?: string;
  /** The id of the caller's own token. */
  callerId?: string;
  /** True for a request that this viewer's console sent: its secrets are not masked. */
  isOwn?: true;
  isRunning: boolean;
  /** As the caller sent it, and as it was answered. */
  request: CapturedRequest;
  /** What the caller was told before its response, oldest first; absent if it was told nothing. */
  interims?: CapturedInterim[];
  response?: CapturedResponse;
  /** What went to targets, oldest first; none if the proxy answered by itself. */
  hops: CapturedHop[];
  requestBody?: CapturedBody;
  responseBody?: CapturedBody;
  /** Messages of a WebSocket, oldest first. */
  messages?: CapturedMessage[];
  /** Messages that are no longer kept. */
  skippedMessages?: number;
  /** Milliseconds until the head of the answer, and until the end. */
  headMs: number;
  totalMs: number;
  /** The code of the error, if the proxy answered one or the body was cut. */
  error?: string;
}

/** What capture does now. */
export interface CaptureState {
  /** Bytes of each body that are kept; 0 for heads only; `null` while it is off. */
  bodyBytes: number | null;
  /** When it ends by itself, in Unix milliseconds; absent if the setting `CAPTURE` has it on. */
  until?: number;
  /** Requests and bytes that are kept, and the most bytes. */
  requests: number;
  bytes: number;
  maxBytes: number;
}
