/**
 * A login over two origins, with a real provider and a real client.
 * @module
 */
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createApp } from "../apps/app.ts";
import { createProvider, type Pages } from "../apps/provider.ts";
import { Site } from "./site.ts";
import { enter, originOf, type Stage, WAYS } from "./stage.ts";

const APP_COOKIES = ["appSession", "auth_verification", "skipSilentLogin", "theme"];
const PROVIDER_COOKIES = ["_interaction", "_interaction_resume", "_session"]
  .flatMap((name) => [name, `${name}.sig`]);

/** What goes with what: whose pages, the proxy, and whether the app knows its own address or its label. */
const CASES: { pages: Pages; proxy: "plain" | "telling"; knows: "address" | "label"; ways: typeof WAYS }[] = [
  { pages: "own", proxy: "plain", knows: "address", ways: WAYS },
  { pages: "stock", proxy: "telling", knows: "address", ways: WAYS },
  { pages: "own", proxy: "plain", knows: "label", ways: [{ way: "label" }] },
];

/** Declares the tests. */
export function describeLogins(stage: Stage): void {
  describe.each(CASES)("a login by OIDC, $pages pages, the app knows its $knows", (made) => {
    let app: Site;
    let provider: Site;

    beforeAll(async () => {
      // The provider says at length what production would want.
      vi.spyOn(console, "info").mockReturnValue();
      vi.spyOn(console, "warn").mockReturnValue();
      [app, provider] = await Promise.all([new Site().listen(), new Site().listen()]);
      const known = made.knows === "label" ? originOf(app.origin, "label", stage.plain) : app.origin;
      provider.answer = await createProvider(provider.origin, known, made.pages);
      app.answer = createApp(known, provider.origin);
    });
    afterAll(() => {
      vi.restoreAllMocks();
      return Promise.all([app.close(), provider.close()]);
    });

    it.each(made.ways)(
      "goes there and back by $way, and no cookie goes astray",
      async ({ way }) => {
        const proxy = stage[made.proxy];
        const [atApp, atProvider] = [app, provider].map(({ origin }) => originOf(origin, way, proxy));
        app.cookies.clear();
        provider.cookies.clear();
        const context = await stage.open();
        const visited = watchVisits(context);
        const page = await enter(context, app.origin, way, proxy);

        await page.getByText("Log in").click();
        await page.waitForURL(`${atProvider}/interaction/*`);
        await logIn(page);
        await page.getByText("Hello Ada").waitFor();
        expect(page.url()).toBe(`${atApp}/`);
        await page.reload();
        expect(await page.textContent("h1")).toBe("Hello Ada");

        await page.getByText("Log out").click();
        await page.getByRole("button", { name: "Yes, sign me out" }).click();
        await page.getByText("Log in").waitFor();
        expect(page.url()).toBe(`${atApp}/`);
        // The provider forgot her too, or nobody would be asked.
        await page.getByText("Log in").click();
        await page.getByRole("button", { name: "Sign-in" }).waitFor();
        expect(page.url()).toContain(`${atProvider}/interaction/`);

        expect([...app.cookies].sort()).toEqual(APP_COOKIES);
        expect([...provider.cookies].sort()).toEqual(PROVIDER_COOKIES);
        expect(visited).toEqual(new Set([atApp, atProvider]));
        await context.close();
      },
    );
  });
}

/** The origins that any of its windows goes to, from now on. */
function watchVisits(context: BrowserContext): ReadonlySet<string> {
  const visited = new Set<string>();
  context.on("request", (request) => {
    if (request.isNavigationRequest()) visited.add(new URL(request.url()).origin);
  });
  return visited;
}

/** Logs in as Ada, and agrees. */
async function logIn(page: Page): Promise<void> {
  await page.fill("[name=login]", "Ada");
  await page.fill("[name=password]", "any");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}
