import { expect, it } from 'vitest';
import { createAltDaInputs, MAX_INPUT_SIZE } from '../../../../src/protocol/derivation/alt-da/inputs.ts';
import { type DaCommitment, keccakCommitment } from '../../../../src/protocol/derivation/da-commitment.ts';
import {
  CHALLENGE_WINDOW,
  challengeLog,
  daRollup,
  generic,
  RESOLVE_WINDOW,
  resolveTransaction,
} from '../scripted/da.ts';
import { scriptedL1 } from '../scripted/l1.ts';
import { GENESIS_L1 } from '../scripted/rollup.ts';
import { receiptsOf } from '../scripted/transactions.ts';

const DATA = Uint8Array.of(0, 7);
const A = keccakCommitment(DATA);

/** Inputs over a store of this one commitment, or of none. */
function inputsOver(kind: DaCommitment['kind'], stored?: Uint8Array) {
  const rollup = daRollup(kind);
  const l1 = scriptedL1();
  const logged: unknown[] = [];
  const store = { data: stored ?? null };
  const log = (...entry: unknown[]) => void logged.push(entry);
  const inputs = createAltDaInputs(rollup, rollup.config.alt_da!, l1, async () => store.data, log);
  /** Mines blocks and moves the pipeline to each. */
  const advance = async (count: number) => {
    for (let block = 0; block < count; block++) await inputs.advance(l1.mine());
  };
  return { inputs, l1, logged, store, advance };
}

/** Inputs after the L1 block of a used commitment, which is challenged in the next one. */
async function challenged() {
  const world = inputsOver('keccak', DATA);
  const origin = world.l1.mine();
  await world.inputs.advance(origin);
  expect(await world.inputs.input(A, origin)).toBe(DATA);
  await world.inputs.advance(world.l1.mine({ receipts: receiptsOf(challengeLog(A, origin.number, 1)) }));
  return { ...world, origin };
}

it.each(['keccak', 'generic'] as const)('a rollup with %s commitments skips those of the other kind', async (kind) => {
  const { inputs, l1, logged } = inputsOver(kind, DATA);
  const [own, other] = kind === 'keccak' ? [A, generic('a')] : [generic('a'), A];
  expect([await inputs.input(own, l1.head()), await inputs.input(other, l1.head())]).toEqual([DATA, 'skip']);
  expect(logged).toEqual([['warn', expect.stringContaining('another kind'), { kind: other.kind }]]);
});

it('data longer than a challenge can put on L1 is skipped, and only behind a keccak commitment', async () => {
  expect(MAX_INPUT_SIZE).toBe(130_672);
  for (const [size, expected] of [
    [MAX_INPUT_SIZE, MAX_INPUT_SIZE],
    [MAX_INPUT_SIZE + 1, 'skip'],
  ] as const) {
    const { inputs, l1, logged } = inputsOver('keccak', new Uint8Array(size));
    const input = await inputs.input(A, l1.head());
    expect(typeof input === 'string' ? input : input.length).toBe(expected);
    expect(logged).toEqual(
      expected === 'skip' ? [['warn', expect.any(String), { bytes: size, most: MAX_INPUT_SIZE }]] : [],
    );
  }
  const { inputs, l1 } = inputsOver('generic', new Uint8Array(MAX_INPUT_SIZE + 1));
  expect(await inputs.input(generic('a'), l1.head())).toHaveLength(MAX_INPUT_SIZE + 1);
});

it('missing data is fatal when the window of a challenge has passed, not before', async () => {
  const { inputs, l1, advance } = inputsOver('keccak');
  const origin = l1.mine();
  await inputs.advance(origin);
  await advance(CHALLENGE_WINDOW);
  await expect(inputs.input(A, origin)).rejects.toMatchObject({ handling: 'retry' });
  l1.mine();
  expect(await inputs.input(A, origin)).toBe('more');
  await expect(inputs.input(A, origin)).rejects.toMatchObject({
    handling: 'fatal',
    message: expect.stringContaining(`${A.encoded} in L1 block ${origin.number}`),
  });
});

it('missing data under a challenge is waited for beyond the window', async () => {
  const { inputs, store, origin, l1 } = await challenged();
  store.data = null;
  for (let block = 0; block < RESOLVE_WINDOW; block++) {
    l1.mine();
    expect(await inputs.input(A, origin)).toBe('more');
  }
  expect(await inputs.input(A, origin)).toBe('skip');
});

it('missing data is waited for as long as a challenge of the last block of the window lasts', async () => {
  const { inputs, l1, advance } = inputsOver('keccak');
  const origin = l1.mine();
  await inputs.advance(origin);
  await advance(CHALLENGE_WINDOW - 1);
  await inputs.advance(l1.mine({ receipts: receiptsOf(challengeLog(A, origin.number, 1)) }));
  for (let block = 0; block < RESOLVE_WINDOW; block++) {
    l1.mine();
    expect(await inputs.input(A, origin)).toBe('more');
  }
  expect(await inputs.input(A, origin)).toBe('skip');
});

it('missing data is that of the resolution on L1', async () => {
  const { inputs, store, origin, l1 } = await challenged();
  store.data = null;
  const resolving = resolveTransaction(A, origin.number, DATA);
  const receipts = receiptsOf(challengeLog(A, origin.number, 2, resolving.hash));
  l1.mine({ transactions: [resolving], receipts });
  expect([await inputs.input(A, origin), await inputs.input(A, origin)]).toEqual(['more', DATA]);
});

it('an expired challenge against used data resets once, and its data is skipped after the reset', async () => {
  const { inputs, logged, origin, l1, advance } = await challenged();
  await advance(RESOLVE_WINDOW - 1);
  const end = l1.mine();
  await expect(inputs.advance(end)).rejects.toMatchObject({
    handling: 'reset',
    message: expect.stringContaining(`by L1 block ${end.number}`),
  });
  inputs.reset(GENESIS_L1);
  const receiptsRead = l1.calls.get('receipts');
  await inputs.advance(origin);
  expect([await inputs.input(A, origin), l1.calls.get('receipts')]).toEqual(['skip', receiptsRead]);
  expect(logged.at(-1)).toEqual(['warn', expect.stringContaining('expired'), { commitment: A.encoded }]);
  await inputs.advance(end);
  inputs.reset(GENESIS_L1);
  expect(await inputs.input(A, origin)).toBe(DATA);
});

it('data is skipped without a log, too', async () => {
  const rollup = daRollup('keccak');
  const l1 = scriptedL1();
  const tooLong = new Uint8Array(MAX_INPUT_SIZE + 1);
  const inputs = createAltDaInputs(rollup, rollup.config.alt_da!, l1, async () => tooLong);
  expect([await inputs.input(generic('a'), l1.head()), await inputs.input(A, l1.head())]).toEqual(['skip', 'skip']);
});

it('a reset for another reason reads challenges again from its L1 block', async () => {
  const { inputs, origin, l1 } = await challenged();
  inputs.reset(origin);
  expect(await inputs.finalizedBy({ ...origin, number: GENESIS_L1.number + CHALLENGE_WINDOW })).toMatchObject(
    GENESIS_L1,
  );
  const before = l1.calls.get('receipts')!;
  await inputs.advance(l1.head());
  expect(l1.calls.get('receipts')).toBe(before + 1);
  expect(await inputs.finalizedBy(l1.head())).toBeNull();
});

it('an L1 block is settled once', async () => {
  const { inputs, l1, advance, origin } = await challenged();
  await advance(RESOLVE_WINDOW - 1);
  await inputs.advance(origin);
  await expect(inputs.advance(l1.mine())).rejects.toMatchObject({ handling: 'reset' });
});

it('the final block is the one that a challenge can no longer reach', async () => {
  const { inputs, l1, advance } = inputsOver('keccak', DATA);
  const finalizedBy = (number: number) => inputs.finalizedBy({ number, hash: GENESIS_L1.hash });
  expect(await finalizedBy(GENESIS_L1.number + CHALLENGE_WINDOW)).toMatchObject(GENESIS_L1);
  expect([await finalizedBy(CHALLENGE_WINDOW - 1), l1.calls.get('headerByNumber')]).toEqual([null, 1]);
  expect([await finalizedBy(CHALLENGE_WINDOW), l1.calls.get('headerByNumber')]).toEqual([null, 2]);
  await advance(1);
  const origin = l1.head();
  await inputs.input(A, origin);
  await advance(CHALLENGE_WINDOW);
  expect(await finalizedBy(origin.number + CHALLENGE_WINDOW - 1)).toBeNull();
  expect(await finalizedBy(origin.number + CHALLENGE_WINDOW)).toMatchObject({
    number: origin.number,
    hash: origin.hash,
  });
  expect(await finalizedBy(1)).toMatchObject({ number: origin.number });
});
