import { encodeFunctionData, getContractAddress, type Hex, isHex, parseAbi, size, toFunctionSelector } from 'viem';
import type { UpgradeBundle, UpgradeTransaction } from '../../protocol/types.ts';
import { creation } from './artefacts.ts';
import type { Machine } from './machine.ts';
import type { ManifestFork, ManifestTransaction } from './manifest.ts';

/**
 * Runs a fork's upgrade transactions on the previous fork's genesis state.
 * Returns them with sufficient gas limits.
 */
export async function buildBundle(fork: ManifestFork, machine: Machine): Promise<UpgradeBundle | undefined> {
  if (fork.bundle === undefined) return undefined;
  const transactions: UpgradeTransaction[] = [];
  for (const listed of fork.bundle.transactions) {
    const transaction = encode(listed);
    const used = await execute(machine, transaction);
    if (used > listed.gasLimit && fork.bundle.origin === 'official') {
      throw new Error(`"${listed.intent}" needs ${used} gas, more than the ${listed.gasLimit} of the specification`);
    }
    transactions.push(used > listed.gasLimit ? { ...transaction, gasLimit: withMargin(used) } : transaction);
  }
  const { origin, source } = fork.bundle;
  return { metadata: { version: '1.0.0', fork: fork.fork, origin, source }, transactions };
}

function encode(transaction: ManifestTransaction): UpgradeTransaction {
  const { intent, from, gasLimit } = transaction;
  if ('create' in transaction) {
    const { create, args } = transaction;
    return { intent, from, to: null, gasLimit, data: isHex(create) ? create : creation(create, args) };
  }
  const data =
    'upgradeTo' in transaction
      ? encodeFunctionData({
          abi: parseAbi(['function upgradeTo(address)']),
          args: [getContractAddress({ from: transaction.upgradeTo, nonce: 0n })],
        })
      : toFunctionSelector(`function ${transaction.call}`);
  return { intent, from, to: transaction.to, gasLimit, data };
}

/** Gas that a transaction uses, intrinsic gas included. @throws Error where it fails */
async function execute(machine: Machine, transaction: UpgradeTransaction): Promise<number> {
  const intrinsic = intrinsicGas(transaction.data, transaction.to === null);
  const { gasUsed } = await machine.call(transaction.from, transaction.to, transaction.data);
  return Number(gasUsed) + intrinsic;
}

function intrinsicGas(data: Hex, create: boolean): number {
  const pairs = data.slice(2).match(/../g) ?? [];
  const calldata = pairs.reduce((gas, byte) => gas + (byte === '00' ? 4 : 16), 0);
  return 21_000 + calldata + (create ? 32_000 + 2 * Math.ceil(size(data) / 32) : 0);
}

const withMargin = (gas: number): number => Math.ceil((gas * 1.1) / 1000) * 1000;
