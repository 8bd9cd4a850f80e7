import { expect, it } from "vitest";
import { Gate } from "../../../src/parts/gate/gate.ts";
import { refuseConnections, refuseOpenKeys } from "../../../src/runtimes/worker/refuse-settings.ts";
import { type Options, readOptions } from "../../../src/core/settings/config.ts";
import { tableOf } from "../../support/table.ts";

const refuse = (members: Record<string, unknown>) => () =>
  refuseConnections(new Gate(readOptions({}), tableOf({ "a.test": members })));

const refuseKeys = (members: Record<string, unknown>, options: Options = {}) => () =>
  refuseOpenKeys(new Gate(readOptions(options), tableOf({ "a.test": members })));

it.each([{ insecure: true }, { serverName: "b.test" }, { minVersion: "TLSv1.2" }, { upstream: "direct" }, {
  host: "caller",
}])(
  "refuses %j, which the platform decides",
  (members) => expect(refuse(members)).toThrow(/^Cannot use TARGETS: entry "a\.test" changes the connection/),
);

it.each([{ set: { "x-a": "1" } }, { host: "target" }, { insecure: false }])("takes %j", (members) => {
  expect(refuse(members)).not.toThrow();
});

it("takes no table at all", () => expect(() => refuseConnections(new Gate(readOptions({})))).not.toThrow());

it.each([{ set: { "x-key": "{{KEY}}" } }, { keys: ["KEY"] }])("refuses %j without a token", (members) => {
  expect(refuseKeys(members))
    .toThrow(/^TARGETS holds keys, and everyone can reach a Worker: set PROXY_TOKEN/);
  expect(refuseKeys(members, { proxyToken: "t" })).not.toThrow();
});

it("takes entries without keys, without a token", () =>
  expect(refuseKeys({ set: { "x-a": "1" } })).not.toThrow());
