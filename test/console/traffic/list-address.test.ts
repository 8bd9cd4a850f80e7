import { expect, it } from "vitest";
import { readListAddress, writeListAddress } from "../../../src/console/traffic/list-address.ts";
import { rowsOf } from "../../support/rows.ts";

it.each(rowsOf(["filter", "request", "hash"], [
  ["", undefined, ""],
  ["status:5xx -path:/a b&c=1", undefined, "#f=status%3A5xx+-path%3A%2Fa+b%26c%3D1"],
  ["/v[12]\\//", "c0ffee000001", "#r=c0ffee000001&f=%2Fv%5B12%5D%5C%2F%2F"],
]))("stands in the address and is read back: $hash", ({ filter, request, hash }) => {
  expect(writeListAddress({ filter, request })).toBe(hash);
  expect(readListAddress(hash, true)).toEqual({ filter, ...(request && { request }) });
});

it.each(["body:sk-proj-abcdefghijklmnopqrstuvwx1234567890", "body:token=abcdef", "x".repeat(1_001)])(
  "leaves out the filter %s",
  (filter) => expect(writeListAddress({ filter, request: "a" })).toBe("#r=a"),
);

it.each(rowsOf(["hash", "read"], [
  ["#f=status:5xx+/(a%2B)%2B$/+-/b/i+/(/+/order", { filter: "status:5xx /order" }],
  ["#r=%3Cb%3E&f=x", { filter: "x" }],
  ["#traffic", { filter: "" }],
]))("reads of $hash, which any page may have written, $read", ({ hash, read }) => {
  expect(readListAddress(hash, false)).toEqual(read);
});
