/**
 * What each message is like, by its number alone, so that both ends and the captures know it without a word.
 * @module
 */

export const CALLERS = 8;
export const TARGETS = 3;
/** Requests in one pipeline. */
const PIPELINED = 3;
/** Numbers of pipelined requests begin here, apart from all others. */
const PIPELINE_START = 1_000_000;

const SELECTORS = ["header", "cookie", "label", "url", "arg"] as const;
const FRAMINGS = ["length", "chunked", "close", "HEAD", "204", "304"] as const;
const BODILESS: readonly Framing[] = ["HEAD", "204", "304"];
const UPLOADS = ["none", "length", "chunked", "expect", "none", "length"] as const;
const FAULTS = ["caller cancels", "caller resets", "target resets", "target ends"] as const;
const KINDS = ["pipeline", "websocket"] as const;
const SIZES = [0, 1, 300, 9_000, 17_000, 70_000, 150_000, 400_000];
/** Most bytes of an upload inside an address. */
const ARGUMENT_BYTES = 3_000;

type Selector = typeof SELECTORS[number];
type Framing = typeof FRAMINGS[number];
type Upload = typeof UPLOADS[number];
type Fault = typeof FAULTS[number];

/** One message: a request and its answer, or a WebSocket. */
export interface Plan {
  readonly message: number;
  readonly target: number;
  readonly kind: "request" | typeof KINDS[number];
  readonly selector: Selector;
  readonly framing: Framing;
  readonly upload: Upload;
  readonly uploadBytes: number;
  readonly answerBytes: number;
  readonly fault: Fault | undefined;
  /** Whether caller and target stop now and then before they read on. */
  readonly isSlow: boolean;
  /** Whether it goes over a new connection. */
  readonly isFresh: boolean;
}

/** Without bodies. */
const BARE = { framing: "length", upload: "none", uploadBytes: 0, answerBytes: 0, fault: undefined } as const;

/** The plan of a message. */
export function planOf(message: number): Plan {
  const pick = <T>(salt: number, of: readonly T[]): T => of[mix(message, salt) % of.length]!;
  const chance = (salt: number, oneIn: number) => mix(message, salt) % oneIn === 0;
  const base = { message, target: mix(message, 1) % TARGETS, isSlow: chance(2, 5), isFresh: chance(3, 4) };
  if (message >= PIPELINE_START) return pipelined(base, pick(4, SIZES));
  // Each selector meets each framing.
  const turn = Math.floor(message / CALLERS) + message;
  const selector = SELECTORS[turn % SELECTORS.length]!;
  const fault = chance(5, 4) ? pick(6, FAULTS) : undefined;
  const kind = chance(7, 8) ? pick(8, KINDS) : "request";
  if (kind === "pipeline") return { ...base, ...BARE, kind, selector };
  // An argument opens no WebSocket.
  if (kind === "websocket") {
    return { ...base, ...BARE, kind, selector: selector === "arg" ? "url" : selector, fault };
  }
  const framing = FRAMINGS[Math.floor(turn / SELECTORS.length) % FRAMINGS.length]!;
  const upload = framing === "HEAD" ? "none" : selector === "arg" ? "length" : pick(9, UPLOADS);
  const uploadBytes = upload === "none" ? 0 : 1 + pick(10, SIZES);
  return {
    ...base,
    kind,
    selector,
    framing,
    upload,
    uploadBytes: selector === "arg" ? Math.min(uploadBytes, ARGUMENT_BYTES) : uploadBytes,
    answerBytes: BODILESS.includes(framing) ? 0 : pick(11, SIZES),
    fault,
  };
}

/** The requests of the pipeline that a message stands for. */
export function pipelineOf(message: number): Plan[] {
  return Array.from({ length: PIPELINED }, (_, at) => planOf(PIPELINE_START + message * PIPELINED + at));
}

function pipelined(base: Pick<Plan, "message" | "target" | "isSlow" | "isFresh">, size: number): Plan {
  const framing = (["length", "chunked", "204"] as const)[base.message % 3]!;
  const answerBytes = framing === "204" ? 0 : size;
  return { ...base, ...BARE, kind: "pipeline", selector: "header", framing, answerBytes };
}

/** The stream of the request's bytes. */
export function requestStream(message: number): number {
  return message * 2;
}

/** The stream of the answer's bytes. */
export function answerStream(message: number): number {
  return message * 2 + 1;
}

/** A number of 32 bits that looks like chance, the same each time. */
function mix(message: number, salt: number): number {
  let bits = Math.imul(message + 1, 0x9e37_79b1) ^ Math.imul(salt, 0x85eb_ca6b);
  bits = Math.imul(bits ^ (bits >>> 15), 0x2c1b_3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a_2d39);
  return (bits ^ (bits >>> 15)) >>> 0;
}
