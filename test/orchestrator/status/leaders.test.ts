import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { leaderIn, readLeaders } from '../../../src/orchestrator/status/leaders.ts';
import { type MethodTable, method } from '../../../src/rpc/method.ts';
import { type RunningServer, serve } from '../../../src/rpc/server/server.ts';
import { quickPlanOf } from '../plan/planned.ts';

const lead = { id: '' };
const METHODS: MethodTable<typeof lead> = {
  conductor_leaderWithID: method('', z.tuple([]), ({ id }: typeof lead) => ({ id, addr: '', suffrage: 0 })),
};

let server: RunningServer;
beforeAll(async () => {
  server = await serve({ host: '127.0.0.1', port: 0, http: true, websocket: false, methods: METHODS, context: lead });
});
afterAll(() => server.close());

/** The leaders of a network whose first chain has a conductor at the server, if it has one. */
async function leaders(text: string) {
  const { network } = quickPlanOf(text);
  const rpc = `http://127.0.0.1:${server.port}`;
  const chains = network.chains.map((chain) =>
    chain.conductor ? { ...chain, conductor: { ...chain.conductor, rpc } } : chain,
  );
  return [...(await readLeaders({ network: { ...network, chains } }))];
}

const SET = 'chains: { main: { conductor: true, nodes: { s: { role: sequencer, count: 3 }, v: {} } } }';

it('status has the sequencer that leads, if the conductor names one', async () => {
  expect(await leaders(SET)).toEqual([]);
  lead.id = 's-2';
  expect(await leaders(SET)).toEqual([['main', 's-2']]);
  expect(await leaders('{}')).toEqual([]);
});

it('the node that makes the blocks is the leader of a set, or the first sequencer while none is known', () => {
  const [chain] = quickPlanOf(SET).network.chains;
  if (chain === undefined) throw new Error('no chain');
  expect(leaderIn(chain, new Map([['main', 's-3']]))?.name).toBe('s-3');
  expect(leaderIn(chain, new Map([['other', 's-3']]))?.name).toBe('s-1');
});

it('the node that makes the blocks is the first sequencer, or the first node of a chain without one', () => {
  const [chain] = quickPlanOf('chains: { main: { nodes: { v: {}, s: { role: sequencer } } } }').network.chains;
  if (chain === undefined) throw new Error('no chain');
  const nodes = chain.nodes.toSorted((a, b) => b.name.localeCompare(a.name));
  expect(nodes.map(({ name }) => name)).toEqual(['v', 's']);
  expect(leaderIn({ ...chain, nodes }, new Map())?.name).toBe('s');
  const verifiers = nodes.map((node) => ({ ...node, role: 'verifier' as const }));
  expect(leaderIn({ ...chain, nodes: verifiers }, new Map())?.name).toBe('v');
});

it('status has no leader while the conductor does not answer', async () => {
  await server.close();
  expect(await leaders(SET)).toEqual([]);
});
