import { describe, expect, test } from 'vitest';
import type { DaCommitment } from '../../../src/protocol/derivation/da-commitment.ts';
import type { L1Transaction } from '../../../src/protocol/types.ts';
import {
  CHALLENGE_WINDOW,
  challengeLog,
  commitmentTransactionOf,
  daRollup,
  generic,
  RESOLVE_WINDOW,
  resolveTransaction,
  scriptedDa,
} from './scripted/da.ts';
import { scriptedEngine } from './scripted/engine.ts';
import { calldataTransaction } from './scripted/l1.ts';
import { createNetwork, derive, framesOf, inCalldata } from './scripted/network.ts';
import { transactionsOf } from './scripted/network-with-channels.ts';
import { receiptsOf } from './scripted/transactions.ts';

/** Two slots of three L2 blocks, the batch of each on the DA server; nothing on L1 yet. */
async function createHistory(kind: DaCommitment['kind'] = 'keccak') {
  const rollup = daRollup(kind);
  const network = createNetwork(rollup);
  const da = scriptedDa(rollup);
  const inputs: DaCommitment[] = [];
  for (let slot = 0; slot < 2; slot++) {
    const frames = framesOf(rollup, await network.advance({}, transactionsOf), { id: slot + 1 });
    inputs.push(da.keep(frames, kind === 'generic' ? generic(`slot ${slot}`) : undefined));
  }
  const [first, second] = inputs as [DaCommitment, DaCommitment];
  const { l1 } = network;
  const altDa = da.inputs(l1);
  const engine = scriptedEngine(rollup);
  return {
    ...network,
    da,
    altDa,
    first,
    second,
    /** Mines an L1 block with these. */
    post: (...transactions: L1Transaction[]) => l1.mine({ transactions }).number,
    mine: (count: number) => {
      for (let block = 0; block < count; block++) l1.mine();
    },
    /** What a verifier comes to; it goes on where it was. */
    async derived() {
      const { outcome } = await derive(network, engine, { altDa });
      return { outcome, hashes: engine.chain().map(({ blockHash }) => blockHash) };
    },
    /** Back to genesis, as after a reset. */
    restart: () => engine.rewind(0),
    /** The sequencer's chain up to a block. */
    upTo: (number: number) =>
      network.sequencer
        .chain()
        .slice(0, number + 1)
        .map(({ blockHash }) => blockHash),
    users: () => engine.chain().map(({ transactions }) => transactions.filter((t) => !t.startsWith('0x7e')).length),
  };
}

describe('alternative DA', () => {
  test.each(['keccak', 'generic'] as const)(
    'derives from %s commitments, and from data on L1 between them',
    async (kind) => {
      const { first, second, post, derived, upTo, rollup, advance, sequencer } = await createHistory(kind);
      post(commitmentTransactionOf(first), commitmentTransactionOf(second));
      const third = await advance({}, transactionsOf);
      post(...inCalldata(framesOf(rollup, third, { id: 9 })));
      const { outcome, hashes } = await derived();
      expect(outcome.kind).toBe('eof');
      expect(hashes).toEqual(upTo(sequencer.head().number));
    },
  );

  test.each<[string, (world: Awaited<ReturnType<typeof createHistory>>) => L1Transaction]>([
    ['a commitment of the other kind', () => commitmentTransactionOf(generic('slot 0'))],
    ['a commitment without bytes', () => calldataTransaction(Uint8Array.of(1))],
    ['a commitment of an unknown kind', () => calldataTransaction(Uint8Array.of(1, 2, 3))],
    ['a keccak commitment cut off', () => calldataTransaction(Uint8Array.of(1, 0, 3))],
    [
      'data that is too long to be challenged',
      ({ da, first }) => {
        da.give(first, new Uint8Array(130_673));
        return commitmentTransactionOf(first);
      },
    ],
  ])('skips %s', async (_, transactionOf) => {
    const world = await createHistory();
    const bad = transactionOf(world);
    world.post(bad, commitmentTransactionOf(world.second));
    const { outcome, hashes } = await world.derived();
    expect([outcome.kind, hashes]).toEqual(['eof', world.upTo(0)]);
  });

  test('waits for data that the DA server lacks', async () => {
    const { da, first, second, post, derived, upTo } = await createHistory();
    const data = da.lose(first);
    post(commitmentTransactionOf(first), commitmentTransactionOf(second));
    const waiting = await derived();
    expect(waiting.outcome).toMatchObject({ kind: 'retry', error: { message: expect.stringContaining('lacks data') } });
    da.give(first, data);
    expect(await derived()).toMatchObject({ outcome: { kind: 'eof' }, hashes: upTo(6) });
  });

  test('takes data from L1 when a challenge was resolved there', async () => {
    const { da, first, second, post, l1, derived, upTo } = await createHistory();
    const data = da.lose(first);
    const at = post(commitmentTransactionOf(first), commitmentTransactionOf(second));
    l1.mine({ receipts: receiptsOf(challengeLog(first, at, 1)) });
    const resolving = resolveTransaction(first, at, data);
    l1.mine({ transactions: [resolving], receipts: receiptsOf(challengeLog(first, at, 2, resolving.hash)) });
    expect(await derived()).toMatchObject({ outcome: { kind: 'eof' }, hashes: upTo(6) });
  });

  test('is not misled by a resolution with other data, nor by a challenge of another block', async () => {
    const { da, first, second, post, l1, derived } = await createHistory();
    da.lose(first);
    const at = post(commitmentTransactionOf(first), commitmentTransactionOf(second));
    l1.mine({ receipts: receiptsOf(challengeLog(first, at - 1, 1), challengeLog(first, at, 1)) });
    const resolving = resolveTransaction(first, at, Uint8Array.of(0, 1));
    l1.mine({ transactions: [resolving], receipts: receiptsOf(challengeLog(first, at, 2, resolving.hash)) });
    expect((await derived()).outcome.kind).toBe('retry');
  });

  test('skips data whose challenge expired', async () => {
    const { da, first, post, l1, mine, derived, users } = await createHistory();
    da.lose(first);
    const at = post(commitmentTransactionOf(first));
    l1.mine({ receipts: receiptsOf(challengeLog(first, at, 1)) });
    mine(RESOLVE_WINDOW + 12);
    const { outcome } = await derived();
    expect(outcome.kind).toBe('eof');
    expect(users().length).toBeGreaterThan(6);
    expect(Math.max(...users())).toBe(0);
  });

  test('resets, and skips data that it used and whose challenge expired later', async () => {
    const { first, second, post, l1, mine, derived, upTo, restart, users } = await createHistory();
    const at = post(commitmentTransactionOf(first), commitmentTransactionOf(second));
    l1.mine({ receipts: receiptsOf(challengeLog(first, at, 1)) });
    expect(await derived()).toMatchObject({ outcome: { kind: 'eof' }, hashes: upTo(6) });
    mine(RESOLVE_WINDOW + 12);
    const { outcome } = await derived();
    expect(outcome).toMatchObject({ kind: 'reset', error: { message: expect.stringContaining('challenge expired') } });
    restart();
    expect((await derived()).outcome.kind).toBe('eof');
    expect(Math.max(...users())).toBe(0);
  });

  test('stops when data is missing and was never challenged', async () => {
    const { da, first, post, mine, derived } = await createHistory();
    da.lose(first);
    post(commitmentTransactionOf(first));
    mine(CHALLENGE_WINDOW + 1);
    const { outcome } = await derived();
    expect(outcome).toMatchObject({ kind: 'fatal', error: { message: expect.stringContaining(first.encoded) } });
  });

  test('is final when its commitments cannot be challenged any more', async () => {
    const { first, second, post, mine, l1, altDa, derived } = await createHistory();
    const at = post(commitmentTransactionOf(first), commitmentTransactionOf(second));
    mine(CHALLENGE_WINDOW + 3);
    await derived();
    const finalizedBy = async (number: number) => (await altDa.finalizedBy((await l1.headerByNumber(number))!))?.number;
    expect(await finalizedBy(at + CHALLENGE_WINDOW - 1)).toBeUndefined();
    expect(await finalizedBy(at + CHALLENGE_WINDOW)).toBe(at);
    expect(await finalizedBy(at + CHALLENGE_WINDOW + 2)).toBe(at + 2);
  });
});
