import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Home, node, rpc, type Status } from './devnet.ts';

const NAMES = ['s', 'v', 'w'] as const;
const POLL_OPTIONS = { timeout: 60_000, interval: 100 };

/** Nodes without static peers: they find each other by the record of one of them. */
describe('nodes that find each other by discovery, in a network with faults', () => {
  const home = new Home();
  let status: Status;
  const peersOf = async (name: string) =>
    (await rpc<{ connected: number }>(node(status, name).cl.rpc, 'opp2p_peerStats')).connected;
  const peers = () => Promise.all(NAMES.map(peersOf));
  const devnet = async (...args: string[]) => expect(await home.devnet(...args)).toMatchObject({ code: 0 });

  beforeAll(async () => {
    const discovers = { peers: [], cl: { args: { 'p2p.no-discovery': null } } };
    const nodes = { s: { ...discovers, role: 'sequencer' }, v: discovers, w: discovers };
    const chain = { blockTime: 1, proposer: false, nodes };
    const spec = { name: 'found', ports: 'auto', faults: true, l1: { blockTime: 1 }, chains: { main: chain } };
    status = await home.up(home.spec('found', spec));
  });
  afterAll(() => home[Symbol.asyncDispose]());

  it('are connected through the links that faults shape', async () => {
    expect(await peers()).toEqual([0, 0, 0]);
    const { ENR } = await rpc<{ readonly ENR: string }>(node(status, 's').cl.rpc, 'opp2p_self');
    for (const name of ['v', 'w']) await devnet('node', 'restart', `${name}.cl`, '--arg', `p2p.bootnodes=${ENR}`);
    status = await home.json('status');
    await expect.poll(peers, POLL_OPTIONS).toEqual([2, 2, 2]);
  });

  it('lose each other in a partition, and find each other after it', async () => {
    await devnet('fault', 'partition', 's', 'v', 'w');
    await expect.poll(peers, POLL_OPTIONS).toEqual([0, 0, 0]);
    await devnet('fault', 'heal', '--all');
    await expect.poll(peers, POLL_OPTIONS).toEqual([2, 2, 2]);
    await home.agrees();
  });
});
