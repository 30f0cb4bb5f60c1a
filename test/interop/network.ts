import { expect } from 'vitest';
import { Home, rpc } from '../e2e/devnet.ts';
import type { Crossing, InteropClient } from './clients.ts';

/** Blocks after the last activation that all nodes derive. */
const BEYOND = 8;

/** A network of real clients and of ours. */
export interface Mixed {
  readonly clients: readonly InteropClient[];
  readonly schedule: Crossing;
  /** What the chain has beside its forks. */
  readonly chain: object;
  /** The role whose account sends transactions to L1. */
  readonly posts: 'batcher' | 'proposer';
}

/** Starts a network, waits until all nodes derived blocks after its last fork, and compares every block. */
export async function agrees({ clients, schedule: { forks, last }, chain, posts }: Mixed): Promise<void> {
  await using home = new Home();
  const hardfork = clients.every(({ knowsPrague }) => knowsPrague) ? 'prague' : 'cancun';
  const spec = home.spec('interop', {
    ...{ version: 1, name: 'interop', ports: 'auto', l1: { hardfork } },
    chains: { main: { blockTime: 1, proposer: false, forks, ...chain } },
  });
  await home.up(spec);
  const waited = await home.devnet('wait', `safe:${last + BEYOND}`, '--timeout', '600s');
  expect(waited.code, waited.stderr).toBe(0);
  await home.agrees();
  const { chains, l1 } = await home.status();
  const senders = chains[0]?.accounts.filter(({ role }) => role === posts) ?? [];
  expect(senders).toHaveLength(1);
  for (const { address } of senders)
    await expect
      .poll(async () => Number(await rpc<string>(l1.rpc, 'eth_getTransactionCount', address, 'latest')))
      .toBeGreaterThan(0);
  const down = await home.devnet('down');
  expect(down.code, down.stderr).toBe(0);
}
