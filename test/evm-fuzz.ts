/**
 * Compares our EVM with the EVM library on generated contracts (`make fuzz-evm`).
 * Then it plants errors in ours and counts those that the comparison finds.
 * COUNT (default 20000) cases from SEED (default 1) on. PLANT=0: no errors.
 */
import { prepareCrypto } from '../src/nodes/execution/evm/crypto.ts';
import { compareFrom, showDifference } from './evm/differential/compare.ts';
import { runOurs } from './evm/differential/ours.ts';
import { PLANTS, withPlant } from './evm/differential/plant.ts';

const count = Number(process.env['COUNT'] ?? 20_000);
const seed = Number(process.env['SEED'] ?? 1);

await prepareCrypto();
const started = performance.now();
const difference = await compareFrom(seed, count);
const seconds = () => `${((performance.now() - started) / 1000).toFixed(0)} s`;
if (difference === undefined) console.log(`${count} cases from seed ${seed} on agree  ${seconds()}`);
else {
  console.log(showDifference(difference));
  process.exitCode = 1;
}
if (process.env['PLANT'] !== '0')
  for (const plant of PLANTS) {
    const instance = await withPlant(plant);
    const found = await compareFrom(seed, count, (each) => runOurs(each, undefined, instance), 'first');
    const name = 'opcode' in plant ? `${plant.opcode} ${JSON.stringify(plant.row)}` : `${plant.file}: ${plant.instead}`;
    console.log(`planted: ${name}  ${found === undefined ? 'NOT FOUND' : `found by seed ${found.seed}`}  ${seconds()}`);
    if (found === undefined) process.exitCode = 1;
  }
