/**
 * A proxy that holds keys for some hosts, and how to find a key wherever it turned up.
 * @module
 */
import { base64 } from "./arg.ts";
import { LACKS } from "./capabilities.ts";
import type { RuntimeName, Settings } from "./proxy.ts";
import type { Heard } from "./sentinel.ts";

/** The host that the keys are bound to, where it is, and where all others are. */
export const BOUND = "api.bound.test";
export const BOUND_ADDRESS = "127.5.5.5";
export const OTHER = "evil.test";
export const OTHER_ADDRESS = "127.6.6.6";

const FIRST_KEY = "sk-first/secret key+$&1";
const SECOND_KEY = "sk-second-secret";

/** Fields with a key that only the bound host may get. */
export const PLACED = { "x-b": "b {{SECOND_KEY}}" };

/** Where no name is looked up, callers must show it: nobody knows there who is near. */
const TOKEN = "t0ken";

/** Its settings. The keys may go out over http, because their hosts are on loopback. */
const BOUND_SETTINGS = {
  FIRST_KEY,
  SECOND_KEY,
  LOG: "json",
  METRICS: "true",
  CORS_ORIGINS: "https://app.test",
  ADDRESS_FORMS: "cors-anywhere,corsproxy",
  PROXY_LABELS: `other=http://${OTHER},twin=http://${BOUND}.${OTHER}`,
  TARGETS: JSON.stringify({
    [BOUND]: {
      label: "bound",
      set: { "x-api-key": "Key {{FIRST_KEY}}", "?key": "{{FIRST_KEY}}" },
      keys: ["SECOND_KEY"],
    },
    "*.wild.test": { set: { authorization: "Bearer {{FIRST_KEY}}" } },
    "ported.test:8000": { set: { authorization: "Bearer {{FIRST_KEY}}" } },
    [OTHER]: { set: { "x-evil": "{{}} {{NO KEY}}" } },
  }),
};

/** How the hosts are written on a runtime, and how its proxy is set and asked. */
export interface Stage {
  /** The text with its hosts as they are written there. */
  spell(text: string): string;
  settings: Settings;
  /** Fields of every caller. */
  fields: Readonly<Record<string, string>>;
}

/**
 * The stage of a runtime. Where names are looked up, addresses tell what is on this machine. Elsewhere only names can, so
 * every host is below `localhost`, the others too: the table alone decides.
 */
export function stageOf(runtime: RuntimeName): Stage {
  if (LACKS[runtime]["look-ups of names"] === undefined) {
    return { spell: (text) => text, settings: BOUND_SETTINGS, fields: {} };
  }
  const spell = (text: string) => text.replaceAll("test", "localhost").replaceAll("TEST", "LOCALHOST");
  const { PROXY_LABELS, TARGETS } = BOUND_SETTINGS;
  const spelled = { PROXY_LABELS: spell(PROXY_LABELS), TARGETS: spell(TARGETS) };
  return {
    spell,
    settings: { ...BOUND_SETTINGS, ...spelled, PROXY_TOKEN: TOKEN, PRIVATE_TARGETS: "true" },
    fields: { proxy_token: TOKEN },
  };
}

/** Every text that gives a key away. The Base64 is that of the key alone, and of what a field says. */
const SECRETS = [FIRST_KEY, SECOND_KEY].flatMap((key) => [
  key,
  encodeURIComponent(key),
  encodeURIComponent(key).toLowerCase(),
  encodeURIComponent(encodeURIComponent(key)),
  new URLSearchParams({ key }).toString().slice("key=".length),
  base64(key).replace(/=+$/, "").slice(0, -1),
  base64(`Key ${key}`).replace(/=+$/, "").slice(8, -1),
]);

/** The secrets in a text, in either case, also within the Base64 of a sealed head or an `arg`. */
export function findSecrets(text: string): string[] {
  const decoded = [...text.matchAll(/[\w+/-]{24,}/g)].map(([part]) =>
    Buffer.from(part, "base64").toString("latin1")
  );
  const lowered = [text, ...decoded].join("\n").toLowerCase();
  return SECRETS.filter((secret) => lowered.includes(secret.toLowerCase()));
}

/** True for a request that reached the host that the keys are bound to, under its own name. */
export function isBound({ dialled, host }: Heard): boolean {
  return dialled.startsWith(`${BOUND_ADDRESS}:`) &&
    /^api\.bound\.(?:test|localhost)\.?(?::\d+)?$/i.test(host);
}
