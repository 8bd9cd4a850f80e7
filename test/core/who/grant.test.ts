/** What the origin of a page is granted. @module */
import { expect, it } from "vitest";
import type { Grant } from "../../../src/core/address/origins.ts";
import { readGrant } from "../../../src/core/who/grant.ts";
import { exchangeOf } from "../../support/exchange.ts";
import { alike } from "../../support/rows.ts";

const LISTED = "https://app.test";
const LOCAL = "http://localhost:5173";

const GRANTS: {
  set: string | [] | undefined;
  origin: string | undefined;
  isLocal?: boolean;
  grant: Grant;
}[] = [
  { set: undefined, origin: undefined, grant: "none" },
  { set: undefined, origin: LOCAL, grant: "listed" },
  { set: undefined, origin: LOCAL, isLocal: false, grant: "none" },
  { set: undefined, origin: LOCAL, isLocal: undefined, grant: "none" },
  ...alike("origin", { set: undefined, grant: "none" })`null http://evil-test.w.localhost:8080`,
  { set: undefined, origin: LISTED, grant: "none" },
  { set: "*", origin: undefined, grant: "any" },
  { set: "*", origin: LISTED, grant: "any" },
  { set: "*", origin: "null", grant: "any" },
  { set: "*", origin: LOCAL, grant: "any" },
  { set: LISTED, origin: undefined, grant: "none" },
  { set: LISTED, origin: LISTED, grant: "listed" },
  ...alike("origin", { set: LISTED, grant: "none" })`http://app.test https://app.test:8443
    https://app.test.evil.test null`,
  // A list that is set says it all.
  { set: LISTED, origin: LOCAL, grant: "none" },
  { set: [], origin: LOCAL, grant: "none" },
  { set: `${LISTED},*`, origin: LISTED, grant: "listed" },
  { set: `${LISTED},*`, origin: "https://other.test", grant: "any" },
  { set: `${LISTED},*`, origin: undefined, grant: "any" },
];

it.each(GRANTS)(
  "readGrant with $set, for $origin (loopback: $isLocal): $grant",
  ({ set, origin, grant, ...row }) => {
    const listensOnLoopback = "isLocal" in row ? row.isLocal : true;
    const { incoming, config } = exchangeOf({ fields: { origin }, options: { corsOrigins: set } });
    expect(readGrant(incoming.headers, { listensOnLoopback }, config)).toBe(grant);
  },
);
