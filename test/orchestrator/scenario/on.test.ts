import { privateKeyToAddress } from 'viem/accounts';
import { getBalance } from 'viem/actions';
import { expect, it } from 'vitest';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import type { Facts } from '../../../src/orchestrator/scenario/facts.ts';
import { knowsTarget, readerOf, targetOf, walletOn } from '../../../src/orchestrator/scenario/on.ts';
import { servedLedger } from './ledger.ts';
import { twoChains } from './read/two-chains.ts';

const L1 = 'http://l1';

/** Two chains whose nodes have URLs with their names. The sequencer of the first is its second node. */
function planned(l1 = L1, urlOf = (name: string) => `http://${name}`): Plan {
  const plan = twoChains();
  const chains = plan.network.chains.map((chain) => ({
    ...chain,
    nodes: chain.nodes.map((node) => ({
      ...node,
      role: node.name === 'a' ? ('verifier' as const) : ('sequencer' as const),
      el: { ...node.el, http: urlOf(node.name) },
    })),
  }));
  return { ...plan, network: { ...plan.network, l1: { ...plan.network.l1, rpc: l1 }, chains } };
}

it.each([
  [undefined, 'http://b', 'main'],
  ['l1', L1, 'main'],
  ['a', 'http://a', 'main'],
  ['main/b', 'http://b', 'main'],
  ['c', 'http://c', 'other'],
])('the target %s is the client at %s, with the accounts of %s', (word, url, chain) => {
  const target = targetOf(planned(), word);
  expect([target.url, target.chain.name]).toEqual([url, chain]);
});

it.each([undefined, 'l1', 'a'])('the target %s is none without a chain', (word) => {
  const plan = planned();
  expect(() => targetOf({ ...plan, network: { ...plan.network, chains: [] } }, word)).toThrow('the plan has no chain');
});

it.each<[string | undefined, number | undefined, readonly (readonly string[])[]]>([
  [undefined, undefined, []],
  [undefined, 1, []],
  ['l1', undefined, []],
  ['l1', 1, []],
  ['l1', 2, [['send.from', 'main has no account 2']]],
  ['main/a', 2, [['send.from', 'main has no account 2']]],
  ['c', undefined, []],
  ['c', 0, [['send.from', 'other has no account 0']]],
  ['x', undefined, [['send.on', 'the devnet has no node "x"']]],
  ['x', 9, [['send.on', 'the devnet has no node "x"']]],
])('the target %s with the account %s has the problems %j', (word, from, problems) => {
  const found: unknown[] = [];
  const report: Facts['report'] = (path, message) => void found.push([path.join('.'), message]);
  knowsTarget({ plan: planned(), report } as Facts, ['send'], word, from);
  expect(found).toEqual(problems);
});

it('the client of a target asks it, with the account of its chain', async () => {
  const ledgers = [await servedLedger(), await servedLedger(), await servedLedger()] as const;
  const [l1, b, c] = ledgers;
  try {
    const plan = planned(l1.url, (name) => (name === 'c' ? c.url : b.url));
    const [own, next] = ['1', '2'].map((digit) => privateKeyToAddress(`0x${'0'.repeat(63)}${digit}`));
    for (const [index, ledger] of ledgers.entries()) ledger.balances.set(own!.toLowerCase(), BigInt(index));
    const balance = (client: Parameters<typeof getBalance>[0]) => getBalance(client, { address: own! });
    expect(await Promise.all(['l1', undefined, 'c'].map((word) => balance(readerOf(plan, word))))).toEqual([
      0n,
      1n,
      2n,
    ]);
    const wallet = walletOn(plan, 'l1', 0);
    expect([wallet.account.address, await balance(wallet)]).toEqual([own, 0n]);
    expect(walletOn(plan, undefined, 1).account.address).toBe(next);
    expect(() => walletOn(plan, 'c', 0)).toThrow(expect.objectContaining({ code: 'account' }));
  } finally {
    for (const ledger of ledgers) ledger[Symbol.dispose]();
  }
});
