import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/**
 * Gossip between processes of this machine: from the call that publishes a block (signing and compressing included) to the moment that a verifier has
 * judged and taken it; empty blocks, and blocks of 30 million gas of transfers.
 */
const BLOCKS = Number(process.env['BLOCKS'] ?? 60);
const SIZES = (process.env['NODES'] ?? '2,8,20').split(',').map(Number);
const PAUSE = 100;
const TRANSFERS = 1_428;

interface Told {
  readonly address?: string;
  readonly took?: number;
  readonly published?: number;
  readonly at?: number;
  readonly cpuMs?: number;
  readonly rss?: number;
  readonly blocksTopicV4?: number;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

class Node {
  readonly told: Told[] = [];
  readonly #child: ChildProcess;

  constructor() {
    this.#child = fork(join(import.meta.dirname, 'node.ts'));
    this.#child.on('message', (message) => this.told.push(message as Told));
  }

  order(order: object): void {
    this.#child.send(order);
  }

  async heard(what: (told: Told) => boolean): Promise<Told> {
    for (const deadline = performance.now() + 60_000; performance.now() < deadline; await pause(5)) {
      const found = this.told.findLast(what);
      if (found) return found;
    }
    throw new Error('a node did not answer in time');
  }

  async usage(): Promise<Required<Told>> {
    const before = this.told.length;
    this.order({ do: 'usage' });
    return (await this.heard(
      (told) => told.cpuMs !== undefined && this.told.indexOf(told) >= before,
    )) as Required<Told>;
  }

  end(): void {
    this.#child.disconnect();
  }
}

const percentile = (values: readonly number[], part: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] as number;

async function measure(nodes: Node[], from: number, transactions: number): Promise<string> {
  const [sequencer, ...verifiers] = nodes as [Node, ...Node[]];
  const before = await Promise.all(nodes.map((node) => node.usage()));
  for (let number = from; number < from + BLOCKS; number++) {
    sequencer.order({ do: 'publish', number, transactions });
    await pause(PAUSE);
  }
  const latencies: number[] = [];
  for (let number = from; number < from + BLOCKS; number++) {
    const { at = 0 } = await sequencer.heard((told) => told.published === number);
    for (const verifier of verifiers)
      latencies.push(((await verifier.heard((told) => told.took === number)).at as number) - at);
  }
  const after = await Promise.all(nodes.map((node) => node.usage()));
  const cpu = after.map((usage, index) => usage.cpuMs - (before[index] as Required<Told>).cpuMs);
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return [
    `${percentile(latencies, 0.5).toFixed(1)} ms`.padStart(10),
    `${percentile(latencies, 0.99).toFixed(1)} ms`.padStart(10),
    `${((cpu[0] as number) / BLOCKS).toFixed(1)} ms`.padStart(14),
    `${(mean(cpu.slice(1)) / BLOCKS).toFixed(1)} ms`.padStart(14),
    `${(mean(after.map(({ rss }) => rss)) / 1e6).toFixed(0)} MB`.padStart(10),
  ].join('');
}

console.log(
  `${'nodes, blocks'.padEnd(24)}${'p50'.padStart(10)}${'p99'.padStart(10)}${'CPU/block seq'.padStart(14)}${'CPU/block ver'.padStart(14)}${'RSS'.padStart(10)}`,
);
for (const size of SIZES) {
  const nodes = Array.from({ length: size }, () => new Node());
  const genesisTime = Math.floor(Date.now() / 1000) - 100_000;
  const peers: string[] = [];
  for (const [index, node] of nodes.entries()) {
    node.order({ do: 'start', name: `node-${index}`, genesisTime, peers });
    peers.push((await node.heard(({ address }) => address !== undefined)).address as string);
  }
  for (const node of nodes) for (;;) if ((await node.usage()).blocksTopicV4 === size - 1) break;
  await measure(nodes, 1, 0);
  console.log(`${`${size}, empty`.padEnd(24)}${await measure(nodes, 1_000, 0)}`);
  console.log(`${`${size}, 30 Mgas`.padEnd(24)}${await measure(nodes, 2_000, TRANSFERS)}`);
  for (const node of nodes) node.end();
}
