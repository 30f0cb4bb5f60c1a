import { setTimeout } from 'node:timers/promises';
import { type NodeProcess, startNodes } from './nodes.ts';

/**
 * Measures gossip between processes of this machine, all connected with all.
 * Latency: from the call that publishes a block (with encoding, signing and compression) to the end of a verifier's
 * validation, before any execution. Each verifier and block counts once. There are empty blocks, and blocks of 30
 * million gas of transfers (1,428, 166 kB). CPU: all work of a process, per block. RSS: at the end.
 * BLOCKS. NODES: numbers, by commas. PAUSE: milliseconds between blocks.
 */
const BLOCKS = Number(process.env['BLOCKS'] ?? 100);
const SIZES = (process.env['NODES'] ?? '2,8,20').split(',').map(Number);
const PAUSE_MS = Number(process.env['PAUSE'] ?? 250);
/** Blocks before the measured ones, so that code is compiled. */
const WARM_UP = 10;
const TRANSFERS = 1_428;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const percentile = (sorted: readonly number[], part: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number;

async function publish(sequencer: NodeProcess, from: number, count: number, transactions: number): Promise<void> {
  for (let number = from; number < from + count; number++) {
    await sequencer.order({ do: 'publish', number, transactions });
    await setTimeout(PAUSE_MS);
  }
}

async function measure(nodes: readonly NodeProcess[], from: number, transactions: number): Promise<string> {
  const [sequencer] = nodes as [NodeProcess];
  await publish(sequencer, from, WARM_UP, transactions);
  const before = await Promise.all(nodes.map((node) => node.usage()));
  await publish(sequencer, from + WARM_UP, BLOCKS, transactions);
  const after = await Promise.all(nodes.map((node) => node.usage()));
  const latencies: number[] = [];
  let missed = 0;
  for (let number = from + WARM_UP; number < from + WARM_UP + BLOCKS; number++)
    for (const { times } of after.slice(1)) {
      const took = times[number];
      if (took === undefined) missed++;
      else latencies.push(took - (after[0]?.times[number] as number));
    }
  latencies.sort((a, b) => a - b);
  const cpu = after.map(({ cpuMs }, index) => (cpuMs - (before[index]?.cpuMs as number)) / BLOCKS);
  return [
    `${percentile(latencies, 0.5).toFixed(1)} ms`.padStart(10),
    `${percentile(latencies, 0.99).toFixed(1)} ms`.padStart(10),
    `${missed}`.padStart(8),
    `${cpu[0]?.toFixed(1)} ms`.padStart(16),
    `${mean(cpu.slice(1)).toFixed(1)} ms`.padStart(16),
    `${(mean(after.map(({ rss }) => rss)) / 1e6).toFixed(0)} MB`.padStart(10),
  ].join('');
}

console.log(
  `${'nodes, blocks'.padEnd(20)}${'p50'.padStart(10)}${'p99'.padStart(10)}${'missed'.padStart(8)}` +
    `${'CPU/block, seq'.padStart(16)}${'verifier'.padStart(16)}${'RSS'.padStart(10)}`,
);
for (const size of SIZES) {
  const nodes = await startNodes(
    size,
    (index) => Array.from({ length: index }, (_, other) => other),
    () => size - 1,
  );
  console.log(`${`${size}, empty`.padEnd(20)}${await measure(nodes, 1_000, 0)}`);
  console.log(`${`${size}, 30 Mgas`.padEnd(20)}${await measure(nodes, 2_000, TRANSFERS)}`);
  for (const node of nodes) node.end();
}
