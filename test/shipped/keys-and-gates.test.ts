/**
 * The table of docs/certificates.md: it is a good one.
 * @module
 */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { LEAF, LEAF_KEY } from "../support/certificate.ts";
import { ROOT } from "../support/proxy.ts";
import { tableOf } from "../support/table.ts";

const FILES = { "./staging-ca.pem": LEAF, "./me.pem": LEAF, "./me.key": LEAF_KEY };

it("the table in docs/certificates.md is read, with each member that it tells of", async () => {
  const section = await readFile(`${ROOT}/docs/certificates.md`, "utf8");
  const [, json = ""] = /```json\n([^`]+)```/.exec(section) ?? [];
  const { entries, unchecked } = tableOf(JSON.parse(json) as Record<string, unknown>, FILES);
  const members = new Set(entries.flatMap(({ tls }) => Object.keys(tls ?? {})));
  const told = [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, row = ""]) =>
    row.match(/[a-zA-Z]+/g) ?? []
  );
  expect(members).toEqual(new Set(["ca", "pin", "cert", "key", "serverName", "insecure", "minVersion"]));
  expect(new Set(told)).toEqual(members);
  expect(unchecked).toBe(1);
});
