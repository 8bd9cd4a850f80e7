/** One server in the place of another, on the same port. */
import { beforeEach, describe, expect, it } from "vitest";
import { type Open, type Served, Succession } from "../../../src/runtimes/process/succession.ts";

const of = (cert: string) => ({ cert, key: "" });

/** Servers that tell what happens to them. Those of the certificate `bad` can't be opened. */
class World {
  readonly events: string[] = [];
  /** True if the port can be listened on once only. */
  readonly isExclusive: boolean;
  /** How many attempts fail after a stop, because the port is still held. */
  slowCloses = 0;
  #holders = 0;

  constructor(isExclusive: boolean) {
    this.isExclusive = isExclusive;
  }

  readonly open: Open = (port, tls): Served => {
    const settings = tls?.cert;
    if (settings === "bad") throw new Error("bad");
    if (port !== 0 && this.isExclusive && (this.#holders > 0 || this.slowCloses-- > 0)) {
      throw new Error("in use");
    }
    const isProbe = port === 0;
    if (!isProbe) this.#holders += 1;
    this.events.push(`open ${settings} on ${port}`);
    let isStopped = false;
    const stop = (): Promise<void> => {
      if (!isStopped && !isProbe) this.#holders -= 1;
      isStopped = true;
      this.events.push(`stop ${settings}`);
      return isProbe ? Promise.resolve() : new Promise(() => {});
    };
    const drain = () => {
      this.events.push(`drain ${settings}`);
      return Promise.resolve();
    };
    return { port, stop, drain };
  };
}

describe("where servers share a port", () => {
  let world: World;
  let servers: Succession;
  beforeEach(() => {
    world = new World(false);
    servers = new Succession(world.open, true, 80, of("old"));
  });

  it("the next listens before the old one stops", async () => {
    await servers.replace(of("new"));
    expect(world.events).toEqual(["open old on 80", "open new on 80", "stop old"]);
    expect(servers.port).toBe(80);
  });

  it("nothing changes where the next can't be opened", async () => {
    await expect(servers.replace(of("bad"))).rejects.toThrow("bad");
    expect(world.events).toEqual(["open old on 80"]);
  });

  it("all that still answer are drained together", async () => {
    await servers.replace(of("new"));
    await servers.drain();
    expect(world.events.slice(-2)).toEqual(["drain old", "drain new"]);
  });
});

describe("where a port has one server", () => {
  let world: World;
  let servers: Succession;
  beforeEach(() => {
    world = new World(true);
    servers = new Succession(world.open, false, 80, of("old"));
  });

  it("the next is tried on another port, and listens as soon as the old one has left", async () => {
    world.slowCloses = 2;
    await servers.replace(of("new"));
    expect(world.events).toEqual([
      "open old on 80",
      "open new on 0",
      "stop new",
      "stop old",
      "open new on 80",
    ]);
  });

  it("nothing changes where the next can't be opened", async () => {
    await expect(servers.replace(of("bad"))).rejects.toThrow("bad");
    expect(world.events).toEqual(["open old on 80"]);
  });

  it("no other is opened once it is to end", async () => {
    world.slowCloses = 1_000;
    const replaced = servers.replace(of("new"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    await servers.drain();
    await replaced;
    expect(world.events).not.toContain("open new on 80");
  });
});

it("a server that can use another certificate itself is not replaced", async () => {
  const world = new World(false);
  const renewed: string[] = [];
  const open: Open = (port, tls) => ({ ...world.open(port, tls), renew: ({ cert }) => renewed.push(cert) });
  const servers = new Succession(open, true, 80, of("old"));
  await servers.replace(of("new"));
  expect([world.events, renewed]).toEqual([["open old on 80"], ["new"]]);
});
