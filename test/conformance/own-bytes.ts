/**
 * Nobody gets another's bytes: each message has an alphabet of its own, and whatever either end or a capture holds of it
 * is in that alphabet. `OWN_BYTES` says how many bytes; `npm run soak -- --own-bytes` takes a thousand million.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CERT_FILE, KEY_FILE } from "../support/certificate.ts";
import { mint } from "../support/mint.ts";
import { OwnCaller, type Place } from "../support/own-bytes/caller.ts";
import { checkCaptures } from "../support/own-bytes/captures.ts";
import { CALLERS, TARGETS } from "../support/own-bytes/plan.ts";
import { Tally } from "../support/own-bytes/tally.ts";
import { OwnTarget } from "../support/own-bytes/target.ts";
import { killLeft, type RuntimeName, type Settings, startProxy } from "../support/proxy.ts";
import { START_MS } from "../support/turns.ts";

const WANTED_BYTES = Number(process.env["OWN_BYTES"] ?? 10_000_000);
/** So many bytes a second are a slow machine's. */
const SLOW_BYTES = 250_000;
/** Messages between two looks at the captures: all selectors with all framings, and enough of everything else. */
const ROUND = 120;

/** What must have come whole, or have been done, at least once. */
const EVERYTHING = [
  ...["request", "pipeline", "websocket"],
  ...["header", "cookie", "label", "url", "arg"],
  ...["length", "chunked", "close", "HEAD", "204", "304"],
  ...["upload none", "upload length", "upload chunked", "upload expect"],
  ...["caller cancels", "caller resets", "target resets", "target ends"],
];

/** Keeps little more than a round, because each look reads all that is kept. */
const CAPTURED = { CAPTURE: "64KiB", CAPTURE_BYTES: "16MiB" };

const PLACES: { about: string; settings: Settings; isCaptured: boolean }[] = [
  { about: "one process", settings: {}, isCaptured: false },
  { about: "two processes with capture", settings: { WORKERS: "2", ...CAPTURED }, isCaptured: true },
  {
    about: "a TLS listener with capture",
    settings: { TLS_CERT: CERT_FILE, TLS_KEY: KEY_FILE, ...CAPTURED },
    isCaptured: true,
  },
];

const AUTHORITY = mint({ subject: "authority of own bytes", isAuthority: true });
const SERVED = mint({ names: ["localhost"], issuer: AUTHORITY });

export function describeOwnBytes(runtime: RuntimeName): void {
  describe("nobody else's bytes", () => {
    let folder: string;
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), "fetchvia-"));
      writeFileSync(join(folder, "authority.pem"), AUTHORITY.cert);
    });
    afterAll(() => {
      killLeft();
      rmSync(folder, { recursive: true });
    });

    it.each(PLACES)("come to a caller, a target or a capture: $about", async ({ settings, isCaptured }) => {
      const tally = new Tally();
      const targets = await listenAll(tally);
      const trusted = { NODE_EXTRA_CA_CERTS: join(folder, "authority.pem"), LOG: "off" };
      const proxy = await startProxy(runtime, { ...trusted, ...settings });
      const place: Place = { proxy, targets, tally, tls: "TLS_CERT" in settings };
      const captured = await sendAll(place, WANTED_BYTES / PLACES.length);
      await proxy.stop("SIGKILL");
      await Promise.all(targets.map((target) => target.close()));
      expect(tally.foreign).toEqual([]);
      expect([...tally.seen].sort()).toEqual([...EVERYTHING].sort());
      expect(tally.bytes).toBeGreaterThanOrEqual(WANTED_BYTES / PLACES.length);
      expect([captured.count > 0, captured.bytes > 0]).toEqual([isCaptured, isCaptured]);
    }, START_MS + WANTED_BYTES / SLOW_BYTES * 1_000);
  });
}

/** Two targets by http and one by https. */
function listenAll(tally: Tally): Promise<OwnTarget[]> {
  return Promise.all(Array.from(
    { length: TARGETS },
    (_, place) => new OwnTarget(place, tally, place === TARGETS - 1 ? SERVED : undefined).listen(),
  ));
}

/** Lets all callers send side by side, until enough was checked or something is foreign; says what the captures held. */
async function sendAll(place: Place, wanted: number): Promise<{ count: number; bytes: number }> {
  const { tally } = place;
  const captured = { count: 0, bytes: 0 };
  for (let next = 0; tally.isClean && (next < ROUND || tally.bytes < wanted); next += ROUND) {
    await Promise.all(Array.from({ length: CALLERS }, (_, at) => sendSome(place, next + at, next + ROUND)));
    const looked = await checkCaptures(place);
    captured.count += looked.count;
    captured.bytes += looked.bytes;
  }
  return captured;
}

/** What one caller sends, one message after the other. */
async function sendSome(place: Place, first: number, end: number): Promise<void> {
  const caller = new OwnCaller(place);
  for (let message = first; place.tally.isClean && message < end; message += CALLERS) {
    await caller.send(message);
  }
  caller.close();
}
