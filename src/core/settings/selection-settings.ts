/**
 * The settings for how callers name targets, and for what applies to each target.
 * @module
 */

import { decodeBase } from "../address/address.ts";
import { findBaseFault } from "../address/fault.ts";
import { parseMountPath } from "../address/mount.ts";
import { findLabelsFault, listOf, parseForms, parseLabels, recordOf } from "./list-values.ts";
import type { Config, Setting } from "./setting.ts";
import { parseDomain } from "./values.ts";

type Name = "proxyDomain" | "mountPath" | "proxyLabels" | "target" | "addressForms" | "targets";

/** These settings, in the order of the table. */
export const SELECTION_SETTINGS: { readonly [K in Name]: Setting<Config[K]> } = {
  proxyDomain: {
    group: "targets",
    fallback: "localhost",
    unit: "domain",
    expected: "a domain name such as proxy.example.com",
    parse: parseDomain,
  },
  mountPath: {
    group: "listen",
    fallback: "",
    unit: "path",
    expected: "a path such as /proxy",
    parse: parseMountPath,
  },
  proxyLabels: {
    group: "targets",
    fallback: new Map(),
    unit: "label=base,…",
    expected: "a list such as api=https://api.example.com,docs=https://docs.example.com/v1",
    ...recordOf(parseLabels),
    findFault: findLabelsFault,
  },
  target: {
    group: "targets",
    fallback: undefined,
    unit: "base",
    expected: "a base address such as https://example.com",
    parse: decodeBase,
    findFault: findBaseFault,
  },
  addressForms: {
    group: "targets",
    part: "forms",
    fallback: [],
    unit: "list",
    expected: "a list of cors-anywhere, corsproxy, scalar and git, such as cors-anywhere,git",
    ...listOf(parseForms),
  },
  targets: {
    group: "targets",
    part: "gate",
    fallback: undefined,
    unit: "file",
    expected: "a JSON file such as targets.json, or a JSON object",
    type: "string | Readonly<Record<string, unknown>>",
    isVerbatim: true,
    // A table may hold keys.
    isSecret: true,
    parse: (text) => text.trim() || undefined,
    parseObject: (value) => value,
  },
};
