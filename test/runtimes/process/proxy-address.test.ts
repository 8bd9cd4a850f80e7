/** The address of a proxy, as it listens and as this machine reaches it. */
import { expect, it } from "vitest";
import { formatListener, formatNearAddress } from "../../../src/runtimes/process/proxy-address.ts";
import { rowsOf } from "../../support/rows.ts";

it.each(rowsOf(["host", "tlsCert", "address", "near"], [
  ["127.0.0.1", "", "http://127.0.0.1:1", "http://127.0.0.1:1"],
  ["localhost", "a.pem", "https://localhost:1", "https://localhost:1"],
  ["0.0.0.0", "", "http://0.0.0.0:1", "http://127.0.0.1:1"],
  ["::", "", "http://[::]:1", "http://[::1]:1"],
  ["192.0.2.1", "", "http://192.0.2.1:1", "http://192.0.2.1:1"],
]))("$host is $address, and near $near", ({ host, tlsCert, address, near }) => {
  expect([formatListener({ host, tlsCert }, 1), formatNearAddress({ host, tlsCert }, 1)])
    .toEqual([address, near]);
});
