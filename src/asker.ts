/**
 * Who asks: a program, a browser's user, or a page, and whose.
 * @module
 */

/**
 * Who asks.
 * - `program`: no browser
 * - `user`: a browser, for its user: what is typed, opened from outside, or a form of the proxy's own page
 * - `console`: the script of the console, which shows the ticket that its page was given
 * - `granted`: a page whose origin `CORS_ORIGINS` lists (by default: a loopback origin), or a link signed with the key
 * - `stranger`: a page of another site that `CORS_ORIGINS=*` alone lets in
 * - `page`: a page that a target served through the proxy
 */
export type Asker = "program" | "user" | "console" | "granted" | "stranger" | "page";
