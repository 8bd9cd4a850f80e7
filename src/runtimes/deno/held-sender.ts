/**
 * The sender for Deno: a response that begins during the upload waits for the rest of it.
 *
 * `Deno.serve` (2.8.3 to 2.9.5) stops reading a request once its response streams (deno#36624, fixed in 2.9.6). Targets
 * that answer before the upload ends, such as `git http-backend`, would wait for a body that never comes.
 * @module
 */

import type { Send, Upstream } from "../../core/runtime.ts";
import type { Upload } from "../../wire/client/upload.ts";
import { createHttpSender } from "../../wire/client/sender.ts";

/** How often the progress of an upload is checked, in milliseconds. */
const LOOK_MS = 250;
/** After this many checks without progress (two seconds), the upload counts as waiting for the response. */
const MAX_STILL_LOOKS = 8;
/**
 * A target that refuses or redirects does not want the rest, and the caller should learn that at once (RFC 9112 §9.5).
 */
const LEAST_REFUSAL = 300;

/** Makes a sender with its own connection pool. */
export function createDenoSender(version: string | undefined = process.versions.deno): Send {
  return createHttpSender(losesUploads(version) ? { finish: holdResponse } : {});
}

/** True for versions whose server stops reading after the response headers. */
export function losesUploads(version = ""): boolean {
  const [, minor, patch] = /^2\.(\d+)\.(\d+)/.exec(version) ?? [];
  return (minor === "8" && Number(patch) >= 3) || (minor === "9" && Number(patch) < 6);
}

/** Holds a response back while its upload makes progress, except refusals. */
export function holdResponse(response: Upstream, upload?: Upload): Upstream | Promise<Upstream> {
  return upload && response.status < LEAST_REFUSAL ? untilStill(upload).then(() => response) : response;
}

/** Settles when the upload has ended, or stalls because its caller or target waits for the response. */
function untilStill(upload: Upload): Promise<void> {
  return new Promise((resolve) => {
    let { size } = upload;
    let stillLooks = 0;
    const settle = () => {
      clearInterval(looks);
      resolve();
    };
    const looks = setInterval(() => {
      stillLooks = upload.size === size ? stillLooks + 1 : 0;
      size = upload.size;
      if (stillLooks === MAX_STILL_LOOKS) settle();
    }, LOOK_MS);
    upload.onOver = settle;
  });
}
