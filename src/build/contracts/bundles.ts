import { concat, encodeFunctionData, getContractAddress, type Hex, isHex, parseAbi, size } from 'viem';
import type { UpgradeBundle, UpgradeTransaction } from '../../protocol/types.ts';
import { creation } from './artefacts.ts';
import { hexOf } from './hex.ts';
import type { Machine } from './machine.ts';
import type { ManifestFork, ManifestTransaction } from './manifest.ts';

/** Arachnid's deployer: CREATE2 of the code that stands behind the salt. */
const DETERMINISTIC_DEPLOYER: Hex = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
const SALT: Hex = `0x${'00'.repeat(32)}`;

/**
 * Runs a fork's upgrade transactions on the previous fork's genesis state.
 * Returns them with sufficient gas limits.
 */
export async function buildBundle(fork: ManifestFork, machine: Machine): Promise<UpgradeBundle | undefined> {
  if (fork.bundle === undefined) return undefined;
  const transactions: UpgradeTransaction[] = [];
  const deployed: Deployed = new Map();
  for (const listed of fork.bundle.transactions) {
    const transaction = encode(listed, deployed);
    const used = await execute(machine, transaction);
    if (used > listed.gasLimit && fork.bundle.origin === 'official') {
      throw new Error(`"${listed.intent}" needs ${used} gas, more than the ${listed.gasLimit} of the specification`);
    }
    transactions.push(used > listed.gasLimit ? { ...transaction, gasLimit: withMargin(used) } : transaction);
  }
  const { origin, source, specified = true } = fork.bundle;
  return { metadata: { version: '1.0.0', fork: fork.fork, origin, source, specified }, transactions };
}

/** Addresses of contracts that earlier transactions deploy, by `@` and the artefact. */
type Deployed = Map<string, Hex>;

function encode(transaction: ManifestTransaction, deployed: Deployed): UpgradeTransaction {
  const { intent, from, gasLimit } = transaction;
  const resolveArgs = (args: readonly unknown[] = []) => args.map((arg) => deployed.get(String(arg)) ?? arg);
  if ('create' in transaction) {
    const { create, args } = transaction;
    return { intent, from, to: null, gasLimit, data: isHex(create) ? create : creation(create, args) };
  }
  const { to } = transaction;
  if ('deploy' in transaction) {
    const code = creation(transaction.deploy, resolveArgs(transaction.args));
    deployed.set(
      `@${transaction.deploy}`,
      getContractAddress({ opcode: 'CREATE2', from: DETERMINISTIC_DEPLOYER, salt: SALT, bytecode: code }),
    );
    const data =
      to === DETERMINISTIC_DEPLOYER
        ? concat([SALT, code])
        : encodeFunctionData({ abi: parseAbi(['function deploy(bytes32,bytes)']), args: [SALT, code] });
    return { intent, from, to, gasLimit, data };
  }
  if ('upgradeTo' in transaction) {
    const [target] = resolveArgs([transaction.upgradeTo]);
    const implementation =
      target === transaction.upgradeTo ? getContractAddress({ from: hexOf(target), nonce: 0n }) : hexOf(String(target));
    const data = encodeFunctionData({ abi: parseAbi(['function upgradeTo(address)']), args: [implementation] });
    return { intent, from, to, gasLimit, data };
  }
  const signatures: readonly string[] = [`function ${transaction.call}`];
  const data = encodeFunctionData({ abi: parseAbi(signatures), args: resolveArgs(transaction.args) });
  return { intent, from, to, gasLimit, data };
}

/** Gas that a transaction uses, intrinsic gas included. @throws Error if it fails */
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
