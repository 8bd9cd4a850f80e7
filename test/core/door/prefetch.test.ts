/** What a browser fetches ahead of its time. @module */
import { describe, expect, it } from "vitest";
import { refusePrefetch } from "../../../src/core/door/prefetch.ts";
import { exchangeOf } from "../../support/exchange.ts";

const FORBIDDEN = expect.objectContaining({ code: "forbidden" });

describe("a request ahead of its time", () => {
  const ahead = (path: string, purpose: string) => () =>
    refusePrefetch(exchangeOf({ path, fields: { "sec-fetch-site": "none", "sec-purpose": purpose } }));

  it.each([
    { path: "/__proxy__/fetch?arg=e30", purpose: "prefetch" },
    { path: "/__proxy__/fetch?arg=e30", purpose: "prefetch;prerender" },
    { path: "/__proxy__/fetch?arg=e30", purpose: "Prefetch;anonymous-client-ip" },
    { path: "/__proxy__/?host=https://a.test", purpose: "prefetch" },
  ])("is refused: $purpose of $path", ({ path, purpose }) => expect(ahead(path, purpose)).toThrow(FORBIDDEN));

  it.each([
    { path: "/__proxy__/?url=https://a.test/", purpose: "prefetch;prerender" },
    { path: "/__proxy__/fetch?arg=e30", purpose: "" },
    { path: "/__proxy__/fetch?arg=e30", purpose: "prefetching" },
  ])("is taken: $purpose of $path", ({ path, purpose }) => expect(ahead(path, purpose)).not.toThrow());
});
