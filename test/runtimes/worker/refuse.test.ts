import { expect, it } from "vitest";
import { Gate } from "../../../src/exchange/gate/gate.ts";
import { refuseConnections } from "../../../src/runtimes/worker/refuse.ts";
import { readOptions } from "../../../src/settings/config.ts";
import { tableOf } from "../../support/table.ts";

const refuse = (members: Record<string, unknown>) => () =>
  refuseConnections(new Gate(readOptions({}), tableOf({ "a.test": members })));

it.each([{ insecure: true }, { serverName: "b.test" }, { upstream: "direct" }, { host: "caller" }])(
  "refuses %j, which the platform decides",
  (members) => expect(refuse(members)).toThrow(/^Cannot use TARGETS: entry "a\.test" changes the connection/),
);

it.each([{ set: { "x-a": "1" } }, { host: "target" }, { insecure: false }])("takes %j", (members) => {
  expect(refuse(members)).not.toThrow();
});

it("takes no table at all", () => expect(() => refuseConnections(new Gate(readOptions({})))).not.toThrow());
