/**
 * How the README looks with GitHub's own styles: one and a half screens, and no wider than a phone.
 * @module
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { marked } from "marked";
import { expect, it } from "vitest";
import { launchBrowser } from "../console-e2e/browser.ts";
import { resolveApp } from "../support/apps.ts";
import { ROOT } from "../support/proxy.ts";

const SCREEN = 1_080;

it("the README fills one and a half screens of 780 pixels, and is no wider than a phone", async () => {
  const [text, styles, browser] = await Promise.all([
    readFile(join(ROOT, "README.md"), "utf8"),
    readFile(resolveApp("github-markdown-css/github-markdown-light.css"), "utf8"),
    launchBrowser(),
  ]);
  const html = `<!doctype html><meta name="viewport" content="width=device-width"><base href="${
    pathToFileURL(ROOT)
  }/"><style>${styles} body { margin: 0 } article { padding: 0 30px }</style>
    <article class="markdown-body">${marked(text)}</article>`;
  const measure = async (width: number) => {
    const page = await browser.newPage({ viewport: { width, height: SCREEN } });
    // Pictures are read from files by a page that is itself one.
    await page.route("**/README.html", (route) => route.fulfill({ contentType: "text/html", body: html }));
    await page.goto(`${pathToFileURL(ROOT)}/README.html`);
    return await page.evaluate(() => {
      const { scrollWidth, scrollHeight } = document.documentElement;
      const pictures = [...document.images].map(({ naturalWidth }) => naturalWidth);
      return { scrollWidth, scrollHeight, missing: pictures.filter((wide) => wide === 0) };
    });
  };
  const sizes = { wide: await measure(780), phone: await measure(390) };
  await browser.close();
  expect(sizes).toMatchObject({ wide: { missing: [] }, phone: { missing: [], scrollWidth: 390 } });
  expect(sizes.wide.scrollHeight / SCREEN).toBeLessThanOrEqual(1.5);
});
