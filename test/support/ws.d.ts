/**
 * The part of `ws` that the tests use.
 * @module
 */

declare module "ws" {
  import type { EventEmitter } from "node:events";
  import type { IncomingMessage } from "node:http";

  interface ClientOptions {
    headers?: Record<string, string>;
    perMessageDeflate?: boolean;
    maxPayload?: number;
  }

  export default class WebSocket extends EventEmitter {
    readonly protocol: string;
    readonly extensions: string;
    constructor(address: string, protocols: readonly string[], options: ClientOptions);
    send(data: string | Uint8Array): void;
    ping(data: string): void;
    close(code?: number, reason?: string): void;
    terminate(): void;
  }

  interface ServerOptions {
    host: string;
    port: number;
    perMessageDeflate?: boolean;
    maxPayload?: number;
    handleProtocols?(protocols: Set<string>, request: IncomingMessage): string | false;
  }

  export class WebSocketServer extends EventEmitter {
    readonly clients: Set<WebSocket>;
    constructor(options: ServerOptions);
    address(): { port: number };
    close(): void;
  }
}
