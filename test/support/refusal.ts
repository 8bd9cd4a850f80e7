/**
 * What a refused target looks like to its caller.
 * @module
 */
import { expect } from "vitest";
import type { Answer } from "./client.ts";
import { MESSAGE } from "./message.ts";
import { NOTHING } from "./sentinel.ts";
import type { Selector } from "./ways.ts";
import type { World } from "./world.ts";

/** The error types of a refusal (RFC 9209). */
export type RefusalType =
  | "destination_ip_prohibited"
  | "http_request_denied"
  | "proxy_loop_detected"
  | "http_request_error"
  | "dns_error"
  | "dns_timeout"
  | "tls_certificate_error"
  | "destination_unavailable";

const STATUSES: Record<RefusalType, number> = {
  destination_ip_prohibited: 403,
  http_request_denied: 403,
  proxy_loop_detected: 508,
  http_request_error: 400,
  dns_error: 502,
  dns_timeout: 504,
  tls_certificate_error: 502,
  destination_unavailable: 502,
};

/** Checks the answer: status, error type, and an error object with the title that belongs to the selector. */
export function expectRefusal(answer: Answer, error: RefusalType, selector: Selector = "header"): void {
  const proxyStatus = answer.header("proxy-status");
  expect({ status: answer.status, proxyStatus, text: answer.text }).toMatchObject({
    status: STATUSES[error],
    proxyStatus: expect.stringMatching(`^fetchvia; error=${error}; details=".+"$`),
  });
  expect(answer.json()).toEqual({
    title: selector === "arg" ? "Fetch API Error" : "Proxy Error",
    detail: expect.stringMatching(MESSAGE),
  });
}

/** Checks that nobody was dialled. */
export async function expectUntouched(world: World): Promise<void> {
  expect(await world.seen()).toEqual(NOTHING);
}
