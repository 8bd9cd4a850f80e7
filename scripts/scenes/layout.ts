/**
 * Defects 9, 13, 33, 36 and 37: the page keeps its shape, and its colours.
 * @module
 */
import { poll, receive } from "./acts.ts";
import { findOverflow } from "./measure.ts";
import type { Scene, Seen } from "./scene.ts";
import type { Stage } from "./stage.ts";

const LONG_HOST = `https://${"a-very-long-name-".repeat(4)}example.test`;
const MIN_ADDRESS_CHARS = 40;
const MAX_RECENTS_PX = 120;

async function setLongHost(stage: Stage): Promise<Seen> {
  const page = await stage.open();
  await page.fill("#host-input", LONG_HOST);
  await page.getByRole("button", { name: "Set host" }).click();
  await page.locator("#recents-list li").waitFor();
  await page.fill("#address", `${LONG_HOST}/${"path/".repeat(20)}`);
  const seen = [];
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    seen.push({ width, ...await findOverflow(page) });
  }
  return {
    figure: seen.map(({ width, pixels, what }) => `${width}: ${pixels} px${pixels > 0 ? ` (${what})` : ""}`)
      .join(", "),
    isOk: seen.every(({ pixels }) => pixels <= 0),
  };
}

async function sendFromPhone(stage: Stage): Promise<Seen> {
  const page = await stage.open({ viewport: { width: 390, height: 800 }, hasTouch: true });
  await receive(page, `${stage.target.origin}/item`);
  const top = await poll(
    async () => Math.round((await page.locator("#answer").boundingBox())?.y ?? Number.NaN),
    (y) => y < 200,
    2_000,
  );
  return { figure: `the answer starts at ${top} px of 800`, isOk: top < 200 };
}

async function keepRecents(stage: Stage): Promise<Seen> {
  const page = await stage.open({ viewport: { width: 1440, height: 900 } });
  for (let index = 0; index < 8; index += 1) {
    await page.fill("#host-input", `https://shop-${index}.a-longer-name.example.test`);
    await page.keyboard.press("Enter");
    await page.locator(`#host-target:has-text("shop-${index}.")`).waitFor();
  }
  const read = () => page.locator("#recents-list li").allInnerTexts();
  const before = await read();
  await page.locator("#recents-list button").filter({ hasText: "shop-2." }).click();
  await page.locator('#host-target:has-text("shop-2.")').waitFor();
  const isStable = (await read()).join() === before.join();
  const { height = Number.NaN } = await page.locator("#recents").boundingBox() ?? {};
  return {
    figure: `${Math.round(height)} px for ${before.length}, ${isStable ? "order stays" : "reordered"}`,
    isOk: height < MAX_RECENTS_PX && isStable && before.length === 8,
  };
}

async function chooseTheme(stage: Stage): Promise<Seen> {
  const page = await stage.open({ colorScheme: "dark" });
  const states = [];
  for (let times = 0; times < 4; times += 1) {
    states.push(await page.locator("#theme").getAttribute("aria-label"));
    await page.locator("#theme").click();
  }
  const figure = states.map((state) => state?.replace("Colours: ", "")).join(" → ");
  return { figure, isOk: new Set(states).size === 3 && states[0] === states[3] };
}

async function measureAddress(stage: Stage): Promise<Seen> {
  const page = await stage.open({ viewport: { width: 1024, height: 768 } });
  const chars = await page.locator("#address").evaluate((field: HTMLInputElement) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(field);
    const context = document.createElement("canvas").getContext("2d")!;
    context.font = font;
    const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return Math.floor(room / context.measureText("0").width);
  });
  return { figure: `${chars} characters`, isOk: chars >= MIN_ADDRESS_CHARS };
}

/** The scenes. */
export const LAYOUT_SCENES: readonly Scene[] = [
  {
    number: 9,
    title: "a host of 70 characters, three widths",
    before: "the card overflows at each",
    wanted: "0 px over",
    run: setLongHost,
  },
  {
    number: 13,
    title: "phone (390 px): Send",
    before: "the answer starts below the fold",
    wanted: "led to it",
    run: sendFromPhone,
  },
  {
    number: 33,
    title: "eight recent hosts",
    before: "250 px, chips reorder",
    wanted: "small, stable",
    run: keepRecents,
  },
  {
    number: 36,
    title: "colours",
    before: "no way back to the system's",
    wanted: "three states",
    run: chooseTheme,
  },
  {
    number: 37,
    title: "address at 1024 px",
    before: "20 characters",
    wanted: `${MIN_ADDRESS_CHARS} characters`,
    run: measureAddress,
  },
];
