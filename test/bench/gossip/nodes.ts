import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Answer, Order } from './node.ts';

/** A peer network in a process of its own. It answers messages one after the other. */
export class NodeProcess {
  readonly #child: ChildProcess = fork(join(import.meta.dirname, 'node.ts'), { execArgv: ['--no-warnings'] });

  async order(order: Order): Promise<Answer> {
    const answer = once(this.#child, 'message', { signal: AbortSignal.timeout(120_000) });
    this.#child.send(order);
    return (await answer)[0] as Answer;
  }

  usage(): Promise<Answer> {
    return this.order({ do: 'usage' });
  }

  end(): void {
    this.#child.disconnect();
  }
}

/** Starts processes with the peers that `peersOf` names. Each subscribes to at least `subscribers` others. */
export async function startNodes(
  count: number,
  peersOf: (index: number) => readonly number[],
  subscribers: (index: number) => number,
): Promise<NodeProcess[]> {
  const nodes = Array.from({ length: count }, () => new NodeProcess());
  const genesisTime = Math.floor(Date.now() / 1000) - 100_000;
  const addresses: string[] = [];
  for (const [index, node] of nodes.entries()) {
    const peers = peersOf(index).map((other) => addresses[other] as string);
    addresses.push((await node.order({ do: 'start', name: `node-${index}`, genesisTime, peers })).address);
  }
  for (const [index, node] of nodes.entries())
    while ((await node.usage()).blocksTopicV4 < subscribers(index)) await setTimeout(50);
  return nodes;
}
