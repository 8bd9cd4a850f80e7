/**
 * Apps that write a link with the address they believe to have, each told by its own switch to believe the proxy.
 * @module
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./proxy.ts";

/** An app of the table in docs/recipes/logins.md. */
export interface Trusting {
  app: string;
  /** Where its link is. */
  path: string;
  /** The program, which listens on `PORT`; `SWITCH` stands for what the recipe names. */
  program: string;
  /** What stands there instead where nobody reads the recipe. */
  without: string;
}

export const TRUSTING: Trusting[] = [
  {
    app: "Express",
    path: "/",
    without: "",
    program: `import express from "express";
const app = express();
SWITCH;
app.get("/", ({ protocol, host }, response) => response.send(\`\${protocol}://\${host}/next\`));
app.listen(PORT, "127.0.0.1");`,
  },
  {
    app: "Fastify",
    path: "/",
    without: "Fastify()",
    program: `import Fastify from "fastify";
const app = SWITCH;
app.get("/", async ({ protocol, host }) => \`\${protocol}://\${host}/next\`);
app.listen({ port: PORT, host: "127.0.0.1" });`,
  },
  {
    app: "Koa",
    path: "/",
    without: "",
    program: `import Koa from "koa";
const app = new Koa();
SWITCH;
app.use((ctx) => void (ctx.body = \`\${ctx.protocol}://\${ctx.host}/next\`));
app.listen(PORT, "127.0.0.1");`,
  },
  {
    app: "oidc-provider",
    path: "/.well-known/openid-configuration",
    without: "",
    program: `import Provider from "oidc-provider";
const provider = new Provider("http://127.0.0.1:PORT", { routes: { authorization: "/next" } });
SWITCH;
provider.listen(PORT, "127.0.0.1");`,
  },
  {
    app: "h3",
    path: "/",
    without: "getRequestURL(event)",
    program: `import { getRequestURL, H3, serve } from "h3";
const app = new H3();
app.get("/", (event) => \`\${SWITCH.origin}/next\`);
serve(app, { port: PORT, hostname: "127.0.0.1" });`,
  },
];

/** The apps of the recipe, from its table. */
export function readApps(): string[] {
  const table = readRecipe().split("| app | its switch |")[1]!.split("\n\n")[0]!;
  return [...table.matchAll(/^\| ([\w.-]+) \| /gm)].map(([, app]) => app!).slice(1);
}

/** The switch of an app, as the recipe has it: the first code of its row. */
export function readSwitch(app: string): string {
  const [, found] = readRecipe().split(`\n| ${app} | \``);
  if (!found) throw new Error(`Cannot find ${app}: docs/recipes/logins.md has no row with its switch`);
  return found.split("`")[0]!;
}

function readRecipe(): string {
  return readFileSync(join(ROOT, "docs/recipes/logins.md"), "utf8");
}
