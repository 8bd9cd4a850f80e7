/**
 * The parts of the packages in `test/apps` that the tests use: `npm run check` works where they are not installed.
 * @module
 */

declare module "express" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  export interface Request extends IncomingMessage {
    body: Record<string, string>;
    oidc: { isAuthenticated(): boolean; fetchUserInfo(): Promise<{ name: string }> };
  }

  export interface Response extends ServerResponse {
    cookie(name: string, value: string): Response;
    send(body: string): void;
  }

  export type Handler = (request: Request, response: Response) => void | Promise<void>;
  export type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

  export interface Express extends RequestListener {
    use(handler: Handler | Middleware | RequestListener): void;
    use(path: string, handler: Middleware): void;
    get(path: string, handler: Handler): void;
    post(path: string, parser: Handler, handler: Handler): void;
  }

  function express(): Express;
  namespace express {
    /** Reads the body of a form. */
    function urlencoded(options: { extended: boolean }): Handler;
  }
  export default express;
}

declare module "express-openid-connect" {
  import type { Handler } from "express";

  export function auth(options: {
    baseURL: string;
    issuerBaseURL: string;
    clientID: string;
    clientSecret: string;
    secret: string;
    authRequired: boolean;
    idpLogout: boolean;
    authorizationParams: { response_type: string; scope: string };
  }): Handler;
}

declare module "oidc-provider" {
  import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

  /** A question to the user on the way to a login. */
  export interface Interaction {
    prompt: { name: string; details: { missingOIDCScope?: string[] } };
    params: { client_id: string };
    session?: { accountId: string };
  }

  export default class Provider {
    /** Believe `X-Forwarded-*`. */
    proxy: boolean;
    readonly Grant: new (of: { accountId: string; clientId: string }) => {
      addOIDCScope(scope: string): void;
      save(): Promise<string>;
    };
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
  }
}

declare module "@anthropic-ai/sdk" {
  interface Asked {
    model: string;
    max_tokens: number;
    messages: { role: "user"; content: string }[];
  }

  interface Stream {
    on(event: "text", listener: (text: string) => void): Stream;
    finalText(): Promise<string>;
  }

  export default class Anthropic {
    static readonly AuthenticationError: new () => Error;
    static readonly PermissionDeniedError: new () => Error;
    readonly messages: {
      create(asked: Asked, options?: { headers: Record<string, string> }): Promise<{ content: unknown[] }>;
      stream(asked: Asked): Stream;
    };
    constructor(options: {
      apiKey: string | null;
      authToken?: null;
      baseURL: string;
      defaultHeaders?: Record<string, string>;
      maxRetries: number;
    });
  }
}

declare module "openai" {
  interface Asked {
    model: string;
    messages: { role: "user"; content: string }[];
  }

  interface Completion {
    choices: { message: { content: string | null } }[];
  }

  interface Chunk {
    choices: { delta: { content?: string | null } }[];
  }

  export default class OpenAI {
    static readonly AuthenticationError: new () => Error;
    static readonly PermissionDeniedError: new () => Error;
    readonly models: { list(): Promise<{ data: { id: string }[] }> };
    readonly chat: {
      completions: {
        create(asked: Asked & { stream: true }): Promise<AsyncIterable<Chunk>>;
        create(asked: Asked): Promise<Completion>;
      };
    };
    constructor(options: {
      apiKey: string;
      baseURL: string;
      defaultHeaders?: Record<string, string>;
      fetch?: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
      maxRetries: number;
    });
  }
}

declare module "@aws-sdk/client-sts" {
  export class GetCallerIdentityCommand {
    readonly input: object;
  }

  export class STSClient {
    constructor(options: {
      endpoint: string;
      region: string;
      credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string };
      maxAttempts: number;
    });
    send(command: GetCallerIdentityCommand): Promise<{ Arn?: string }>;
    destroy(): void;
  }
}

declare module "@modelcontextprotocol/sdk/server/streamableHttp.js" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface EventStore {
    storeEvent(stream: string, message: object): Promise<string>;
    replayEventsAfter(
      last: string,
      to: { send(id: string, message: object): Promise<void> },
    ): Promise<string>;
  }

  export class StreamableHTTPServerTransport {
    constructor(options: {
      sessionIdGenerator: () => string;
      onsessioninitialized?: (id: string) => void;
      eventStore?: EventStore;
      retryInterval?: number;
      enableDnsRebindingProtection?: boolean;
      allowedHosts?: string[];
    });
    handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void>;
  }
}

declare module "@modelcontextprotocol/sdk/server/index.js" {
  import type { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
  import type { Schema } from "zod";

  interface Message {
    method: string;
    params?: object;
  }

  export interface Extra {
    _meta?: { progressToken?: string };
    sendNotification(message: Message): Promise<void>;
    sendRequest(message: Message, schema: Schema<object>): Promise<object>;
    closeSSEStream?(): void;
  }

  export class Server {
    constructor(about: { name: string; version: string }, options: { capabilities: object });
    fallbackRequestHandler: (message: Message, extra: Extra) => Promise<object>;
    connect(transport: StreamableHTTPServerTransport): Promise<void>;
  }
}

declare module "@modelcontextprotocol/sdk/server/mcp.js" {
  import type { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
  import type { Schema } from "zod";

  interface Result {
    content: { type: "text"; text: string }[];
  }

  export class McpServer {
    constructor(about: { name: string; version: string });
    registerTool<Name extends string>(
      name: string,
      about: { inputSchema: Record<Name, Schema<number>> },
      run: (input: Record<Name, number>) => Result,
    ): void;
    connect(transport: StreamableHTTPServerTransport): Promise<void>;
  }
}

declare module "zod" {
  export interface Schema<Value> {
    parse(value: unknown): Value;
  }

  export const z: { number(): Schema<number>; any(): Schema<object> };
}

declare module "isomorphic-git" {
  interface Place {
    fs: typeof import("node:fs");
    dir: string;
  }

  interface Remote extends Place {
    http: object;
    url: string;
    corsProxy: string;
    ref: string;
  }

  export function clone(remote: Remote): Promise<void>;
  export function push(remote: Remote): Promise<{ ok: boolean }>;
  export function add(place: Place & { filepath: string }): Promise<void>;
  export function commit(
    place: Place & { message: string; author: { name: string; email: string } },
  ): Promise<string>;
}

declare module "isomorphic-git/http/web" {
  const http: object;
  export default http;
}

declare module "@scalar/fastify-api-reference" {
  const plugin: (server: object, options: object, next: () => void) => void;
  export default plugin;
}

declare module "vite6" {
  export { createServer, preview } from "vite";
}

declare module "vite7" {
  export { createServer, preview } from "vite";
}

declare module "recheck" {
  type Verdict =
    | { status: "safe" }
    | { status: "unknown"; error: { kind: string } }
    | { status: "vulnerable"; complexity: { summary: string }; attack: { pattern: string } };

  export function checkSync(
    source: string,
    flags: string,
    limits: { timeout: null; seedingTimeout: null; incubationTimeout: null },
  ): Verdict;
}

declare module "webpack" {
  export interface Compiler {
    hooks: { done: { tap(name: string, listener: () => void): void } };
  }

  export default function webpack(options: {
    mode: "development";
    context: string;
    entry: string;
    output: { path: string };
    infrastructureLogging: { level: "none" };
    stats: "none";
  }): Compiler | null;
}

declare module "webpack-dev-server" {
  import type { IncomingMessage, Server, ServerResponse } from "node:http";
  import type { Compiler } from "webpack";

  interface Middleware {
    name: string;
    middleware(incoming: IncomingMessage, outgoing: ServerResponse, next: () => void): void;
  }

  export interface Configuration {
    setupMiddlewares?(middlewares: Middleware[], started: { server: Server | undefined }): Middleware[];
  }

  export default class WebpackDevServer {
    readonly server: Server | undefined;
    constructor(options: Configuration & { host: string; port: number; static: string }, compiler: Compiler);
    start(): Promise<void>;
    stop(): Promise<void>;
  }
}

declare module "@rsbuild/core" {
  import type { IncomingMessage, Server, ServerResponse } from "node:http";

  interface Started {
    middlewares: {
      use(middleware: (incoming: IncomingMessage, outgoing: ServerResponse, next: () => void) => void): void;
    };
    httpServer: Server | null;
  }

  export interface ServerConfig {
    setup?(context: { server: Started }): void;
  }

  export function createRsbuild(options: {
    cwd: string;
    rsbuildConfig: {
      logLevel: "silent";
      source: { entry: Record<string, string> };
      html: { template: string };
      server: ServerConfig & { host: string; port: number; printUrls: boolean };
    };
  }): Promise<{ startDevServer(): Promise<{ port: number; server: { close(): Promise<void> } }> }>;
}

declare module "marked" {
  /** Makes HTML of Markdown. */
  export function marked(text: string): string;
}
