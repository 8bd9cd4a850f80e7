/** `npm run check -- names` runs some checks, each printed with its time when it ends. */
import { execFile } from "node:child_process";
import { expect, it } from "vitest";
import { ROOT } from "../support/proxy.ts";

/** What the checks of these names print. A budget that is passed is the business of the check itself. */
const check = (...names: string[]) =>
  new Promise<{ stdout: string; stderr: string }>((resolve) => {
    const options = { cwd: ROOT, timeout: 60_000 };
    execFile("npm", ["run", "-s", "check", "--", ...names], options, (_, stdout, stderr) => {
      resolve({ stdout, stderr });
    });
  });

it("runs those that are named, and no other", async () => {
  const { stdout } = await check("budgets", "settings");
  expect([...stdout.matchAll(/^(?:ok {2}|FAIL) (\S+) +\d+\.\d s {2}\S/gm)].map(([, name]) => name).sort())
    .toEqual(["budgets", "settings"]);
});

it("names all that there are where it knows none of that name", async () => {
  const { stdout, stderr } = await check("budget");
  expect(stdout).not.toMatch(/^(?:ok|FAIL)/m);
  expect(stderr).toMatch(/There is no check budget, expected .*\bbudgets\b/);
});
