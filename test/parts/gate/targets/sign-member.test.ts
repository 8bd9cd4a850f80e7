import { describe, expect, it } from "vitest";
import { faultOf, KEYS, tableOf } from "../../../support/table.ts";
import { rowsOf } from "../../../support/rows.ts";

/** What an entry needs to sign. */
const AWS = { region: "eu-central-1", service: "s3", key: "AKIDEXAMPLE", secret: "{{KEY}}" };
const faultWith = (aws: object) => faultOf({ "a.test": { sign: { aws } } });

describe("the member sign", () => {
  it.each(rowsOf(["about", "aws", "keys"], [
    ["names", { ...AWS, session: "abc/+=" }, { KEY: KEYS.KEY, "session of a.test": "abc/+=" }],
    ["the id too", { ...AWS, key: "{{ID}}" }, { ID: "AKIDNAMED", KEY: KEYS.KEY }],
    ["texts", { ...AWS, secret: "in the table" }, { "secret of a.test": "in the table" }],
    ["a part", { ...AWS, secret: "x{{KEY}}" }, { "secret of a.test": `x${KEYS.KEY}` }],
    ["no session", { ...AWS, session: undefined }, { KEY: KEYS.KEY }],
  ]))("holds its keys as others are held: $about", ({ aws, keys }) => {
    const table = tableOf({ "a.test": { sign: { aws } } });
    expect(Object.fromEntries(table.keys)).toEqual(keys);
    const [entry] = table.entries;
    expect(entry?.sign).toEqual({ aws: { region: "eu-central-1", service: "s3" } });
    expect(JSON.stringify(entry)).not.toMatch(/AKID/);
  });

  it("holds the secrets of each entry, beside keys that are set, in whichever order", () => {
    const sign = (secret: string) => ({ sign: { aws: { ...AWS, secret } } });
    const set = { set: { "x-api-key": "{{OTHER}}" } };
    const entries = { "a.test": { ...sign("one"), ...set }, "b.test": { ...set, ...sign("two") } };
    expect(Object.fromEntries(tableOf(entries).keys))
      .toEqual({ "secret of a.test": "one", "secret of b.test": "two", OTHER: KEYS.OTHER });
  });

  it.each([
    [{ sign: "s3cret" }, /has a bad sign, expected an object such as/],
    [{ sign: {} }, /has no aws in sign/],
    [{ sign: { awz: AWS } }, /has "awz" in sign, expected aws$/],
    [{ sign: { ...AWS, secret: "s3cret" } }, /has "region" in sign, expected aws$/],
    [{ sign: { aws: "s3cret" } }, /has a bad sign\.aws, expected an object with region, service, key/],
    [{ sign: { aws: AWS }, set: { Authorization: "x" } }, /has sign and set\.Authorization, expected one/],
    [{ set: { "x-amz-date": "x" }, sign: { aws: AWS } }, /has sign and set\.x-amz-date, expected one/],
    [{ sign: { aws: AWS }, key: "s3cret" }, /has a bad key/],
  ])("refuses %j", (members, fault) => {
    const said = faultOf({ "a.test": members });
    expect(said).toMatch(fault);
    expect(said).not.toContain("s3cret");
  });

  it.each([
    [{ ...AWS, regoin: "x" }, /has "regoin" in sign\.aws, expected region, or one of service, key/],
    [{ ...AWS, accessKey: "x" }, /has "accessKey" in sign\.aws, expected one of region, service/],
    [{ ...AWS, region: "eu\r\nx-evil: 1" }, /bad sign\.aws\.region, expected a region such as eu-central-1/],
    [{ ...AWS, region: "eu/s3" }, /bad sign\.aws\.region/],
    [{ ...AWS, region: "" }, /bad sign\.aws\.region/],
    [{ ...AWS, service: "s3, SignedHeaders=host" }, /bad sign\.aws\.service, expected a service such as s3/],
    [{ ...AWS, service: ["s3"] }, /bad sign\.aws\.service/],
    [{ ...AWS, key: "AKID/20150830" }, /bad sign\.aws\.key, expected the id of an access key/],
    [{ ...AWS, key: "AKID, x" }, /bad sign\.aws\.key/],
    [{ ...AWS, secret: "s3cret\r\n" }, /bad sign\.aws\.secret, expected a secret such as \{\{AWS_SECRET/],
    [{ ...AWS, secret: "" }, /bad sign\.aws\.secret/],
    [{ ...AWS, session: "s3cret token" }, /bad sign\.aws\.session, expected a token such as/],
    [{ ...AWS, secret: "{{NONE}}" }, /needs a key: NONE is not set/],
  ] as [object, RegExp][])("refuses aws %j", (aws, fault) => {
    const said = faultWith(aws);
    expect(said).toMatch(fault);
    expect(said).not.toMatch(/s3cret|\n/);
  });

  it.each(Object.keys(AWS))("needs %s", (name) => {
    expect(faultWith({ ...AWS, [name]: undefined })).toContain(`has no ${name} in sign.aws, expected it`);
  });

  it.each(["*", "10.0.0.0/8"])("signs nothing for %s", (name) => {
    expect(faultOf({ [name]: { sign: { aws: AWS } } }))
      .toMatch(/holds a key, expected that only for one host/);
    expect(faultOf({ [name]: { sign: { aws: { ...AWS, secret: "x" } } } })).toMatch(/holds a key/);
  });

  it.each(["*.s3.test", "10.0.0.1:9000"])("signs for %s", (name) => {
    expect(faultOf({ [name]: { sign: { aws: AWS } } })).toBeUndefined();
  });
});
