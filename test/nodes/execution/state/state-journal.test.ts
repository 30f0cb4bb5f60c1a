import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EMPTY_CODE_HASH } from '../../../../src/nodes/execution/state/account.ts';
import { StateJournal } from '../../../../src/nodes/execution/state/state-journal.ts';
import { EMPTY_ROOT } from '../../../../src/nodes/execution/trie/trie.ts';
import { u256be, uintBe } from '../../../../src/protocol/bytes.ts';
import { keccak256Bytes } from '../../../../src/protocol/hash.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import { stateOf } from '../support/memory-state.ts';
import { ModelledJournal, type Step } from './modelled-journal.ts';

const word = (account: number, slot: number, value: bigint): Step => ({ kind: 'word', account, slot, value });
const CREATION: readonly Step[] = [
  { kind: 'nonce', account: 3, value: 1n },
  { kind: 'code', account: 3, code: '0x6003' },
  word(3, 0, 1n),
];

/** By kind of change: the steps before the call frames open, and the change. */
const CHANGES: readonly (readonly [string, readonly Step[], readonly Step[]])[] = [
  ['the first write to an empty slot', [], [word(0, 2, 1n)]],
  ['the first write to a slot with a word', [], [word(0, 0, 1n)]],
  ['a second write to a slot', [word(0, 0, 1n)], [word(0, 0, 2n)]],
  ['a write of the word that a slot has', [], [word(0, 0, 5n)]],
  ['a write that clears a slot', [], [word(0, 0, 0n)]],
  ['a write to a slot that the transaction cleared', [word(0, 0, 0n)], [word(0, 0, 5n)]],
  ['writes to several slots of several accounts', [], [word(0, 0, 1n), word(0, 1, 0n), word(1, 0, 2n)]],
  ['a balance', [], [{ kind: 'credit', account: 2, value: 3n }]],
  ['a balance of an account that does not exist', [], [{ kind: 'credit', account: 3, value: 3n }]],
  ['a credit of zero to an account that does not exist', [], [{ kind: 'credit', account: 3, value: 0n }]],
  ['a nonce', [], [{ kind: 'nonce', account: 2, value: 8n }]],
  ['the code of an account without code', [], [{ kind: 'code', account: 2, code: '0xef01' }]],
  ['the code of an account with code', [], [{ kind: 'code', account: 0, code: '0xef01' }]],
  ['the removal of code', [], [{ kind: 'code', account: 0, code: '0x' }]],
  ['a creation', [], CREATION],
  ['storage that is emptied', [], [{ kind: 'clear', account: 0 }]],
  ['storage that is emptied after a write', [word(0, 2, 1n)], [{ kind: 'clear', account: 0 }]],
  ['storage that is emptied and written', [], [{ kind: 'clear', account: 0 }, word(0, 1, 3n)]],
  ['a deletion', [], [{ kind: 'delete', account: 0 }]],
  ['a deletion after a write', [word(0, 0, 1n)], [{ kind: 'delete', account: 0 }]],
  ['a deletion of an account of the same transaction', CREATION, [{ kind: 'delete', account: 3 }]],
  [
    'a second creation of a deleted account',
    [{ kind: 'delete', account: 0 }],
    [{ kind: 'nonce', account: 0, value: 1n }, word(0, 0, 4n)],
  ],
  [
    'a deletion and a second creation',
    [],
    [{ kind: 'delete', account: 0 }, { kind: 'credit', account: 0, value: 1n }, word(0, 2, 4n)],
  ],
];

const OUTCOMES = ['commit', 'revert'] as const;
/** By depth of the frame with the change: outcomes of the outer, middle and inner frame. */
const NESTS = OUTCOMES.flatMap((outer) => [
  [1, outer, 'commit', 'commit'] as const,
  ...OUTCOMES.flatMap((middle) => [
    [2, outer, middle, 'commit'] as const,
    ...OUTCOMES.map((inner) => [3, outer, middle, inner] as const),
  ]),
]);

describe('the state journal', () => {
  test.each(CHANGES)(
    'undoes and keeps %s when three nested call frames revert and commit',
    async (_, before, change) => {
      for (const [depth, outer, middle, inner] of NESTS) {
        const at = (frame: number): readonly Step[] => (frame === depth ? change : []);
        const frames: readonly Step[] = [
          { kind: 'checkpoint' },
          ...at(1),
          { kind: 'checkpoint' },
          ...at(2),
          { kind: 'checkpoint' },
          ...at(3),
          { kind: inner },
          { kind: middle },
          { kind: outer },
        ];
        // Once more after it, on the words that the first run left.
        await new ModelledJournal().run([...before, ...frames, ...frames]);
      }
    },
  );

  const account = fc.nat({ max: 3 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('word' as const),
        account,
        slot: fc.nat({ max: 2 }),
        value: fc.bigInt({ min: 0n, max: 2n }),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('credit' as const, 'nonce' as const),
        account,
        value: fc.bigInt({ min: 0n, max: 3n }),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constant('code' as const),
        account,
        code: fc.constantFrom('0x', '0x6001', '0x6005'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('clear' as const, 'delete' as const), account }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('checkpoint' as const) }) },
    { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('commit' as const, 'revert' as const) }) },
  ) as fc.Arbitrary<Step>;

  test('agrees with a model that copies the state, in any sequence of changes and call frames', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 40 }), async (steps) => {
        await new ModelledJournal().run(steps);
      }),
      { numRuns: 300, seed: 35 },
    );
  });

  test('reverts to a depth, and keeps the frames below it', async () => {
    const { journal, address } = withOneWord();
    for (const value of [1, 2, 3]) {
      await journal.checkpoint();
      journal.setWord(address, u256be(0), u256be(value));
    }
    await journal.revertTo(3);
    expect(bytesToHex(journal.word(address, u256be(0)))).toBe('0x03');
    await journal.revertTo(1);
    expect([journal.depth, bytesToHex(journal.word(address, u256be(0)))]).toEqual([1, '0x01']);
    await journal.revertTo(0);
    expect([journal.depth, bytesToHex(journal.word(address, u256be(0)))]).toEqual([0, '0x09']);
  });

  test('undoes all writes since the last transaction when no call frame is open', async () => {
    const { journal, address } = withOneWord();
    const read = () => bytesToHex(journal.word(address, u256be(0)));
    await journal.checkpoint();
    journal.setWord(address, u256be(0), u256be(1));
    await journal.commit();
    journal.setWord(address, u256be(0), u256be(2));
    await journal.revert();
    expect(read()).toBe('0x01');
    journal.setWord(address, u256be(0), u256be(3));
    await journal.commit();
    await journal.revert();
    expect(read()).toBe('0x03');
  });

  test('undoes all writes when no call frame was ever open', async () => {
    const { journal, address } = withOneWord();
    journal.setWord(address, u256be(0), u256be(2));
    await journal.revert();
    expect(bytesToHex(journal.word(address, u256be(0)))).toBe('0x09');
    await journal.revert();
    expect(bytesToHex(journal.word(address, u256be(0)))).toBe('0x09');
  });

  test('undoes what was changed since a mark, in this journal and elsewhere, from the last change to the first', () => {
    const { journal, address } = withOneWord();
    const elsewhere: string[] = [];
    const start = journal.mark();
    journal.record(() => elsewhere.push(`first at ${bytesToHex(journal.word(address, u256be(0)))}`));
    journal.setWord(address, u256be(0), u256be(1));
    const middle = journal.mark();
    journal.setWord(address, u256be(0), u256be(2));
    journal.record(() => elsewhere.push(`second at ${bytesToHex(journal.word(address, u256be(0)))}`));
    journal.undoTo(middle);
    expect([bytesToHex(journal.word(address, u256be(0))), elsewhere]).toEqual(['0x01', ['second at 0x02']]);
    expect(journal.mark()).toBe(middle);
    journal.undoTo(start);
    expect(elsewhere).toEqual(['second at 0x02', 'first at 0x09']);
    expect(journal.mark()).toBe(start);
  });

  test.each<[string, (journal: StateJournal, address: Uint8Array) => void, boolean]>([
    ['an account with a word in the store', () => {}, true],
    ['an account whose storage was emptied', (journal, address) => journal.clearWords(address), false],
    [
      'an account that was emptied and written',
      (journal, address) => {
        journal.clearWords(address);
        journal.setWord(address, u256be(1), u256be(0));
        journal.setWord(address, u256be(2), u256be(1));
      },
      true,
    ],
    [
      'an account that was emptied and written with zero',
      (journal, address) => {
        journal.clearWords(address);
        journal.setWord(address, u256be(1), u256be(0));
      },
      false,
    ],
    ['an account that was deleted', (journal, address) => journal.setAccount(address, undefined), false],
  ])('says of %s whether it has words other than zero', (_, change, expected) => {
    const { journal, address } = withOneWord();
    change(journal, address);
    expect(journal.hasWords(address)).toBe(expected);
  });

  test('says that an account without storage, or none, has no words until one is written', () => {
    const { journal } = withOneWord();
    const stranger = uintBe(0x57, 20);
    expect(journal.hasWords(stranger)).toBe(false);
    journal.addBalance(stranger, 1n);
    expect(journal.hasWords(stranger)).toBe(false);
    journal.setWord(stranger, u256be(1), u256be(1));
    expect(journal.hasWords(stranger)).toBe(true);
  });

  test('has the root of no words for an account whose storage was emptied, until that is undone', async () => {
    const { journal, address } = withOneWord();
    const { storageRoot } = journal.account(address)!;
    await journal.checkpoint();
    journal.clearWords(address);
    expect(journal.account(address)?.storageRoot).toBe(EMPTY_ROOT);
    await journal.revert();
    expect(journal.account(address)?.storageRoot).toBe(storageRoot);
  });

  test('lists the access of an account that was deleted, and of none before', () => {
    const { journal, address } = withOneWord();
    expect(journal.touched().size).toBe(0);
    journal.setAccount(address, undefined);
    expect(journal.changes().accounts.size).toBe(1);
    expect([...journal.touched().keys()]).toEqual([bytesToHex(address)]);
  });

  test('keeps words without leading zeros', () => {
    const { journal, address } = withOneWord();
    for (const [value, expected] of [
      [u256be(0x100), '0x0100'],
      [u256be(2n ** 255n), `0x80${'00'.repeat(31)}`],
      [u256be(0), '0x'],
      [Uint8Array.of(7), '0x07'],
      [new Uint8Array(0), '0x'],
    ] as const) {
      journal.setWord(address, u256be(1), value);
      expect(bytesToHex(journal.word(address, u256be(1)))).toBe(expected);
    }
  });

  test('reads code by its hash, from this block or from the store', () => {
    const { journal, address } = withOneWord();
    const code = Uint8Array.of(0x60, 1);
    expect(journal.code(address)).toHaveLength(0);
    expect(journal.codeOf(EMPTY_CODE_HASH)).toHaveLength(0);
    journal.setCode(address, code);
    expect(journal.codeOf(keccak256Bytes(code))).toBe(code);
    expect([...journal.changes().codes.values()]).toEqual([code]);
    journal.setCode(address, new Uint8Array(0));
    expect(journal.changes().codes.size).toBe(1);
    expect(() => journal.codeOf(new Uint8Array(32))).toThrow('no code');
  });

  test('reads a word of the store once', () => {
    const { journal, address } = withOneWord();
    const word = journal.word(address, u256be(0));
    expect(journal.word(address, u256be(0))).toBe(word);
    expect(bytesToHex(word)).toBe('0x09');
  });

  test('lists accesses of reverted frames', async () => {
    const { journal, address } = withOneWord();
    const stranger = uintBe(0x57, 20);
    await journal.checkpoint();
    journal.word(address, u256be(4));
    journal.setWord(address, u256be(4), u256be(1));
    journal.addBalance(stranger, 1n);
    expect(journal.account(stranger)?.balance).toBe(1n);
    await journal.revert();
    expect(Object.fromEntries(journal.touched())).toEqual({
      [bytesToHex(address)]: [bytesToHex(u256be(4))],
      [bytesToHex(stranger)]: [],
    });
  });
});

function withOneWord() {
  const address = uintBe(0xaa, 20);
  const storage = { [bytesToHex(u256be(0))]: bytesToHex(u256be(9)) };
  return { address, journal: new StateJournal(stateOf({ [bytesToHex(address)]: { nonce: '1', storage } }).reader) };
}
