/**
 * Defects 15, 16, 31, 32 and 34: who may see what, said calmly.
 * @module
 */
import { fillRows, trafficRows } from "./acts.ts";
import type { Scene, Seen } from "./scene.ts";
import type { Stage } from "./stage.ts";

const TOKEN = "a-token-of-the-scenes";

async function signIn(stage: Stage): Promise<Seen> {
  const page = await stage.open({ through: await stage.startProxy({ PROXY_TOKEN: TOKEN }) });
  const press = async (token: string) => {
    await page.fill("#token", token);
    await page.getByRole("button", { name: "Sign in" }).click();
  };
  await press("wrong");
  const wrong = await page.getByText("That is not a token of this proxy.").textContent() ?? "";
  await press(TOKEN);
  await page.getByRole("button", { name: "Sign out" }).click();
  const out = await page.getByText("This proxy asks for its token.").isVisible();
  return { figure: `sign-in page, "${wrong}", signed out again`, isOk: out };
}

async function openLabel(stage: Stage): Promise<Seen> {
  const proxy = await stage.startProxy({ PROXY_TOKEN: TOKEN });
  const page = await stage.open({ through: proxy, path: `/__proxy__/?token=${TOKEN}` });
  await page.fill("#address", `http://localhost:${stage.target.port}/order`);
  await page.locator("#take > summary").click();
  const way = page.locator(".way", { has: page.getByLabel("label", { exact: true }) });
  await way.locator("a").waitFor();
  const note = await way.locator(".note").textContent() ?? "";
  const other = await page.context().newPage();
  const answer = await other.goto(await way.locator("a").getAttribute("href") ?? "");
  const said = await other.innerText("body");
  const isNamed = said.includes("/__proxy__/?token=");
  return {
    figure: `note "${note}"; ${answer?.status()}, a page that ${
      isNamed ? "names" : "does not name"
    } the way in`,
    isOk: note.includes("token") || isNamed,
  };
}

async function warnOfSecret(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  await page.fill("#address", `${stage.target.origin}/order`);
  await fillRows(page, "Header", [["Authorization", "Bearer s3cret"]]);
  await page.locator("#take > summary").click();
  const note = page.locator(".way .note").first();
  await note.waitFor();
  const said = await note.textContent() ?? "";
  return { figure: `"${said}"`, isOk: said.startsWith("Carries authorization") };
}

async function readCalmly(stage: Stage): Promise<Seen> {
  const page = await stage.openList();
  await stage.call("/order");
  await trafficRows(page).filter({ hasText: "/order" }).first().click();
  const said = page.locator("#inspector").getByText("were not captured");
  await said.waitFor();
  const isRed = await said.evaluate((text) =>
    text.closest(".error, .bad, [role=alert]") !== null ||
    getComputedStyle(text).color !== getComputedStyle(document.body).color
  );
  return { figure: `"… were not captured …", ${isRed ? "coloured" : "in plain text"}`, isOk: !isRed };
}

async function disableScript(stage: Stage): Promise<Seen> {
  const page = await stage.open({ javaScriptEnabled: false });
  const shown = await page.locator("section:visible, details:visible")
    .evaluateAll((all) => all.map(({ id }) => id));
  const links = await page.locator("nav a:visible").allInnerTexts();
  return { figure: `shown: ${shown.join(", ")}; links: ${links.join(", ")}`, isOk: shown.join() === "host" };
}

/** The scenes. */
export const ACCESS_SCENES: readonly Scene[] = [
  {
    number: 15,
    title: "PROXY_TOKEN: none, a wrong one, sign out",
    before: "raw JSON; no sign-out",
    wanted: "a sign-in page",
    run: signIn,
  },
  {
    number: 16,
    title: "signed in, label → Open",
    before: "401, no note",
    wanted: "a note, or a way",
    run: openLabel,
  },
  {
    number: 31,
    title: "arg link with Authorization",
    before: "no warning",
    wanted: "warned",
    run: warnOfSecret,
  },
  {
    number: 32,
    title: "a row without headers",
    before: '"keeps no headers" in red, as an error',
    wanted: "calm",
    run: readCalmly,
  },
  {
    number: 34,
    title: "without JavaScript",
    before: "dead builder and traffic shells",
    wanted: "hidden",
    run: disableScript,
  },
];
