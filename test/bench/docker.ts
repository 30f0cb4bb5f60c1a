import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plan } from '../../src/orchestrator/plan/plan.ts';
import { findDaemon } from '../docker/daemon.ts';
import { byHandOnce } from './by-hand.ts';
import { run } from './devnet.ts';

/**
 * Measures `up` and `down` of the default network in containers, beside the same containers started by `docker run`.
 * The two alternate, so that other load slows both. Images are built before.
 */
const ROUNDS = Number(process.env['ROUNDS'] ?? 5);

/** Goals: of `up` beside the containers by hand, and of `down` (ms). */
const RATIO = 1.2;
const DOWN = 2000;

const { environment, end } = await findDaemon();
Object.assign(process.env, environment);
const missing = process.env['DEVNET_TEST_NO_DOCKER'];
if (missing !== undefined) throw new Error(`no containers can be measured: ${missing}`);
const folder = mkdtempSync(join(tmpdir(), 'devnet-bench-docker-'));
const home = join(folder, 'home');
const env = { ...process.env, DEVNET_HOME: home };
const samples = { up: [] as number[], hand: [] as number[], down: [] as number[] };

/** Brings the network up and down, and returns its plan's image and the times in ms. */
async function devnetOnce(): Promise<{ readonly image: string; readonly up: number; readonly down: number }> {
  const began = performance.now();
  await run(['up', 'default', '--runtime', 'docker', '-d', '--set', 'ports=auto', '--ready-budget', '5m'], env);
  const up = performance.now() - began;
  const { image } = JSON.parse(readFileSync(join(home, 'default', 'plan.json'), 'utf8')) as Plan;
  const downBegan = performance.now();
  await run(['down'], env);
  return { image, up, down: performance.now() - downBegan };
}

try {
  const { image } = await devnetOnce();
  await byHandOnce(home, image);
  for (let round = 0; round < ROUNDS; round++) {
    const { up, down } = await devnetOnce();
    samples.up.push(up);
    samples.down.push(down);
    samples.hand.push(await byHandOnce(home, image));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
  await end();
}

const sorted = (values: readonly number[]) => [...values].sort((a, b) => a - b);
const median = (values: readonly number[]) => sorted(values)[Math.floor(values.length / 2)] ?? Number.NaN;
const row = (label: string, values: readonly number[], note = '') => {
  const figures = [Math.min(...values), median(values), Math.max(...values)];
  console.log(`${label.padEnd(28)}${figures.map((ms) => `${ms.toFixed(0)} ms`.padStart(11)).join('')}  ${note}`);
};
console.log(`${''.padEnd(28)}${['min', 'median', 'max'].map((word) => word.padStart(11)).join('')}`);
const ratio = median(samples.up) / median(samples.hand);
row('up in containers', samples.up, `${ratio.toFixed(2)} × by hand (goal ${RATIO})`);
row('docker run by hand', samples.hand);
row('down', samples.down, `goal ${DOWN} ms`);
if (ratio > RATIO || median(samples.down) > DOWN) process.exitCode = 1;
