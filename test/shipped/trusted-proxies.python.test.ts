/**
 * Apps in Python with absolute links, behind a label: with the switch that docs/recipes/logins.md names, and without.
 * @module
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LabelledApps } from "../support/labelled-apps.ts";
import { readSwitch } from "../support/trusting.ts";
import { TRUSTING_PYTHON } from "../support/trusting-python.ts";

/** Debian's, which has its packages of Django and Flask. */
const PYTHON = ["/usr/bin/python3"] as const;

let apps: LabelledApps;
beforeAll(async () => {
  apps = await LabelledApps.start();
});
afterAll(() => apps.stop());

describe("an app in Python with absolute links, behind a label", () => {
  it.each(TRUSTING_PYTHON)("is $app: it names the label, as its switch says", async (trusting) => {
    const { text, label } = await apps.askProgram(trusting, readSwitch(trusting.app), PYTHON);
    expect(text).toBe(`${label}/next`);
  });

  it.each(TRUSTING_PYTHON)("is $app: it names itself without its switch", async (trusting) => {
    const { text, own } = await apps.askProgram(trusting, trusting.without, PYTHON);
    expect(text).toBe(`${own}/next`);
  });
});
