/**
 * The vectors of `docs/signed-links.md`, and what the command writes there.
 * @module
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { signLink } from "../../src/core/address/signature.ts";
import { verifyLink } from "../../src/parts/links/signed-link.ts";
import { runCommandWith } from "../support/command.ts";
import { ROOT } from "../support/proxy.ts";
import { readVectors } from "../support/signed-links.ts";

describe("docs/signed-links.md", () => {
  it("has vectors that the proxy writes and takes", async () => {
    const vectors = await readVectors();
    expect(vectors).toHaveLength(3);
    for (const { key, path, signature } of vectors) {
      expect(await signLink(path, key)).toBe(signature);
      expect(await verifyLink(`${path}&sig=${signature}`, key, 2_000_000_000)).toBe("valid");
    }
  });

  it("shows what the command writes", async () => {
    const page = readFileSync(`${ROOT}/docs/signed-links.md`, "utf8");
    const [, key = "", line = "", written = ""] =
      /^export SIGNING_KEY=(\S+)\nnpx fetchvia (.+)\n```\n\n```text\n(.+\n)```/m.exec(page) ?? [];
    const { stdout } = await runCommandWith("node", line.split(" "), "", { SIGNING_KEY: key });
    expect(stdout).toBe(written);
  });
});
