import { expect, it } from 'vitest';
import { planOf } from './planned.ts';

const taskOf = (chain: string, task: string) =>
  planOf(`l1: { blockTime: 2 }\nchains: { main: { blockTime: 1, ${chain} } }`).tasks.find(({ id }) => id === task);

it.each([
  ['batcher: { args: { max-channel-duration: 3 } }', 'main/batcher', 6000],
  ['batcher: { args: { max-channel-duration: 0 } }', 'main/batcher', undefined],
  ['proposer: { interval: 12 }', 'main/proposer', 12_000],
  ['proposer: { interval: 12, system: dispute-games }', 'main/proposer', 12_000],
  ['proposer: { interval: 12, system: dispute-games, args: { proposal-interval: 1m } }', 'main/proposer', 60_000],
  ['proposer: { interval: 12, client: op-proposer, binary: /bin/op-proposer }', 'main/proposer', 12_000],
])('the interval between posts is read from %s', (chain, task, ms) => {
  expect(taskOf(chain, task)?.paceMs).toBe(ms);
});

it('a proposer posts safe blocks, or finalized ones if its options say so', () => {
  expect(taskOf('proposer: {}', 'main/proposer')?.postsFinalized).toBeUndefined();
  expect(taskOf('proposer: { args: { allow-non-finalized: false } }', 'main/proposer')?.postsFinalized).toBe(true);
});

it.each([
  [2, 2, 2],
  [12, 2, 6],
  [12, 5, 3],
  [12, 7, 2],
])('an output with L1 blocks of %i s and L2 blocks of %i s is every %i blocks', (l1, l2, blocks) => {
  const { files } = planOf(`l1: { blockTime: ${l1} }\nchains: { main: { blockTime: ${l2} } }`);
  const genesis = files.find(({ content }) => content.kind === 'l1-genesis')?.content;
  expect(genesis).toMatchObject({ inputs: { chains: [{ withdrawals: { submissionInterval: blocks } }] } });
});
