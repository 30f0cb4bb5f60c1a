import { expect } from 'vitest';
import type { Home, Status } from '../devnet.ts';
import { rpc } from '../devnet.ts';
import { ToldLoad } from './told-load.ts';

/** A chain of three nodes in both flavours, with blocks of one second. */
export const SPEC = {
  version: 1,
  name: 'handover',
  ports: 'auto',
  l1: { blockTime: 1 },
  chains: {
    main: {
      blockTime: 1,
      nodes: { one: { role: 'sequencer' }, two: { el: 'execution-go' }, three: { el: 'execution-rust' } },
    },
  },
};

interface Block {
  readonly number: string;
  readonly hash: string;
}

/** What handovers did to the load beside them. */
export interface Handovers {
  readonly told: number;
  readonly failed: number;
  readonly forwarded: number;
}

/**
 * Hands the sequencer's role from node to node under load. Each handover keeps the last block of the former sequencer,
 * and each transaction that a node has accepted is in a block of all nodes at the end.
 */
export async function handOver(home: Home, count: number): Promise<Handovers> {
  const status = await home.up(home.spec('handover', SPEC));
  const [chain] = status.chains;
  if (chain === undefined) throw new Error('no chain');
  const names = chain.nodes.map(({ name }) => name);
  const urls = chain.nodes.map(({ el }) => el.http);
  const load = new ToldLoad(chain, 4);
  let forwarded = 0;
  for (let nth = 1; nth <= count; nth++) {
    const to = names[nth % names.length] ?? '';
    const moved = await home.json<{ block: number; hash: string; forwarded: number }>('sequencer', 'move', to);
    forwarded += moved.forwarded;
    const { chains } = await home.json<Status>('status');
    expect(chains[0]?.nodes.filter(({ role }) => role === 'sequencer').map(({ name }) => name)).toEqual([to]);
    for (const url of urls) await hasBlock(url, moved);
    if (nth % 10 === 0) console.log(`${nth} handovers, ${load.told.length} transactions`);
  }
  await load.end(urls);
  await home.agrees();
  return { told: load.told.length, failed: load.failedCount, forwarded };
}

/** The last block of a former sequencer stays on every node. */
async function hasBlock(
  url: string,
  { block, hash }: { readonly block: number; readonly hash: string },
): Promise<void> {
  const at = () => rpc<Block | null>(url, 'eth_getBlockByNumber', `0x${(block + 1).toString(16)}`, false);
  await expect.poll(at, { timeout: 120_000, interval: 100 }).toMatchObject({ parentHash: hash });
}
