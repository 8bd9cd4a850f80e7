/**
 * Apps with absolute links, behind a label: each with the switch that docs/recipes/logins.md names, and without.
 * @module
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PATIENCE_MS, serveNext, writeNext } from "../apps/next.ts";
import { LabelledApps } from "../support/labelled-apps.ts";
import { freePort } from "../support/free-port.ts";
import { readApps, readSwitch, TRUSTING } from "../support/trusting.ts";
import { TRUSTING_PYTHON } from "../support/trusting-python.ts";

/** A route handler that does as the recipe says of Next.js. */
const NEXT_ROUTE = `import { headers } from "next/headers";
export async function GET(request) {
  const fields = await headers();
  const here = \`\${fields.get("x-forwarded-proto")}://\${fields.get("x-forwarded-host")}\`;
  return new Response(\`\${here}/next \${new URL(request.url).origin}/own\`);
}
`;

let apps: LabelledApps;
beforeAll(async () => {
  apps = await LabelledApps.start();
});
afterAll(() => apps.stop());

describe("an app with absolute links, behind a label", () => {
  it.each(TRUSTING)("is $app: it names the label, as its switch says", async (trusting) => {
    const { text, label, own } = await apps.askProgram(trusting, readSwitch(trusting.app));
    expect(text).toContain(`${label}/next`);
    expect(text).not.toContain(`${own}/next`);
  });

  it.each(TRUSTING)("is $app: it names itself without its switch", async (trusting) => {
    const { text, label, own } = await apps.askProgram(trusting, trusting.without);
    expect(text).toContain(`${own}/next`);
    expect(text).not.toContain(label);
  });

  it("is Next.js: it reads the label from the fields, and its own address from the request", async () => {
    const [port, place] = [await freePort(), join(apps.folder, "next")];
    mkdirSync(place);
    writeNext(place);
    mkdirSync(join(place, "app/links"));
    writeFileSync(join(place, "app/links/route.js"), NEXT_ROUTE);
    const { text, label } = await apps.ask(port, "/links", place, serveNext(port));
    expect(text).toBe(`${label}/next http://localhost:${port}/own`);
  }, PATIENCE_MS);

  it("is each of the recipe", () => {
    const tested = [...TRUSTING.map(({ app }) => app), "Next.js", ...TRUSTING_PYTHON.map(({ app }) => app)];
    expect(readApps()).toEqual(tested);
  });
});
