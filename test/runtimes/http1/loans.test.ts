/**
 * Memory that is lent: it comes back once all of its message has been sent, and stays away otherwise.
 * @module
 */
import { describe, expect, it } from "vitest";
import { Loans } from "../../../src/runtimes/http1/loans.ts";

const BYTES = Buffer.from("bytes");
const IGNORED = { onBytes() {} };

/** A connection's memory, and what has come back. */
function lender() {
  const back: string[] = [];
  return { loans: new Loans<string>((memory) => void back.push(memory)), back };
}

/** Behind everything that is still at work. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("memory that is lent", () => {
  it("comes back once its message has been sent, and only once", async () => {
    const { loans, back } = lender();
    const say = loans.begin();
    loans.hand("a", BYTES, IGNORED);
    loans.lend("b");
    await settled();
    expect(back).toEqual([]);
    say(true);
    say(true);
    await settled();
    say(true);
    await settled();
    expect(back).toEqual(["a", "b"]);
  });

  it("stays if more of its message was handed out, and has not been sent", async () => {
    const { loans, back } = lender();
    const say = loans.begin();
    loans.hand("a", BYTES, {
      onBytes() {
        say(true);
        say(false);
      },
    });
    await settled();
    expect(back).toEqual([]);
    say(true);
    await settled();
    expect(back).toEqual(["a"]);
  });

  it("stays while it is being handed out", async () => {
    const { loans, back } = lender();
    const say = loans.begin();
    const during: string[] = [];
    loans.hand("a", BYTES, {
      onBytes() {
        say(true);
        during.push(...back);
      },
    });
    expect(during).toEqual([]);
    await settled();
    expect(back).toEqual(["a"]);
  });

  it("stays where no message has begun, or nobody says that it has been sent", async () => {
    const { loans, back } = lender();
    loans.lend("a");
    loans.begin();
    loans.lend("b");
    const say = loans.begin();
    loans.lend("c");
    say(true);
    await settled();
    expect(back).toEqual(["c"]);
  });

  it.each([{ calls: 1 }, { calls: 2 }])(
    "for the next message stays whatever is said of the one before, $calls times",
    async ({ calls }) => {
      const { loans, back } = lender();
      const say = loans.begin();
      loans.lend("a");
      loans.begin();
      loans.lend("b");
      for (let call = 0; call < calls; call += 1) say(true);
      await settled();
      expect(back).toEqual(["a"]);
    },
  );

  it("stays where the next message begins in it", async () => {
    const { loans, back } = lender();
    const say = loans.begin();
    let sayNext!: (isSent: boolean) => void;
    loans.hand("whole", BYTES, IGNORED);
    loans.hand("shared", BYTES, { onBytes: () => void (sayNext = loans.begin()) });
    say(true);
    sayNext(true);
    await settled();
    expect(back).toEqual(["whole"]);
  });

  it("stays where the next message begins in it, and the one before has been sent", async () => {
    const { loans, back } = lender();
    const say = loans.begin();
    loans.hand("shared", BYTES, {
      onBytes() {
        say(true);
        loans.begin();
      },
    });
    await settled();
    expect(back).toEqual([]);
  });

  it("is left to the collector behind 4 more, since nobody may ever say that it has been sent", async () => {
    const { loans, back } = lender();
    const say = loans.begin();
    for (const memory of ["a", "b", "c", "d", "e"]) loans.lend(memory);
    say(true);
    await settled();
    expect(back).toEqual(["b", "c", "d", "e"]);
  });
});
