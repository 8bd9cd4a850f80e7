/** Captures of several processes as one. @module */
import { describe, expect, it } from "vitest";
import { SharedCaptures } from "../../../src/parts/capture/capture-share.ts";
import { Captures } from "../../../src/parts/capture/captures.ts";
import { RequestRecord } from "../../../src/core/exchange/record.ts";
import { incomingOf } from "../../support/exchange.ts";
import { waitFor } from "../../support/wait.ts";

const KEY = "00112233445566778899aabbccddeeff";

/** Processes that ask each other, as those of `WORKERS` do. */
function createGroup() {
  const answers: ((question: string) => Promise<string>)[] = [];
  const share = (answer: (question: string) => Promise<string>) => {
    answers.push(answer);
    return (question: string) => Promise.all(answers.map((one) => one(question)));
  };
  const start = () => {
    const captures = new Captures({ capture: "off", captureBytes: 1_000_000, trustedProxies: [] }, KEY);
    return { captures, shared: new SharedCaptures(captures, share) };
  };
  return { answers, start };
}

function begin(captures: Captures): RequestRecord {
  const record = new RequestRecord("GET", []);
  captures.begin(record, { incoming: incomingOf({}), path: "/", runtime: {} }, []);
  return record;
}

it("captures of one process are switched, read, listed and forgotten", async () => {
  const captures = new Captures({ capture: "off", captureBytes: 1_000_000, trustedProxies: [] }, KEY);
  const shared = new SharedCaptures(captures, undefined);
  await shared.switch({ bodyBytes: 0, at: 1 });
  const { id } = begin(captures);
  expect(await shared.readState()).toMatchObject({ bodyBytes: 0, requests: 1, maxBytes: 1_000_000 });
  expect(await shared.list()).toEqual([id]);
  expect(await shared.read(id, null)).toMatchObject({ id });
  expect(await shared.read("other", null)).toBeUndefined();
  await shared.clear();
  expect(await shared.list()).toEqual([]);
});

describe("captures of several processes", () => {
  it("are switched and counted together, and read by any of them", async () => {
    const { start } = createGroup();
    const [one, other] = [start(), start()];
    await one.shared.switch({ bodyBytes: 10, at: 1 });
    expect(other.captures.bodyBytes).toBe(10);
    const ids = [begin(other.captures), begin(one.captures)].map(({ id }) => id);
    expect(await one.shared.readState()).toMatchObject({ requests: 2, maxBytes: 2_000_000 });
    expect((await other.shared.list()).sort()).toEqual([...ids].sort());
    for (const id of ids) expect(await one.shared.read(id, null)).toMatchObject({ id });
    expect(await one.shared.read("none", null)).toBeUndefined();
    await other.shared.clear();
    expect(await one.shared.readState()).toMatchObject({ requests: 0 });
  });

  it("are followed by a process that takes the place of another", async () => {
    const { start } = createGroup();
    await start().shared.switch({ bodyBytes: 10, at: 1 });
    const { captures } = start();
    await waitFor(() => expect(captures.bodyBytes).toBe(10));
  });

  it("are searched in each that is ready", async () => {
    const { start, answers } = createGroup();
    const { shared } = start();
    answers.push(() => Promise.resolve("null"), () => Promise.resolve('["found"]'));
    expect(await shared.search("sought")).toEqual(["found"]);
  });

  it("do without processes that are not ready", async () => {
    const { start, answers } = createGroup();
    const { shared, captures } = start();
    answers.push(() => Promise.resolve("null"));
    captures.switch({ bodyBytes: 0, at: 1 });
    const { id } = begin(captures);
    expect(await shared.readState()).toMatchObject({ requests: 1 });
    expect(await shared.list()).toEqual([id]);
    expect(await shared.read("none", null)).toBeUndefined();
  });
});
