import { expect, it } from 'vitest';
import { type AltDaConfig, ChallengeReader } from '../../../../src/protocol/derivation/alt-da/challenge-reader.ts';
import { keccakCommitment } from '../../../../src/protocol/derivation/da-commitment.ts';
import type { Hex, L1Receipt, Log } from '../../../../src/protocol/types.ts';
import { challengeLog, daRollup, resolveTransaction } from '../scripted/da.ts';
import { l1Header, scriptedL1 } from '../scripted/l1.ts';
import { GENESIS_L1, hashOf } from '../scripted/rollup.ts';
import { receiptsOf } from '../scripted/transactions.ts';

const DATA = Uint8Array.of(0, 7);
const A = keccakCommitment(DATA);
const CONFIG = daRollup().config.alt_da!;
const { da_challenge_contract_address: _, ...WITHOUT_ADDRESS } = CONFIG;
/** Number of the L1 block that holds the commitment. */
const AT = 90;
const OTHER: Hex = `0x${'0d'.repeat(20)}`;

/** A reader behind L1's genesis, and what it logged. */
function reading(config: AltDaConfig = CONFIG) {
  const l1 = scriptedL1();
  const logged: unknown[] = [];
  const reader = new ChallengeReader(config, GENESIS_L1, l1, (...entry) => logged.push(entry));
  const read = (...logs: Omit<Log, 'logIndex'>[]) => reader.read(l1.mine({ receipts: receiptsOf(...logs) }));
  const challenge = () => reader.challenges.of(A, AT);
  return { l1, reader, logged, read, challenge };
}

it('a challenge counts from the L1 block of its log, and expires there', async () => {
  const { reader, logged, read, challenge, l1 } = reading();
  await read(challengeLog(A, AT, 1));
  expect(challenge()).toEqual({ status: 'active', resolveEnd: 104 });
  expect(logged).toEqual([['info', expect.stringContaining('active'), { block: AT, commitment: A.encoded }]]);
  for (const status of ['active', 'active', 'expired']) {
    await read();
    expect(challenge()?.status).toBe(status);
  }
  expect(reader.position).toEqual(l1.head());
});

it.each<[string, Partial<Log>]>([
  ['of another contract', { address: OTHER }],
  ['with another topic', { topics: [hashOf('other'), `0x${AT.toString(16).padStart(64, '0')}`] }],
  ['that is malformed', { data: '0x' }],
])('a log %s opens no challenge, and those after it do', async (_, change) => {
  const { read, reader } = reading();
  const B = keccakCommitment(Uint8Array.of(1));
  await read({ ...challengeLog(A, AT, 1), ...change }, challengeLog(B, AT, 1));
  expect([reader.challenges.of(A, AT), reader.challenges.of(B, AT)?.status]).toEqual([undefined, 'active']);
});

it('the address of the contract is compared without regard to case', async () => {
  const { read, challenge } = reading();
  await read({ ...challengeLog(A, AT, 1), address: `0x${'DA'.repeat(20)}` });
  expect(challenge()?.status).toBe('active');
});

it('a transaction that failed opens no challenge', async () => {
  const { l1, reader, challenge } = reading();
  const failed = receiptsOf(challengeLog(A, AT, 1)).map((receipt): L1Receipt => ({ ...receipt, status: false }));
  await reader.read(l1.mine({ receipts: failed }));
  expect(challenge()).toBeUndefined();
});

it.each<[string, AltDaConfig]>([
  ['generic commitments', { ...CONFIG, da_commitment_type: 'GenericCommitment' }],
  ['no address', WITHOUT_ADDRESS],
  ['an empty address', { ...CONFIG, da_challenge_contract_address: '' as Hex }],
])('a rollup with %s has no challenges, and reads no receipts', async (_, config) => {
  const { l1, read, challenge, reader } = reading(config);
  await read(challengeLog(A, AT, 1));
  expect([challenge(), l1.calls.get('receipts'), reader.position.number]).toEqual([undefined, undefined, 101]);
});

it('an L1 block is read once, and none below the position', async () => {
  const { l1, reader } = reading();
  const block = l1.mine();
  for (const again of [l1Header(99, 0), GENESIS_L1, block, block]) await reader.read(again);
  expect([l1.calls.get('receipts'), reader.position]).toEqual([1, block]);
  const gone = l1Header(90, 0);
  reader.moveTo(gone);
  expect(reader.position).toBe(gone);
});

it('a challenge is resolved by the data of the transaction of its log', async () => {
  const { l1, reader, challenge, read, logged } = reading();
  await read(challengeLog(A, AT, 1));
  const resolving = resolveTransaction(A, AT, DATA);
  const other = { ...resolveTransaction(A, AT, Uint8Array.of(0, 8)), hash: hashOf('other') };
  await reader.read(
    l1.mine({ transactions: [other, resolving], receipts: receiptsOf(challengeLog(A, AT, 2, resolving.hash)) }),
  );
  expect(challenge()).toEqual({ status: 'resolved', resolveEnd: 104, input: DATA });
  expect(logged.at(-1)).toEqual(['info', expect.stringContaining('resolved'), expect.anything()]);
});

it.each<[string, Hex | undefined, Uint8Array]>([
  ['other data', resolveTransaction(A, AT, DATA).hash, Uint8Array.of(0, 8)],
  ['a transaction that is not in its block', hashOf('elsewhere'), DATA],
  ['no transaction', undefined, DATA],
])('a resolution with %s leaves the challenge active', async (_, hash, data) => {
  const { l1, reader, challenge, read } = reading();
  await read(challengeLog(A, AT, 1));
  const transactions = [resolveTransaction(A, AT, data)];
  await reader.read(l1.mine({ transactions, receipts: receiptsOf(challengeLog(A, AT, 2, hash)) }));
  expect(challenge()?.status).toBe('active');
});

it.each(['receipts', 'transactions'] as const)('a block without %s on L1 is read again later', async (part) => {
  const { l1, reader } = reading();
  const block = l1.mine({ receipts: receiptsOf(challengeLog(A, AT, 2)) });
  const gone = { ...l1, [part]: async () => null };
  const other = new ChallengeReader(CONFIG, GENESIS_L1, gone, undefined);
  await expect(other.read(block)).rejects.toMatchObject({
    handling: 'retry',
    message: expect.stringContaining(`101 (${block.hash})`),
  });
  expect(other.position).toBe(GENESIS_L1);
  await reader.read(block);
  expect(reader.position).toBe(block);
});

it('lookAhead reads the next block of L1, waits for one, and notices a reorganisation', async () => {
  const { l1, reader, challenge } = reading();
  await expect(reader.lookAhead()).rejects.toMatchObject({
    handling: 'retry',
    message: expect.stringContaining('lacks'),
  });
  const block = l1.mine({ receipts: receiptsOf(challengeLog(A, AT, 1)) });
  l1.mine();
  await reader.lookAhead();
  expect([reader.position, challenge()?.status]).toEqual([block, 'active']);
  l1.reorgTo(GENESIS_L1.number);
  for (let count = 0; count < 2; count++) l1.mine();
  await expect(reader.lookAhead()).rejects.toMatchObject({
    handling: 'reset',
    message: expect.stringContaining('102'),
  });
  expect(reader.position).toBe(block);
});
