/**
 * What loads with the core, and what only when it is asked for.
 * @module
 */
import { describe, expect, it } from "vitest";
import { sizeCore } from "../../scripts/bench/core-size.ts";

/** In bytes, minified, without packages. Make it smaller with the core; who makes it larger says why. */
const MOST = 126 * 1_024;

const { eager, later, eagerFiles, laterFiles } = await sizeCore();

describe("the core", () => {
  it("loads no more than this at once", () => {
    expect(eager).toBeLessThanOrEqual(MOST);
    // Room that is never used would let it grow unseen.
    expect(eager).toBeGreaterThan(MOST - 4_096);
  });

  it("reaches what is loaded later, too", () => {
    expect(later).toBeGreaterThan(50_000);
    expect(eagerFiles).toContain("src/proxy.ts");
  });

  it.each([
    {
      about: "pages",
      files:
        /^src\/pages\/(?!open|diagnostic|metrics|console\/(?:traffic(?!-page|-watchers)|used-passes|mask))/,
    },
    { about: "capture", files: /^src\/exchange\/capture\// },
    { about: "the sender by fetch", files: /^src\/exchange\/send-fetch\.ts$/ },
    { about: "the sum of metrics", files: /^src\/pages\/metrics-sum\.ts$/ },
    {
      about: "keys of the table",
      files: /^src\/exchange\/gate\/(?:dress|key-rights|placed-keys|redact|spellings)/,
    },
    { about: "checks of tokens", files: /^src\/door\/(?:token|caller-token|signed-link|sign-in-page)\.ts$/ },
    { about: "handshakes with targets", files: /^src\/exchange\/handshake\.ts$/ },
    { about: "callers' tokens", files: /^src\/exchange\/tokens\/(?!mint)|^src\/settings\/claims\.ts$/ },
    { about: "forms of other proxies", files: /^src\/(?:address\/forms|exchange\/form-fields)\.ts$/ },
    {
      about: "mapping of addresses and cookies",
      files: /^src\/(?:exchange\/answer-mapping|address\/(?:location|link-field)|http\/set-cookie)\.ts$/,
    },
    {
      about: "what proxy_headers and proxy_seal ask for",
      files: /^src\/exchange\/(?:steering|overrides|seal)\.ts$/,
    },
    { about: "redirects that are followed", files: /^src\/exchange\/redirects\.ts$/ },
    { about: "texts about certificates", files: /^src\/http\/certificate-fault\.ts$/ },
    { about: "texts of refusals", files: /^src\/exchange\/(?:refusal|remedy)\.ts$/ },
  ])("loads $about only when asked for", ({ files }) => {
    expect(eagerFiles.filter((path) => files.test(path))).toEqual([]);
    expect(laterFiles.filter((path) => files.test(path))).not.toEqual([]);
  });

  it.each([
    { about: "descriptions of settings", files: /effects|member-docs/ },
    { about: "modules of runtimes", files: /^src\/runtimes\// },
  ])("never loads $about", ({ files }) => {
    expect([...eagerFiles, ...laterFiles].filter((path) => files.test(path))).toEqual([]);
  });
});
