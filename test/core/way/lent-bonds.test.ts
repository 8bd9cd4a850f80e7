/** Which logins of the caller's connection a request may go on with. @module */
import { expect, it } from "vitest";
import type { Exchange, Prepared } from "../../../src/core/exchange/exchange.ts";
import { lendBonds } from "../../../src/core/way/lent-bonds.ts";
import type { Bonds } from "../../../src/core/runtime.ts";
import { Fields } from "../../../src/core/http/fields.ts";
import { exchangeOf, type Request } from "../../support/exchange.ts";

/** Bonds that tell which part of them was lent. */
const BONDS = { part: (name: string) => name } as unknown as Bonds;
const TRUSTED = { options: { trustedProxies: ["127.0.0.1"] } };

const headers = new Fields([["authorization", "NTLM own"]]);
const PREPARED = { headers } as unknown as Prepared;

function lend(request: Request, more: Partial<Exchange> = {}, prepared = PREPARED, sent = headers) {
  const exchange = exchangeOf(request);
  const incoming = Object.assign(exchange.incoming, { bonds: BONDS });
  return lendBonds({ ...exchange, incoming, ...more }, prepared, sent);
}

it("lends those of a connection as they are to its one user", () => {
  expect(lend({})).toBe(BONDS);
  expect(lend({}, {}, PREPARED, new Fields(headers))).toBe(BONDS);
});

it("lends a stray request none", () => expect(lend({}, {}, { ...PREPARED, isStray: true })).toBeUndefined());

it("lends none where the connection is not known", () => {
  expect(lendBonds(exchangeOf(), PREPARED, headers)).toBeUndefined();
});

it("keeps apart what one connection carries", () => {
  const token = (id: string) => ({ token: { claims: { id } } } as unknown as Partial<Exchange>);
  const from = (address: string): Request => ({ ...TRUSTED, fields: { "x-forwarded-for": address } });
  const parts = [
    lend({}),
    lend(from("192.0.2.1")),
    lend(from("192.0.2.2")),
    lend({}, token("a")),
    lend({}, token("b")),
    lend({ asker: "console" }),
    lend({ asker: "granted", fields: { origin: "https://a.test" } }),
    lend({ asker: "granted", fields: { origin: "https://b.test" } }),
    lend({}, {}, PREPARED, new Fields([["authorization", "Negotiate of-the-table"]])),
  ];
  expect(new Set(parts).size).toBe(parts.length);
});
