import type { Step } from '../../../../src/evm/machine/step.ts';
import { BlockExecutor } from '../../../../src/nodes/execution/block/executor.ts';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import { inspect } from '../../../../src/nodes/execution/tracing/inspector.ts';
import { TransactionInvalid } from '../../../../src/nodes/execution/transaction/errors.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Rules } from '../../../../src/protocol/rules/rules.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { type Alloc, CHAIN_ID } from '../support/genesis.ts';
import { stateOf } from '../support/memory-state.ts';
import { type Implementation, type Outcome, type ReportedStep, rejectionOutcome, stepText } from './block.ts';

const STOP = 0;

/**
 * The executor of our client. `deposits` are encoded deposits that open each block of a rollup.
 * With `steps` it reports instructions, and transactions that it rejects.
 */
export async function ourExecutor(
  rules: Rules,
  alloc: Alloc,
  deposits: readonly Uint8Array[] = [],
  options: { readonly steps?: boolean } = {},
): Promise<Implementation> {
  await prepareCrypto();
  const { source, reader } = stateOf(alloc);
  let parentState = reader;
  const hashes = new Map<number, Hex>();
  return {
    name: 'rollup-devnet',
    async run(environment, transactions) {
      hashes.set(environment.number - 1, environment.parentHash);
      const blockHash = (number: number) => (hashes.has(number) ? hexToBytes(hashes.get(number)!) : undefined);
      const parentContext = { chainId: CHAIN_ID, rules, parentState, forcedCode: [], blockHash };
      const executor = await BlockExecutor.open(parentContext, {
        parentHash: environment.parentHash,
        number: environment.number,
        timestamp: BigInt(environment.timestamp),
        feeRecipient: environment.coinbase,
        prevRandao: environment.prevRandao,
        gasLimit: BigInt(environment.gasLimit),
        baseFee: environment.baseFee,
        extraData: '0x',
        ...(rules.header.beaconRoot ? { parentBeaconBlockRoot: `0x${'00'.repeat(32)}` as const } : {}),
      });
      for (const raw of deposits) await executor.run(raw);
      const steps: (readonly string[] | undefined)[] = [];
      for (const raw of transactions)
        if (options.steps) steps.push(await stepsOf(executor, raw));
        else await executor.run(raw);
      const { receipts, diff } = await executor.seal();
      parentState = source.write(diff);
      const ran = receipts.slice(deposits.length).map(
        ({ gasUsed, cumulativeGasUsed, ...rest }): Outcome => ({
          ...rest,
          gasUsed: Number(gasUsed),
          cumulativeGasUsed: Number(cumulativeGasUsed),
        }),
      );
      return { outcomes: options.steps ? withSteps(ran, steps) : ran, stateRoot: bytesToHex(diff.root) };
    },
  };
}

/** Runs a transaction and returns its instructions, or undefined if it is rejected. */
async function stepsOf(executor: BlockExecutor, raw: Uint8Array): Promise<readonly string[] | undefined> {
  const steps: string[] = [];
  const inspection = inspect(executor.vm, {
    step: (step) => {
      if (step.op !== STOP) steps.push(stepText(shownBy(step)));
    },
    result: () => undefined,
  });
  try {
    return (await isRejected(executor, raw)) ? undefined : steps;
  } finally {
    inspection.end();
  }
}

/** Runs a transaction. Returns whether it was rejected. */
async function isRejected(executor: BlockExecutor, raw: Uint8Array): Promise<boolean> {
  try {
    await executor.run(raw);
    return false;
  } catch (error) {
    if (error instanceof TransactionInvalid) return true;
    throw error;
  }
}

/** Adds the instructions to the outcomes, and an outcome for each rejected transaction. */
function withSteps(ran: readonly Outcome[], steps: readonly (readonly string[] | undefined)[]): Outcome[] {
  const outcomes: Outcome[] = [];
  let next = 0;
  for (const lines of steps)
    outcomes.push(
      lines === undefined ? rejectionOutcome(ran[next - 1]?.cumulativeGasUsed ?? 0) : { ...ran[next++]!, steps: lines },
    );
  return outcomes;
}

/** The library counts depth from 0. */
function shownBy({ depth, pc, op, gas, refund, stack }: Step): ReportedStep {
  return { depth: depth - 1, pc, op, gas, refund, stack };
}
