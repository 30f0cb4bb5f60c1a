import type { BlockHeader } from '../../../protocol/codec/header.ts';
import { GAS_PER_BLOB, nextExcessBlobGas } from '../../../protocol/execution/blob-gas.ts';
import type { HeaderRules } from '../../../protocol/rules/rules.ts';
import { asError } from '../../../system/failure.ts';
import type { BlockEnvironment } from '../block/block-environment.ts';
import { BlockInvalid } from '../block/errors.ts';
import { BlockExecutor } from '../block/executor.ts';
import type { ExecutedBlock } from '../block/seal.ts';
import type { Chain } from '../chain/chain.ts';
import { encodeBlock, type UnexecutedBlock } from '../chain/unexecuted-block.ts';
import { ExecutionBudget } from '../evm/execution-budget.ts';
import { TransactionInvalid } from '../transaction/errors.ts';

/**
 * Executes a block on its known parent and compares the headers.
 * geth's counterpart is `BlockChain.InsertBlockWithoutSetHead`, reth's `BasicEngineValidator`.
 * @throws BlockInvalid naming the difference
 */
export async function validateBlock(chain: Chain, block: UnexecutedBlock): Promise<ExecutedBlock> {
  const { hash, header, transactions } = block;
  const { parentHash } = header;
  const parent = chain.knownHeader(parentHash);
  checkHeader(chain, parent, header);
  checkSize(chain, block);
  const parentContext = chain.parentContextOf(parentHash, parent, header.timestamp);
  const executor = await BlockExecutor.open(parentContext, environmentOfBlock(block));
  const budget = new ExecutionBudget();
  for (const [index, raw] of transactions.entries()) {
    await runTransaction(executor, raw, index);
    await budget.check();
  }
  const executed = await executor.seal(budget, header.transactionsRoot);
  if (executed.hash !== hash) throw difference(executed.header, header);
  return executed;
}

/** Returns the block environment of a payload. */
export function environmentOfBlock({
  header,
  withdrawals,
}: Pick<UnexecutedBlock, 'header' | 'withdrawals'>): BlockEnvironment {
  return {
    parentHash: header.parentHash,
    number: header.number,
    timestamp: header.timestamp,
    feeRecipient: header.beneficiary,
    prevRandao: header.mixHash,
    gasLimit: header.gasLimit,
    baseFee: header.baseFeePerGas,
    extraData: header.extraData,
    ...(header.parentBeaconBlockRoot === undefined ? {} : { parentBeaconBlockRoot: header.parentBeaconBlockRoot }),
    ...(header.excessBlobGas === undefined ? {} : { excessBlobGas: header.excessBlobGas }),
    withdrawals,
  };
}

async function runTransaction(executor: BlockExecutor, raw: Uint8Array, index: number): Promise<void> {
  try {
    await executor.run(raw);
  } catch (error) {
    if (!(error instanceof TransactionInvalid)) throw error;
    throw new BlockInvalid('transactions', `could not apply tx ${index}: ${error.message}`, { cause: error });
  }
}

/** Maximum gas limit of a block in all clients: 2^63-1. */
const MAX_GAS_LIMIT = 2n ** 63n - 1n;

/** Checks the header against its parent, before execution (geth: `beacon.verifyHeader`). */
function checkHeader(chain: Chain, parent: BlockHeader, header: BlockHeader): void {
  const fail = (field: string, actual: unknown, expected: unknown): never => {
    throw new BlockInvalid(field, `invalid ${field}: have ${String(actual)}, want ${String(expected)}`);
  };
  if (header.number !== parent.number + 1) fail('number', header.number, parent.number + 1);
  if (header.timestamp <= parent.timestamp) fail('timestamp', header.timestamp, `more than ${parent.timestamp}`);
  if (header.gasLimit > MAX_GAS_LIMIT) fail('gasLimit', header.gasLimit, `at most ${MAX_GAS_LIMIT}`);
  if (header.gasUsed > header.gasLimit) fail('gasUsed', header.gasUsed, `at most ${header.gasLimit}`);
  const rules = chain.rulesAt(header.timestamp);
  checkPresence(rules.header, header);
  const baseFee = chain.baseFeeAfter(parent, header.timestamp);
  if (header.baseFeePerGas !== baseFee) fail('baseFeePerGas', header.baseFeePerGas, baseFee);
  const { ethereum } = rules;
  const excess = ethereum?.blobs ? nextExcessBlobGas(parent, ethereum.blobs) : 0n;
  if ((header.excessBlobGas ?? 0n) !== excess) fail('excessBlobGas', header.excessBlobGas, excess);
  const mostBlobGas = ethereum === null ? header.gasLimit : BigInt(ethereum.blobs?.max ?? 0) * GAS_PER_BLOB;
  if ((header.blobGasUsed ?? 0n) > mostBlobGas) fail('blobGasUsed', header.blobGasUsed, `at most ${mostBlobGas}`);
  if (ethereum !== null) {
    const step = parent.gasLimit / 1024n;
    const change = header.gasLimit - parent.gasLimit;
    const near = change < step && change > -step && header.gasLimit >= 5000n;
    if (!near) fail('gasLimit', header.gasLimit, `within ${step} of ${parent.gasLimit}, at least 5000`);
  }
  try {
    rules.extraData.decode(header.extraData);
  } catch (cause) {
    throw new BlockInvalid('extraData', asError(cause).message, { cause });
  }
}

/** Checks that fields of a fork are present from that fork on and absent before. */
function checkPresence({ withdrawalsRoot, beaconRoot, requestsHash }: HeaderRules, header: BlockHeader): void {
  const expected = [
    ['withdrawalsRoot', withdrawalsRoot !== 'absent'],
    ['blobGasUsed', beaconRoot],
    ['excessBlobGas', beaconRoot],
    ['parentBeaconBlockRoot', beaconRoot],
    ['requestsHash', requestsHash],
    // No chain of this client activates amsterdam.
    ['blockAccessListHash', false],
    ['slotNumber', false],
  ] as const;
  for (const [field, isRequired] of expected)
    if ((header[field] !== undefined) !== isRequired)
      throw new BlockInvalid(
        field,
        `invalid ${field}: it must be ${isRequired ? 'present' : 'absent'} at this timestamp`,
      );
}

/** Checks the maximum block size (EIP-7934). */
function checkSize(chain: Chain, block: UnexecutedBlock): void {
  const most = chain.rulesAt(block.header.timestamp).ethereum?.maxBlockBytes;
  if (most === undefined) return;
  const size = encodeBlock(block).length;
  if (size > most) throw new BlockInvalid('size', `the block has ${size} bytes, at most ${most} are allowed`);
}

/** Names the first field in which the computed header differs from the given one (geth: `ValidateState`). */
function difference(computed: BlockHeader, claimed: BlockHeader): BlockInvalid {
  const order = ['gasUsed', 'receiptsRoot', 'logsBloom', 'blobGasUsed', 'withdrawalsRoot', 'stateRoot'] as const;
  const rest = (Object.keys(computed) as (keyof BlockHeader)[]).filter((field) => !order.some((one) => one === field));
  for (const field of [...order, ...rest])
    if (computed[field] !== claimed[field])
      return new BlockInvalid(
        field,
        `invalid ${field}: have ${String(claimed[field])}, computed ${String(computed[field])}`,
      );
  return new BlockInvalid('hash', 'the header differs from the computed one');
}
