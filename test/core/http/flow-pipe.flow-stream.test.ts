/** A body that is read as a web stream. */
import { describe, expect, it } from "vitest";
import { bytes, sourced } from "../../support/flow.ts";

describe("a body that is read as a stream", () => {
  it.each([
    { about: "reads 64 KiB ahead by itself", aheadBytes: undefined, told: ["resume"] },
    { about: "reads nothing ahead where that is asked for", aheadBytes: 0, told: [] },
  ])("$about", async ({ aheadBytes, told: expected }) => {
    const { body, told } = sourced();
    body.aheadBytes = aheadBytes ?? body.aheadBytes;
    body.stream();
    await Promise.resolve();
    expect(told).toEqual(expected);
  });

  it("asks the source for each chunk where nothing is read ahead", async () => {
    const { body, told } = sourced();
    body.aheadBytes = 0;
    const first = body.stream().getReader().read();
    await Promise.resolve();
    body.push(bytes("a"));
    expect(await first).toEqual({ done: false, value: bytes("a") });
    expect(told).toEqual(["resume", "pause"]);
  });

  it("has all of a body that is whole already, whatever is read ahead", async () => {
    const { body } = sourced();
    body.aheadBytes = 0;
    body.push(bytes("ab"));
    body.push(bytes("c"), true);
    expect(await new Response(body.stream()).text()).toBe("abc");
  });

  it("fails as its source does, and gives it up when it is cancelled", async () => {
    const [failing, unwanted] = [sourced(), sourced()];
    const text = new Response(failing.body.stream()).text();
    failing.body.end(new Error("cut"));
    await expect(text).rejects.toThrow("cut");
    await unwanted.body.stream().cancel("enough");
    expect(unwanted.told.at(-1)).toEqual(["cancel", "enough"]);
  });
});
