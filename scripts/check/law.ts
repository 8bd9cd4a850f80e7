/**
 * The law of the rooms: which room may import which, and how many entries a room may have. `layers.ts` applies it.
 * @module
 */

/** The interfaces between the core and a runtime: what the runtime provides, and what watches a hop. */
const LENT = ["core/runtime", "core/shared", "core/interim", "core/hop-watch", "core/socket-message"];
const GROUND = ["core/http", "core/address", "core/settings", ...LENT];
const CORE = [...GROUND, "core/part", "core/who", "core/exchange", "core/may", "core/way"];
const SEED = [...CORE, "core/door", "core/steps", "core/pages"];
const WIRE = ["core/http", "core/address/route", ...LENT];
const CARRYING = [
  "wire",
  "wire/codec",
  "wire/client",
  "wire/tls",
  "wire/tunnel",
  "wire/server",
  "wire/websocket",
];
const OFFERED = [...CORE, "index"];
const RUNTIME = [...OFFERED, ...CARRYING, "runtimes/process"];
const PARTS = [
  "audit",
  "capture",
  "console",
  "explain",
  "forms",
  "gate",
  "headers",
  "links",
  "metrics",
  "report",
  "tokens",
]
  .map((name) => `parts/${name}`);

/**
 * The whole law, room by room: a room is a folder, or a single file beside the folders. It may import these rooms and,
 * unless `STRANGERS` forbids it, files of its own; `room/file` stands for that single file.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "core/http": [],
  "core/address": ["core/http"],
  "core/settings": ["core/address", "core/http"],
  "core/who": GROUND,
  "core/exchange": [...GROUND, "core/who"],
  "core/may": [...GROUND, "core/who", "core/exchange"],
  "core/way": CORE,
  "core/steps": CORE,
  "core/door": CORE,
  "core/pages": [...CORE, "core/steps/target"],
  "core": SEED,
  ...Object.fromEntries(PARTS.map((part) => [part, CORE])),
  "parts/console": [...CORE, "core/pages", "parts/capture"],
  "parts/explain": [
    ...CORE,
    "core/pages",
    "core/steps/target",
    "core/door/check-token",
    "core/door/cors",
    "core/door/request-line",
  ],
  "parts": [
    "core/part",
    "parts/audit",
    "parts/capture",
    "parts/console",
    "parts/explain",
    "parts/forms",
    "parts/headers",
    "parts/links",
    "parts/metrics",
    "parts/report",
    "parts/tokens",
  ],
  "index": [...CORE, "core/proxy", "parts/usual", ...PARTS],
  "client": [
    ...["arg", "label", "plain-url", "sealed-head", "signature"].map((name) => `core/address/${name}`),
    "core/http/headers",
    "core/http/owned-fields",
  ],
  "console": ["core/http", "core/address", "client", "parts/capture", "parts/console", "parts/explain"],
  "wire": [...WIRE, ...CARRYING],
  "wire/codec": [...WIRE, "wire"],
  "wire/client": [...WIRE, "wire", "wire/codec"],
  "wire/tls": [...WIRE, "core/address", "wire", "wire/client"],
  "wire/tunnel": [...WIRE, "core/address", "wire", "wire/client", "wire/codec", "wire/tls"],
  "wire/server": [...WIRE, "core/address", ...CARRYING],
  "wire/websocket": [...WIRE, ...CARRYING],
  "runtimes": [...RUNTIME, "runtimes/bun", "runtimes/deno", "runtimes/node", "runtimes/worker"],
  "runtimes/bun": RUNTIME,
  "runtimes/deno": RUNTIME,
  "runtimes/node": RUNTIME,
  "runtimes/worker": [...OFFERED, "parts/gate"],
  "runtimes/process": [...OFFERED, ...CARRYING, ...PARTS],
  "command/processes": [...OFFERED, ...PARTS, "core/door/rate-store", "runtimes/process"],
  "command/run": [...OFFERED, ...PARTS, "command", "command/processes", "runtimes/process"],
  "command": [
    ...OFFERED,
    ...PARTS,
    "core/pages/argument/argument",
    "command/processes",
    "command/run",
    "runtimes/process",
    "runtimes/bun",
    "runtimes/deno",
    "runtimes/node",
  ],
};

/** Rooms whose files never import each other. */
export const STRANGERS = ["core/steps", "runtimes"];

/** Rooms with a limit: maximum files and folders directly inside. */
export const MAX_ENTRIES: Readonly<Record<string, number>> = {
  "src": 8,
  "src/runtimes": 10,
  "src/core/steps": 5,
};
