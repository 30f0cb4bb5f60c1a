import { contractAddress } from '../../../protocol/accounts/contract-address.ts';
import { DEPOSIT_TYPE, type DepositTransaction, decodeDeposit, depositHash } from '../../../protocol/codec/deposit.ts';
import { FreshLog } from '../../../protocol/codec/receipt.ts';
import { blobGasOf, GAS_PER_BLOB } from '../../../protocol/execution/blob-gas.ts';
import type { ForcedCode } from '../../../protocol/execution/create2-deployer.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import { present } from '../../../protocol/present.ts';
import { blobBaseFee } from '../../../protocol/rules/l1-blob-fee/blob-base-fee.ts';
import type { Rules } from '../../../protocol/rules/rules.ts';
import type { Hex } from '../../../protocol/types.ts';
import { asError } from '../../../system/failure.ts';
import { type BlockEvm, createEvm, type EvmOptions } from '../evm/evm-factory.ts';
import type { ExecutionBudget } from '../evm/execution-budget.ts';
import type { StoredAccount } from '../state/account.ts';
import type { StateReader } from '../state/reader.ts';
import { StateJournal } from '../state/state-journal.ts';
import { TransactionInvalid } from '../transaction/errors.ts';
import { decodeTransaction, effectiveGasPrice, isDeposit, type SignedTransaction } from '../transaction/transaction.ts';
import type { BlockEnvironment } from './block-environment.ts';
import { applyDeposit } from './deposit.ts';
import { extraFees, type Fees, readFees } from './fees.ts';
import type { Receipt } from './receipt.ts';
import { type ExecutedBlock, sealBlock } from './seal.ts';
import { applyPreExecutionCalls } from './system-calls.ts';
import { applyTransaction, type TransactionResult } from './transition.ts';

/** Data of the parent that the execution of a block needs. */
export interface ParentContext {
  readonly chainId: number;
  readonly rules: Rules;
  /** State after the parent block. */
  readonly parentState: StateReader;
  /** Code that the fork sets before the first transaction. */
  readonly forcedCode: readonly ForcedCode[];
  /** Plain Ethereum only: address of the deposit contract (EIP-6110). */
  readonly depositContract?: Hex;
  blockHash(number: number): Uint8Array | undefined;
}

/** Options for the execution of a block. */
interface ExecutorOptions extends EvmOptions {
  /** The block is stored already and is not sealed again: its receipts would be garbage. */
  readonly isReplay?: boolean;
}

/**
 * Executes one block, one transaction after another.
 * The payload builder passes the transactions that fit, block validation those of the payload. `seal` computes the
 * header for both. geth's counterpart is `StateProcessor.Process`, reth's `BlockExecutor`.
 */
export class BlockExecutor {
  readonly environment: BlockEnvironment;
  readonly #vm: BlockEvm;
  readonly #parentContext: ParentContext;
  readonly #transactions: Uint8Array[] = [];
  /** undefined: they are not kept. */
  readonly #receipts: Receipt[] | undefined;
  #gasUsed = 0n;
  /** Blob gas of the header: the DA footprint on a rollup, the gas of blobs on plain Ethereum. */
  #blobGas = 0n;
  #fees: Fees | undefined;

  private constructor(parentContext: ParentContext, environment: BlockEnvironment, vm: BlockEvm, isReplay: boolean) {
    this.#receipts = isReplay ? undefined : [];
    this.#parentContext = parentContext;
    this.environment = environment;
    this.#vm = vm;
  }

  /** Opens a block: sets forced code, then runs the system calls. */
  static async open(
    parentContext: ParentContext,
    environment: BlockEnvironment,
    { isReplay = false, ...options }: ExecutorOptions = {},
  ): Promise<BlockExecutor> {
    const state = new StateJournal(parentContext.parentState);
    for (const { address, code } of parentContext.forcedCode) state.setCode(hexToBytes(address), hexToBytes(code));
    const blobs = parentContext.rules.ethereum?.blobs;
    const context = {
      ...environment,
      coinbase: environment.feeRecipient,
      blockHash: parentContext.blockHash,
      ...(blobs ? { blobBaseFee: blobBaseFee(environment.excessBlobGas ?? 0n, blobs.updateFraction) } : {}),
    };
    const vm = createEvm(parentContext.chainId, parentContext.rules, state, context, options);
    await applyPreExecutionCalls(vm, environment.parentHash, environment.parentBeaconBlockRoot);
    return new BlockExecutor(parentContext, environment, vm, isReplay);
  }

  /** The EVM in which the transactions of the block run. Tracers attach to it. */
  get vm(): BlockEvm {
    return this.#vm;
  }

  get gasLeft(): bigint {
    return this.environment.gasLimit - this.#gasUsed;
  }

  get transactionCount(): number {
    return this.#transactions.length;
  }

  /** Returns an account after the transactions so far, or undefined if it does not exist. */
  account(address: Uint8Array): StoredAccount | undefined {
    return this.#vm.state.account(address);
  }

  /** Decodes and runs a transaction of any type. The block is unchanged when it throws. @throws TransactionInvalid */
  async run(raw: Uint8Array): Promise<void> {
    return isDeposit(raw)
      ? this.#deposit(
          raw,
          decoded(() => decodeDeposit(raw)),
        )
      : this.transaction(decoded(() => decodeTransaction(raw)));
  }

  async #deposit(raw: Uint8Array, deposit: DepositTransaction): Promise<void> {
    if (this.#parentContext.rules.ethereum !== null) throw new TransactionInvalid('transaction type not supported');
    const result = await applyDeposit(this.#vm, deposit, this.gasLeft);
    this.#record(raw, result, () => {
      const fields = depositFields(deposit, result.nonce, this.#parentContext.rules);
      return { fields, nonce: fields.depositNonce ?? 0n };
    });
  }

  /** Runs a signed transaction. The block is unchanged when it throws. @throws TransactionInvalid */
  async transaction(transaction: SignedTransaction): Promise<void> {
    const fees = this.fees();
    const footprint = fees.footprint?.footprint(transaction.raw);
    const blobGas = footprint === undefined ? blobGasOf(transaction) : BigInt(footprint);
    this.#checkBlobGas(this.#blobGas + blobGas);
    const l1 = fees.l1?.cost(transaction.raw) ?? null;
    const extra = extraFees(this.#parentContext.rules, fees, l1?.fee ?? 0n);
    const result = await applyTransaction(this.#vm, transaction, extra, this.gasLeft);
    this.#blobGas += blobGas;
    this.#record(transaction.raw, result, () => ({
      fields: {
        type: transaction.type,
        transactionHash: transaction.hash,
        from: bytesToHex(transaction.sender),
        to: transaction.to === null ? null : bytesToHex(transaction.to),
        effectiveGasPrice: effectiveGasPrice(transaction, this.environment.baseFee),
        ...(l1 === null ? {} : { l1Fee: l1.fee, l1GasUsed: l1.gasUsed }),
        ...(footprint === undefined ? {} : { daFootprint: footprint }),
      },
      nonce: transaction.nonce,
    }));
  }

  /** @throws TransactionInvalid if the blobs or the DA footprint of the block exceed their limit */
  #checkBlobGas(blobGas: bigint): void {
    const blobs = this.#parentContext.rules.ethereum?.blobs;
    if (blobs && blobGas > BigInt(blobs.max) * GAS_PER_BLOB)
      throw new TransactionInvalid('blob gas limit reached', `${blobGas}`);
    if (!blobs && blobGas > this.environment.gasLimit)
      throw new TransactionInvalid('DA footprint of the block over its gas limit', `${blobGas}`);
  }

  /**
   * Returns the fees of the block. They are read once: the L1-attributes deposit precedes every transaction that pays.
   */
  fees(): Fees {
    this.#fees ??= readFees(this.#parentContext.rules, (address, slot) => this.#vm.state.word(address, slot));
    return this.#fees;
  }

  /** Returns a storage word after the transactions so far, without leading zeros. */
  word(address: Uint8Array, slot: Uint8Array): Uint8Array {
    return this.#vm.state.word(address, slot);
  }

  /**
   * Ends the block, hashes the state and completes the header. `transactionsRoot`: that of the transactions, if it is
   * known. @throws BlockInvalid
   */
  seal(budget?: ExecutionBudget, transactionsRoot?: Hex): Promise<ExecutedBlock> {
    const { rules, parentState, depositContract } = this.#parentContext;
    return sealBlock(
      {
        ...{ rules, parentState, environment: this.environment, vm: this.#vm, fees: this.fees() },
        ...{ transactions: this.#transactions, receipts: present(this.#receipts, 'receipts of a replayed block') },
        ...{ gasUsed: this.#gasUsed, blobGas: this.#blobGas },
        ...(depositContract === undefined ? {} : { depositContract }),
        ...(transactionsRoot === undefined ? {} : { transactionsRoot }),
      },
      budget,
    );
  }

  /**
   * `describe` returns the fields that do not depend on the result. Its nonce determines the address of a created
   * contract. A deposit whose receipt has no nonce counts as 0.
   */
  #record(
    raw: Uint8Array,
    result: TransactionResult,
    describe: () => { readonly fields: ReceiptFields; readonly nonce: bigint },
  ): void {
    const { gasUsed } = result;
    this.#gasUsed += gasUsed;
    this.#transactions.push(raw);
    if (this.#receipts === undefined) return;
    const { fields, nonce } = describe();
    this.#receipts.push({
      ...fields,
      status: result.success,
      gasUsed,
      cumulativeGasUsed: this.#gasUsed,
      contractAddress: fields.to === null ? contractAddress(fields.from, nonce) : null,
      logs: result.logs.map(([address, topics, data]) => new FreshLog(address, topics, data)),
    });
  }
}

type ReceiptFields = Omit<Receipt, 'status' | 'gasUsed' | 'cumulativeGasUsed' | 'contractAddress' | 'logs'>;

function decoded<Value>(decode: () => Value): Value {
  try {
    return decode();
  } catch (cause) {
    throw new TransactionInvalid('undecodable transaction', asError(cause).message);
  }
}

function depositFields(deposit: DepositTransaction, nonce: bigint, rules: Rules): ReceiptFields {
  return {
    type: DEPOSIT_TYPE,
    transactionHash: depositHash(deposit),
    from: deposit.from,
    to: deposit.to,
    effectiveGasPrice: 0n,
    ...(rules.deposit.metered ? { depositNonce: nonce } : {}),
    ...(rules.deposit.receiptVersion ? { depositReceiptVersion: 1 } : {}),
  };
}
