/**
 * The content of a link to the proxy: types only.
 * @module
 */

/** The request that an `arg` link describes (specification 2.1). Only `url` is required. */
export interface FetchArgument {
  /** Absolute `http` or `https` address. */
  url: string;
  /** Any token but `CONNECT` and `TRACE`; `GET` by default. */
  method?: string;
  /** Fields by name, sent unchanged; none by default. */
  headers?: Record<string, string>;
  /**
   * A string is sent as it is, any other value as JSON (an object as a form if `content-type` says so). No body by
   * default.
   */
  body?: unknown;
  /** `manual` returns a 3xx as the target sent it; `follow` by default. */
  redirect?: "follow" | "manual";
}

/** How a link is signed, for proxies with `SIGNING_KEY`. Links are not signed by default. */
export interface SignOptions {
  /** The key of the proxy. Whoever has it can sign links, so keep it out of pages. */
  key?: string;
  /**
   * When a signed link expires: a `Date`, or Unix seconds (12 digits at most, so no milliseconds). Never by default.
   */
  expires?: Date | number;
}
