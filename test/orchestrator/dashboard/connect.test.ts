import { expect, it } from 'vitest';
import { keysOf, placesOf } from '../../../src/orchestrator/dashboard/connect.ts';
import { planOf } from '../plan/planned.ts';

const NAMED = `0x${'12'.repeat(20)}`;
const plan = planOf(`{ chains: { one: { accounts: { count: 2, addresses: ['${NAMED}'] } } } }`);

it('each place has its chain id and addresses, and no key', () => {
  const places = placesOf(plan);
  expect(places.map(({ name, chainId }) => [name, chainId])).toEqual([
    ['L1', 900],
    ['one', 901],
  ]);
  expect(places[1]?.endpoints[0]).toEqual({ what: 'sequencer RPC', url: plan.network.chains[0]?.nodes[0]?.el.http });
  const keys = plan.network.chains[0]?.accounts.flatMap(({ privateKey }) => privateKey ?? []) ?? [];
  expect(keys.length).toBeGreaterThan(1);
  for (const key of keys) expect(JSON.stringify(places)).not.toContain(key);
});

it('accounts have the index that commands take, and an address of the user has none', () => {
  const accounts = placesOf(plan)[1]?.accounts ?? [];
  expect(accounts.slice(0, 2).map(({ index }) => index)).toEqual([0, 1]);
  expect(accounts.find(({ address }) => address === NAMED)).toMatchObject({ index: null, hasKey: false });
});

it('the keys are those of funded accounts, without those of roles', () => {
  const [chain] = plan.network.chains;
  expect(Object.keys(keysOf(chain!))).toEqual(chain!.accounts.slice(0, 2).map(({ address }) => address));
});
