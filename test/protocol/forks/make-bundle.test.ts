import { describe, expect, it } from 'vitest';
import { encodeDeposit } from '../../../src/protocol/codec/deposit.ts';
import { upgradeSourceHash } from '../../../src/protocol/codec/source-hash.ts';
import { defineFork } from '../../../src/protocol/forks/fork.ts';
import { BundleError, bundleDifferences, makeBundle, sourceHashOf } from '../../../src/protocol/forks/make-bundle.ts';
import { upgradeDeposits } from '../../../src/protocol/forks/upgrade.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import type { UpgradeTransaction } from '../../../src/protocol/types.ts';

const upgrade = { qualifiedIntents: false, addsGas: false };
const fork = defineFork({ name: 'dummy', follows: 'jovian', rules: {}, upgrade });
const [FROM, TO] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`] as const;

const specification: readonly UpgradeTransaction[] = [
  { intent: 'deploy A', from: FROM, to: null, gasLimit: 100, data: '0x60' },
  { intent: 'deploy B', from: FROM, to: null, gasLimit: 200, data: '0x61' },
  { intent: 'upgrade A', from: FROM, to: TO, gasLimit: 300, data: '0x1234' },
];
const parts = { fork, specification, intents: [], source: 'a test' };
const metadata = { version: '1.0.0', fork: 'dummy', origin: 'official', source: 'a test' } as const;
const deposits = upgradeDeposits([fork], { dummy: { metadata, transactions: specification } }).map((hex) =>
  hexToBytes(hex),
);
const encoded = (change: Partial<Parameters<typeof encodeDeposit>[0]>) =>
  encodeDeposit({
    ...{ sourceHash: upgradeSourceHash('deploy A'), from: FROM, to: null, mint: 0n, value: 0n, gas: 100 },
    ...{ isSystemTransaction: false, data: '0x60' as const, ...change },
  });
const replacing = (change: Parameters<typeof encoded>[0]) => [encoded(change), ...deposits.slice(1)];

describe('an upgrade bundle', () => {
  it('is made of encoded transactions in any order', () => {
    const bundle = { metadata, transactions: specification };
    expect(makeBundle({ ...parts, published: deposits })).toEqual(bundle);
    expect(makeBundle({ ...parts, published: deposits.toReversed() })).toEqual(bundle);
  });

  it('is made of creation code, in the order of the contracts that the fork deploys', () => {
    const published = [new Uint8Array([0xaa]), new Uint8Array([0xbb])];
    const [a, b, c] = specification;
    expect(makeBundle({ ...parts, published }).transactions).toEqual([
      { ...a, data: '0xaa' },
      { ...b, data: '0xbb' },
      c,
    ]);
  });

  it('is made with the intents of a fork that has no specified transactions', () => {
    const intents = specification.map(({ intent }) => intent);
    const made = makeBundle({ ...parts, specification: [], intents, published: deposits });
    expect(made.transactions).toEqual(specification);
  });

  it.each<[string, readonly Uint8Array[], RegExp]>([
    ['both kinds', [...deposits, new Uint8Array([1])], /some files hold encoded transactions .* give one kind/],
    ['too few codes', [new Uint8Array([1])], /dummy deploys 2 contracts, and 1 files .* those of deploy A, deploy B/],
    ['a transaction less', deposits.slice(1), /dummy lacks: deploy A$/],
    ['all but one', deposits.slice(2), /dummy lacks: deploy A, deploy B$/],
    ['one twice', [...deposits, deposits[0]!], /a transaction is given twice/],
    [
      'another source hash',
      replacing({ sourceHash: upgradeSourceHash('deploy C') }),
      /transaction 0: its source hash 0x.* is that of no known intent of dummy: deploy A, deploy B, upgrade A/,
    ],
    ['a mint', replacing({ mint: 1n }), /transaction 0 \(deploy A\): expected no mint, no value/],
    ['a value', replacing({ value: 1n }), /transaction 0 \(deploy A\): expected no mint, no value/],
    ['a system transaction', replacing({ isSystemTransaction: true }), /transaction 0 \(deploy A\): expected no mint/],
  ])('is refused with %s', (_, published, message) => {
    const make = () => makeBundle({ ...parts, published });
    expect(make).toThrow(BundleError);
    expect(make).toThrow(message);
  });

  it('asks for intents if none is known', () => {
    const make = () => makeBundle({ ...parts, specification: [], published: deposits });
    expect(make).toThrow(/give --intent for each file, in order/);
  });

  it('differs from its specification in number, intent, sender, target and gas, and not in code', () => {
    const [a, ...rest] = specification;
    const differences = (change: Partial<UpgradeTransaction>) =>
      bundleDifferences([{ ...a!, ...change }, ...rest], specification);
    expect(bundleDifferences(rest, specification)).toEqual(['expected 3 transactions, found 2']);
    expect(bundleDifferences(rest, [])).toEqual([]);
    expect(differences({ data: '0xff' })).toEqual([]);
    expect(differences({ gasLimit: 101 })).toEqual(['transaction 0 (deploy A): gasLimit is 101, expected 100']);
    expect(differences({ from: TO, to: TO })).toEqual([
      `transaction 0 (deploy A): from is ${TO}, expected ${FROM}`,
      `transaction 0 (deploy A): to is ${TO}, expected null`,
    ]);
    expect(differences({ intent: 'x' })).toEqual(['transaction 0 (x): intent is x, expected deploy A']);
  });

  it('has source hashes of the intent, or of label, index and intent if the fork qualifies them', () => {
    const qualified = { ...fork, upgrade: { ...upgrade, qualifiedIntents: true } };
    expect(sourceHashOf(fork, 'deploy A', 4)).toBe(upgradeSourceHash('deploy A'));
    expect(sourceHashOf(qualified, 'deploy A', 4)).toBe(upgradeSourceHash('Dummy 4: deploy A'));
  });
});
