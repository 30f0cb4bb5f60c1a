import { join } from 'node:path';
import { expect } from 'vitest';
import type { Devnet, NetworkEvent, Snapshot } from '../../../src/library/index.ts';
import { root, rpc } from '../devnet.ts';

const library = new URL(`file://${join(root, 'dist', 'library', 'index.mjs')}`).href;

/** Receiver of the deposit that is in flight at the snapshot. */
export const RECEIVER = '0x000000000000000000000000000000000000dEaD';
const DEPOSITED = 10n ** 18n;
const WAIT = { timeout: 120_000, interval: 20 };

/** Blocks of one second, so that many are made. Tests kill processes. */
export const SPEC = {
  l1: { blockTime: 1 },
  chains: {
    main: { blockTime: 1, onExit: 'restart', nodes: { sequencer: { role: 'sequencer' }, verifier: {}, second: {} } },
  },
};

/** Starts a network of one-second blocks in a home folder. */
export async function startNetwork(home: string, name: string): Promise<Devnet> {
  const { startDevnet }: typeof import('../../../src/library/index.ts') = await import(library);
  const net = await startDevnet({ spec: SPEC, ports: 'auto', name, home, budget: 300_000 });
  await net.waitFor('safe:2', WAIT);
  return net;
}

/** Starts a network from a snapshot of a home folder. */
export async function startFrom(home: string, name: string, from: string): Promise<Devnet> {
  const { startDevnet }: typeof import('../../../src/library/index.ts') = await import(library);
  return startDevnet({ ports: 'auto', name, home, from, budget: 300_000 });
}

/** Reads the unsafe heads of the rollup nodes. */
export async function unsafeHeads(net: Devnet): Promise<readonly number[]> {
  const { chains } = await net.status();
  const status = (url: string) => rpc<{ unsafe_l2: { number: number } }>(url, 'optimism_syncStatus');
  const all = chains.flatMap(({ nodes }) => nodes.map(({ cl }) => status(cl.rpc)));
  return (await Promise.all(all)).map(({ unsafe_l2 }) => unsafe_l2.number);
}

/** Process ids of the nodes. A restart changes them. */
export async function pids(net: Devnet): Promise<readonly (number | null)[]> {
  const { chains } = await net.status();
  return chains.flatMap(({ nodes, batcher, proposer }) => [
    ...nodes.flatMap(({ el, cl }) => [el.pid, cl.pid]),
    batcher?.pid ?? null,
    proposer?.pid ?? null,
  ]);
}

/** Hashes of the newest blocks: of L1, of every execution client, and of every rollup node. */
export async function newest(net: Devnet): Promise<readonly string[]> {
  const l1 = await net.l1.public.getBlock();
  const nodes = await Promise.all(net.chain().nodes.map((name) => net.node(name).public.getBlock()));
  const { chains } = await net.status();
  const unsafe = chains.flatMap((chain) => chain.nodes.map(({ heads }) => heads.unsafe?.hash ?? ''));
  return [l1.hash, ...nodes.map(({ hash }) => hash), ...unsafe];
}

/** A snapshot at which the clock stood, with the newest blocks then and the height. */
export interface Moment {
  readonly snapshot: Snapshot;
  readonly heads: readonly string[];
  readonly number: bigint;
}

/** Takes a snapshot with a deposit in L1's pool and a transaction in that of L2. The clock stands until `resume`. */
export async function takeMoment(net: Devnet): Promise<Moment> {
  await net.pause();
  const { chain, wallet } = net.chain();
  const request = { gas: 100_000n, mint: DEPOSITED, to: RECEIVER, value: DEPOSITED } as const;
  await net.l1.wallet.depositTransaction({ request, targetChain: chain });
  await wallet.sendTransaction({ to: RECEIVER, value: 1n });
  const snapshot = await net.snapshot();
  const heads = await newest(net);
  return { snapshot, heads, number: (await net.chain().public.getBlock()).number };
}

/**
 * Goes back to a moment, and has the network make two blocks that no other return made. All nodes follow, and the
 * deposit and the transaction of the moment are delivered once. Returns the hash of the second block.
 */
export async function goBackAndOn(net: Devnet, { snapshot, heads, number }: Moment, nth: number): Promise<string> {
  await net.pause();
  await net.revert(snapshot);
  expect(await newest(net)).toEqual(heads);
  await net
    .chain()
    .walletOf(1)
    .sendTransaction({ to: RECEIVER, value: BigInt(nth) * 1000n });
  await net.resume();
  const second = number + 2n;
  await expect.poll(() => net.chain().public.getBlockNumber({ cacheTime: 0 }), WAIT).toBeGreaterThanOrEqual(second);
  const { hash } = await net.chain().public.getBlock({ blockNumber: second });
  for (const name of net.chain().nodes) {
    const client = net.node(name).public;
    const has = async () => (await client.getBlock({ blockNumber: second }).catch(() => undefined))?.hash;
    await expect.poll(has, WAIT).toBe(hash);
    const balance = () => client.getBalance({ address: RECEIVER });
    await expect.poll(balance, WAIT).toBe(DEPOSITED + 1n + BigInt(nth) * 1000n);
  }
  return hash;
}

/** Gathers the events of a network until it is disposed. */
export function gatherEvents(net: Devnet): { readonly all: readonly NetworkEvent[] } & Disposable {
  const ending = new AbortController();
  const all: NetworkEvent[] = [];
  void (async () => {
    for await (const event of net.watch({ signal: ending.signal })) all.push(event);
  })().catch(() => {});
  return { all, [Symbol.dispose]: () => ending.abort() };
}

/** How many blocks a verifier has from gossip. */
export const countGossipedBlocks = (net: Devnet, node: string) =>
  net.node(node).logs({ grep: /inserted an unsafe block/ }).length;
