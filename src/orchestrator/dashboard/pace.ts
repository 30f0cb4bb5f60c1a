import { layersOf } from '../inspect/layer.ts';
import type { Plan } from '../plan/plan.ts';
import { readLeaders } from '../status/leaders.ts';
import { blocksOf } from './explorer/blocks.ts';

/** How fast a chain builds, and what its newest block costs. */
export interface PaceRow {
  readonly chain: string;
  /** Mean over the newest blocks; null if there is one block alone. */
  readonly seconds: number | null;
  readonly plannedSeconds: number;
  readonly gasUsed: number;
  readonly gasLimit: number;
  /** wei */
  readonly baseFee: string | null;
  /** Mean over the newest blocks. */
  readonly transactions: number;
}

/** Reads the newest blocks of each chain at its sequencer. A chain that does not answer is left out. */
export async function paceOf(plan: Plan): Promise<readonly PaceRow[]> {
  const layers = layersOf(plan, {}, await readLeaders(plan));
  const rows = await Promise.all(
    layers.map(async (layer): Promise<readonly PaceRow[]> => {
      if (layer.kind === 'l1') return [];
      const blocks = await blocksOf(layer, undefined).catch(() => []);
      const [newest, oldest] = [blocks[0], blocks.at(-1)];
      if (newest === undefined || oldest === undefined) return [];
      const steps = newest.number - oldest.number;
      return [
        {
          ...{ chain: layer.chain.name, plannedSeconds: layer.chain.blockTime },
          seconds: steps === 0 ? null : (newest.time - oldest.time) / steps,
          ...{ gasUsed: newest.gasUsed, gasLimit: newest.gasLimit, baseFee: newest.baseFee },
          transactions: blocks.reduce((sum, block) => sum + block.transactions, 0) / blocks.length,
        },
      ];
    }),
  );
  return rows.flat();
}
