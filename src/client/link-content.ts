/**
 * The content of a link to the proxy: types only.
 * @module
 */

/** The request that an `arg` link describes (specification 2.1). Only `url` is required. */
export interface FetchArgument {
  /** Absolute `http` or `https` address. */
  url: string;
  /** Any token but `CONNECT` and `TRACE`; `GET` by default. */
  method?: string | undefined;
  /** Fields by name, sent unchanged; none by default. */
  headers?: Record<string, string> | undefined;
  /**
   * A string is sent as it is, any other value as JSON (an object as a form if `content-type` says so). No body by
   * default.
   */
  body?: unknown;
  /** `manual` returns a 3xx as the target sent it; `follow` by default. */
  redirect?: "follow" | "manual" | undefined;
}

/** How a link is signed, for proxies with `SIGNING_KEY`. Links are not signed by default. */
export interface SignOptions {
  /** The key of the proxy. Whoever has it can sign links, so keep it out of pages. */
  key?: string | undefined;
  /**
   * When a signed link expires: a `Date`, or Unix seconds (12 digits at most, so no milliseconds). Never by default.
   */
  expires?: Date | number | undefined;
}

/** How `createFetch` reaches the proxy. By default each request is passed on unchanged, and unsigned. */
export interface FetchOptions extends SignOptions {
  /**
   * `url` (the default) passes on method, headers and body of each request unchanged. A body is sent whole, with its
   * length; only a stream given as `init.body` is streamed, which browsers do over HTTP/2 only.
   *
   * `arg` sends the JSON that describes the request, so that nothing of the page itself goes to the target. Its body is
   * UTF-8 text. With a `key`, the whole request must fit in a link of 60 000 characters, because a POST can't be signed.
   */
  mode?: "url" | "arg" | undefined;
  /** The token of a proxy with `PROXY_TOKEN`. It never goes to the target. None by default. */
  token?: string | undefined;
  /**
   * True to leave out what identifies the page: its `origin`, its `referer` and all `sec-*`. Fields that a request sets
   * itself are sent. False by default; mode `arg` sends nothing of the page anyway.
   */
  anonymous?: boolean | undefined;
  /**
   * True to ask for sealed responses: the browser stores and follows nothing in them, adds none of its cookies and
   * passwords, and `readHead` reads `Set-Cookie` too. By default true where `fetch` hides fields (browsers), else false.
   */
  seal?: boolean | undefined;
}
