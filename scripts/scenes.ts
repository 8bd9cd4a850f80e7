/**
 * `npm run scenes`: makes the scenes of the console's 37 defects again in Chromium, and says what is seen now.
 * @module
 */
import { SCENES } from "./scenes/list.ts";
import { HELP, readSceneOptions, type SceneOptions } from "./scenes/options.ts";
import { runScene } from "./scenes/scene.ts";
import { takeShots } from "./scenes/shots.ts";
import { Stage } from "./scenes/stage.ts";
import { listFaults } from "./scenes/states.ts";
import { formatTable, type Row } from "./scenes/table.ts";

const say = (line: string) => console.error(line);

async function runScenes(stage: Stage, { hasScene }: SceneOptions): Promise<Row[]> {
  const rows: Row[] = [];
  for (const scene of SCENES.filter(({ number }) => hasScene(number))) {
    const seen = await runScene(scene, stage);
    say(`${seen.isOk ? "ok  " : "FAIL"} ${scene.number} ${scene.title}: ${seen.figure}`);
    rows.push({ scene, seen });
  }
  return rows;
}

/** Gives false if anything is not as wanted. */
async function run(options: SceneOptions): Promise<boolean> {
  const stage = new Stage(options.runtime);
  await stage.start();
  try {
    const rows = await runScenes(stage, options);
    const failed = rows.filter(({ seen }) => !seen.isOk).length;
    console.log(formatTable(rows));
    console.log(`\n${rows.length} scenes on ${options.runtime}, ${failed} not as wanted`);
    const faults = options.axe ? await listFaults(stage) : [];
    for (const fault of faults) console.log(`axe: ${fault}`);
    if (options.axe) console.log(`axe: ${faults.length} faults`);
    if (options.shots !== undefined) await takeShots(stage, options.shots);
    return failed === 0 && faults.length === 0;
  } finally {
    await stage.stop();
  }
}

try {
  const options = readSceneOptions(process.argv.slice(2));
  if (options.help) console.log(HELP);
  else process.exitCode = await run(options) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
