/**
 * Measures our EVM beside the EVM library (`make bench-evm`): Mgas a second of loops, by processor time of this thread.
 * ROUNDS (default 7): both run alternately, and the table has the medians. MGAS (default 100) a round of ours; the
 * library has a tenth of it.
 */
import { loadavg } from 'node:os';
import { prepareCrypto } from '../../src/nodes/execution/evm/crypto.ts';
import { bytesOf } from '../evm/support/code.ts';
import { callLibrary } from './evm/library.ts';
import { callOurs } from './evm/ours.ts';
import { LOOPS } from './evm/programs.ts';
import { inTurn } from './execution/rounds.ts';

const rounds = Number(process.env['ROUNDS'] ?? 7);
const gas = BigInt(Number(process.env['MGAS'] ?? 100)) * 1_000_000n;
await prepareCrypto();

/** Returns the Mgas per second of some work that returns its gas. */
async function speedOf(work: () => bigint | Promise<bigint>): Promise<number> {
  const began = process.threadCpuUsage();
  const used = await work();
  const { user, system } = process.threadCpuUsage(began);
  return Number(used) / (user + system);
}

console.log(`load ${loadavg()[0]?.toFixed(1)} at the start; Mgas/s, medians of ${rounds} rounds`);
for (const [name, hex] of Object.entries(LOOPS)) {
  const code = bytesOf(hex);
  const ours = () => speedOf(() => callOurs(code, gas));
  const theirs = () => speedOf(() => callLibrary(code, gas / 10n));
  const speeds = await inTurn(rounds, ours, theirs);
  console.log(
    `${name.padEnd(12)} ours ${speeds.ours.toFixed(0).padStart(4)}   library ${speeds.theirs.toFixed(1).padStart(5)}` +
      `   ${speeds.ratio.toFixed(0)} ×`,
  );
}
console.log(`load ${loadavg()[0]?.toFixed(1)} at the end`);
