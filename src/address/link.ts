/**
 * What a link to the proxy says: types only.
 * @module
 */

/** The request that an `arg` link describes (specification 2.1). Only `url` is required. */
export interface FetchArgument {
  /** Absolute `http` or `https` address. */
  url: string;
  /** Any token but `CONNECT` and `TRACE`; `GET` by default. */
  method?: string;
  /** Fields by name, sent as they are; none by default. */
  headers?: Record<string, string>;
  /**
   * A string goes out as it is, any other value as JSON (an object as a form where `content-type` says so). No body by
   * default.
   */
  body?: unknown;
  /** `manual` hands a 3xx on as the target sent it; `follow` by default. */
  redirect?: "follow" | "manual";
}

/** How a link is signed, for proxies with `SIGNING_KEY`. Links are not signed by default. */
export interface SignOptions {
  /** The key of the proxy. Whoever has it can make links: keep it out of pages. */
  key?: string;
  /** Until when a signed link is good: a `Date`, or Unix seconds (12 digits at most, so no milliseconds). For ever by default. */
  expires?: Date | number;
}
