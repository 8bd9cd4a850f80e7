/**
 * Completes the address as it is typed, and tells of what stands there whether it is one.
 * @module
 */

/** An address that can be requested, with what was changed in it, or why it can't. */
export type Completed = { url: string; note?: string; problem?: undefined } | { problem: string };

const EXAMPLE = "such as https://api.example.com/path";

/**
 * Completes a typed address: a path gets the host, a bare name gets a scheme, spaces are encoded. All else stays as
 * typed.
 *
 * @param host the host for a path without one, or `null`
 */
export function completeAddress(typed: string, host: string | null): Completed {
  const text = typed.trim();
  const isPath = text.startsWith("/");
  if (text === "") return { problem: `Enter an address ${EXAMPLE}` };
  if (isPath && !host) {
    return { problem: `${shorten(text)} has no host: set one above, or write the whole address` };
  }
  const unresolved = /^[^/?#]*\{\{|^https?:\/\/[^/?#]*\{\{/i.test(text) && /\{\{[^{}]*\}\}/.exec(text)?.[0];
  if (unresolved) return { problem: `${unresolved} in the address has no value: set it under Saved` };
  const written = addScheme(text, host, isPath);
  const url = written.replace(/[\s]/g, encodeURIComponent);
  if (!/^https?:\/\/[^/?#]/i.test(url) || !URL.canParse(url)) {
    const scheme = /^[a-z][a-z\d+.-]*:/i.exec(text)?.[0];
    const isOther = scheme !== undefined && !/^https?:$/i.test(scheme) && written === text;
    return {
      problem: isOther
        ? `${scheme} can't be requested: enter http or https`
        : `This is no address ${EXAMPLE}`,
    };
  }
  const notes = [
    typed !== text && "Blanks around the address are left out",
    url !== written && "Blanks in the address go out as %20",
  ].filter((note) => typeof note === "string");
  return { url, ...(notes.length > 0 && { note: notes.join(". ") }) };
}

/** The completed address; `""` if it is none. */
export function completeText(typed: string, host: string | null): string {
  const completed = completeAddress(typed, host);
  return completed.problem === undefined ? completed.url : "";
}

/** True for the address of a WebSocket. */
export function isSocketAddress(typed: string): boolean {
  return /^\s*wss?:\/\//i.test(typed);
}

function addScheme(text: string, host: string | null, isPath: boolean): string {
  if (isPath) return (host ?? "") + text;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return text;
  return `${/^(?:localhost|127\.|\[::1\])/i.test(text) ? "http" : "https"}://${text}`;
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** True for text that begins a curl command. */
export function isCurl(text: string): boolean {
  return /^\s*(?:\$\s+)?curl(?:\.exe)?\s/.test(text);
}
