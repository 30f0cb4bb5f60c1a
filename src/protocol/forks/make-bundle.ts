import { decodeDeposit } from '../codec/deposit.ts';
import { upgradeSourceHash } from '../codec/source-hash.ts';
import { bytesToHex } from '../hex.ts';
import type { Hex, UpgradeBundle, UpgradeTransaction } from '../types.ts';
import type { Fork } from './fork.ts';
import { upgradeDeposits } from './upgrade.ts';

/** Inputs of a bundle. */
export interface BundleParts {
  readonly fork: Fork;
  /** Encoded upgrade transactions (0x7e…), or creation code for the contracts that the fork deploys, in its order. */
  readonly published: readonly Uint8Array[];
  /** The transactions of the fork as they are specified, in order; their code may be another. */
  readonly specification: readonly UpgradeTransaction[];
  /** Intents of the published transactions, in order, if the fork's own are not known. */
  readonly intents: readonly string[];
  readonly source: string;
}

/** Thrown when published transactions make no bundle. */
export class BundleError extends Error {}

/** Makes an upgrade bundle. @throws BundleError naming the transaction that does not fit */
export function makeBundle(parts: BundleParts): UpgradeBundle {
  const encoded = parts.published.filter((bytes) => bytes[0] === DEPOSIT);
  if (encoded.length !== 0 && encoded.length !== parts.published.length)
    throw new BundleError('some files hold encoded transactions (0x7e…) and some hold code: give one kind');
  const transactions = encoded.length === 0 ? fromCode(parts) : fromDeposits(parts);
  const metadata = { version: '1.0.0', fork: parts.fork.name, origin: 'official', source: parts.source };
  const bundle: UpgradeBundle = { metadata, transactions };
  if (encoded.length === 0) return bundle;
  const again = new Set(upgradeDeposits([parts.fork], { [parts.fork.name]: bundle }));
  const mismatch = encoded.findIndex((bytes) => !again.has(bytesToHex(bytes)));
  if (mismatch >= 0)
    throw new BundleError(`transaction ${mismatch} cannot be written as a bundle: it encodes to other bytes`);
  return bundle;
}

const DEPOSIT = 0x7e;

/** Computes the source hash of a bundle's transaction (op-node: `toDepositTransactions`, `UpgradeDepositSource`). */
export function sourceHashOf({ label, upgrade }: Fork, intent: string, index: number): Hex {
  return upgradeSourceHash(upgrade?.qualifiedIntents ? `${label} ${index}: ${intent}` : intent);
}

/**
 * Returns the differences between a bundle and the transactions that the fork is specified with. Code is not compared.
 */
export function bundleDifferences(
  transactions: readonly UpgradeTransaction[],
  specification: readonly UpgradeTransaction[],
): readonly string[] {
  if (specification.length === 0) return [];
  if (transactions.length !== specification.length)
    return [`expected ${specification.length} transactions, found ${transactions.length}`];
  return transactions.flatMap((transaction, index) =>
    (['intent', 'from', 'to', 'gasLimit'] as const).flatMap((key) => {
      const expected = specification[index]?.[key];
      return transaction[key] === expected
        ? []
        : [`transaction ${index} (${transaction.intent}): ${key} is ${transaction[key]}, expected ${expected}`];
    }),
  );
}

function fromDeposits({ fork, published, specification, intents }: BundleParts): readonly UpgradeTransaction[] {
  const names = intents.length > 0 ? intents : specification.map(({ intent }) => intent);
  const hashes = names.map((intent, index) => sourceHashOf(fork, intent, index));
  const placed = published.map((bytes, at) => {
    const deposit = decodeDeposit(bytes);
    const index = hashes.indexOf(deposit.sourceHash);
    const intent = names[index];
    if (intent === undefined)
      throw new BundleError(
        `transaction ${at}: its source hash ${deposit.sourceHash} is that of no known intent of ` +
          `${fork.name}${hint(names)}`,
      );
    if (deposit.mint !== 0n || deposit.value !== 0n || deposit.isSystemTransaction)
      throw new BundleError(`transaction ${at} (${intent}): expected no mint, no value, no system transaction`);
    const { from, to, gas: gasLimit, data } = deposit;
    return { index, transaction: { intent, from, to, gasLimit, data } };
  });
  const missing = names.filter((_, index) => !placed.some((one) => one.index === index));
  if (missing.length > 0) throw new BundleError(`${fork.name} lacks: ${missing.join(', ')}`);
  if (placed.length !== names.length) throw new BundleError('a transaction is given twice');
  return placed.sort((a, b) => a.index - b.index).map(({ transaction }) => transaction);
}

/** Lists the known intents, or says how to give them. */
function hint(names: readonly string[]): string {
  return names.length === 0 ? '; give --intent for each file, in order' : `: ${names.join(', ')}`;
}

/** Returns the specified transactions with published creation code in place of the package's own. */
function fromCode({ fork, published, specification }: BundleParts): readonly UpgradeTransaction[] {
  const creates = specification.filter(({ to }) => to === null);
  if (creates.length !== published.length)
    throw new BundleError(
      `${fork.name} deploys ${creates.length} contracts, and ${published.length} files with code are given: expected ` +
        `those of ${creates.map(({ intent }) => intent).join(', ')}`,
    );
  const codes = new Map(creates.map((transaction, index) => [transaction, published[index]]));
  return specification.map((transaction) => {
    const code = codes.get(transaction);
    return code === undefined ? transaction : { ...transaction, data: bytesToHex(code) };
  });
}
