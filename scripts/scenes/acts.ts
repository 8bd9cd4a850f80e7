/**
 * What scenes do on the page again and again.
 * @module
 */
import type { Locator, Page } from "playwright-core";

/** Presses Send for an address, or for what stands there. */
export async function send(page: Page, address?: string): Promise<void> {
  if (address !== undefined) await page.fill("#address", address);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** Sends, and waits until all of the answer is there. */
export async function receive(page: Page, address?: string): Promise<void> {
  await send(page, address);
  await page.locator(".summary .fact", { hasText: "total" }).waitFor();
}

/** Chooses the kind of body of a POST. */
export async function chooseBody(page: Page, kind: string): Promise<void> {
  await page.selectOption("#method", "POST");
  await page.locator("#tab-body").click();
  await page.locator("#panel-body").getByText(kind, { exact: true }).click();
}

/** Fills rows of the builder, one after the other. */
export async function fillRows(
  page: Page,
  what: string,
  rows: readonly (readonly [name: string, value: string])[],
): Promise<void> {
  for (const [index, [name, value]] of rows.entries()) {
    await page.getByLabel(`${what} name`).nth(index).fill(name);
    await page.getByLabel(`${what} value`).nth(index).fill(value);
  }
}

/** The lines of the answer's body that are drawn. */
export function bodyRows(page: Page): Locator {
  return page.locator("#answer .body-row");
}

/** Opens the fields of the answer. */
export async function openFields(page: Page): Promise<void> {
  await page.locator("#answer").getByRole("tab", { name: /^Headers/ }).click();
}

/** The rows of live traffic that are drawn. */
export function trafficRows(page: Page): Locator {
  return page.locator("#traffic-rows").getByRole("row");
}

/** Waits until a figure of the page is as wanted, or the time is over; gives what it is then. */
export async function poll<T>(
  read: () => Promise<T>,
  isWanted: (value: T) => boolean,
  limitMs = 8_000,
): Promise<T> {
  const end = performance.now() + limitMs;
  for (;;) {
    const value = await read();
    if (isWanted(value) || performance.now() > end) return value;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
