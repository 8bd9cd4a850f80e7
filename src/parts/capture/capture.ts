/**
 * The capture of one request: only the types, as the console and `traffic.har` read them.
 *
 * Secrets are masked before they are kept here (see `mask-fields.ts`), except in a viewer's own requests. Keys of the table
 * are always masked.
 * @module
 */

import type { TlsFacts } from "../../core/hop-watch.ts";

/** One header line as sent on the wire: order, case and repetitions are kept. */
export type FieldLine = [name: string, value: string];

/** The captured part of a body, as sent on the wire. */
export interface CapturedBody {
  /** The first bytes, Base64. */
  base64: string;
  /** The same without their content codings, Base64; present if the reader asked for that and it was possible. */
  decoded?: string;
  /** True if the file that it is from holds it without its codings. */
  isDecoded?: true;
  /** Bytes that passed so far, kept or not; a replaced key counts with the length of its replacement. */
  size: number;
  /** True once it has ended. */
  isOver: boolean;
  /**
   * Of a stream of events: when its parts arrived, as bytes so far and milliseconds since the request arrived. Only the
   * first 1,000 that are kept; absent if keys of the table were taken out of it.
   */
  arrivals?: [bytes: number, atMs: number][];
  /** Why bytes are missing, if the size limit is not the only reason. */
  withheld?: string;
}

/** The start line and header section of a request. All hops share the captured request body, unless a hop dropped it. */
export interface CapturedRequest {
  method: string;
  /** Absolute; secrets in it are masked. */
  url: string;
  /** The version that it came in, such as `HTTP/2`; absent if the runtime does not tell, and of hops, which are HTTP/1.1. */
  httpVersion?: string;
  headers: FieldLine[];
  /** Trailers, the fields after its body (RFC 9110 §6.5); absent if there are none. */
  trailers?: FieldLine[];
}

/** The status line and header section of a response. */
export interface CapturedResponse {
  status: number;
  /** Of a target: the version in its status line; absent if the runtime does not tell. */
  httpVersion?: string;
  statusText: string;
  headers: FieldLine[];
  /** Trailers, the fields after its body; absent if there are none. */
  trailers?: FieldLine[];
}

/** The status and headers of an interim response (RFC 9110 §15.2). */
export interface CapturedInterim extends CapturedResponse {
  /** Milliseconds since the request arrived. */
  atMs: number;
}

/** When each step of a hop ended, in milliseconds since the request arrived; absent if it did not happen or still runs. */
export interface CapturedTimes {
  /** The hop began. */
  startMs: number;
  /** Addresses are known and judged. */
  lookedUpMs?: number;
  /** The connection is open. */
  connectedMs?: number;
  /** The TLS handshake is complete. */
  securedMs?: number;
  /** The last byte of the request was handed to the connection. */
  sentMs?: number;
  /** The first byte of the response arrived. */
  firstByteMs?: number;
  /** The last byte of the response arrived. */
  endMs?: number;
  /** True for a connection that was open already; absent if the runtime does not tell. */
  isReused?: boolean;
}

/** One request to a target: the first, or one after a redirect. */
export interface CapturedHop {
  request: CapturedRequest;
  /** The target's interim responses, oldest first; absent if there were none. */
  interims?: CapturedInterim[];
  response?: CapturedResponse;
  /** The addresses that were judged and may be dialled; absent if none were. */
  addresses?: readonly string[];
  /**
   * The number of its connection, from 1 in the order in which captures met them; requests with the same one shared it. With
   * several processes, that of the process stands before it: `2.7`. Absent if the runtime does not tell.
   */
  connection?: string;
  /** The upstream proxy of this hop, without credentials. */
  upstream?: string;
  times: CapturedTimes;
  /** The TLS of its connection; absent without TLS, and where the runtime does not tell. */
  tls?: TlsFacts;
  /** The error code of the failure. */
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

/** One request, from the caller's first byte to the last byte of the response. */
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
  /** The request as the caller sent it; `response` is what the caller got. */
  request: CapturedRequest;
  /** The interim responses to the caller, oldest first; absent if there were none. */
  interims?: CapturedInterim[];
  response?: CapturedResponse;
  /** The requests to targets, oldest first; empty if the proxy answered by itself. */
  hops: CapturedHop[];
  /** The address that was refused, without its query and with its secrets masked; only if there are no hops. */
  refused?: Pick<CapturedRequest, "method" | "url">;
  requestBody?: CapturedBody;
  responseBody?: CapturedBody;
  /** Messages of a WebSocket, oldest first. */
  messages?: CapturedMessage[];
  /** Number of messages that are no longer kept. */
  skippedMessages?: number;
  /** Milliseconds until the headers of the response, and until the end. */
  headMs: number;
  totalMs: number;
  /** The error code, if the proxy responded with an error or the body was cut. */
  error?: string;
}

/** The current state of capture. */
export interface CaptureState {
  /** Bytes of each body that are kept; 0 for headers only; `null` while it is off. */
  bodyBytes: number | null;
  /** When it ends by itself, in Unix milliseconds; absent if it does not, as with the setting `CAPTURE`. */
  until?: number;
  /** True where it follows consoles: it is on while one is open, for callers on this machine. */
  whileOpen?: true;
  /** Requests and bytes that are kept, and the maximum of bytes. */
  requests: number;
  bytes: number;
  maxBytes: number;
}
