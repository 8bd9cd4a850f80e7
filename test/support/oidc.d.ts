/**
 * The parts of `express`, `express-openid-connect` and `oidc-provider` that the tests use.
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
