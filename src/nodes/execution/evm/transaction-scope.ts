import { delegateOf } from '../../../evm/machine/calls.ts';
import { Evm } from '../../../evm/machine/evm.ts';
import type { Result } from '../../../evm/machine/state.ts';
import { contractAddress } from '../../../protocol/accounts/contract-address.ts';
import { u256be } from '../../../protocol/bytes.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { StoredAccount } from '../state/account.ts';
import type { BlockEvm } from './evm-factory.ts';
import { acquireInstance, releaseInstance } from './instances.ts';
import type { AccessedAccount, MessageResult, TransactionMessage } from './message.ts';
import { warmPrecompiles } from './precompiles.ts';
import { TransactionState } from './transaction-state.ts';

/** Gas after which the clock is looked at: at most a few milliseconds. With a tracer each opcode takes longer. */
const SLICE_GAS = 500_000n;
const TRACED_SLICE_GAS = 10_000n;

/**
 * One transaction over the state of a block: its warm addresses, the accounts that it touches, and its message.
 * `inTransaction` opens and ends it.
 */
export class TransactionScope {
  readonly #vm: BlockEvm;
  readonly #state: TransactionState;
  readonly #reportsAccess: boolean;
  /** Warm addresses and slots. Those of an access list are true. */
  readonly #warm = new Map<Hex, { isListed: boolean; readonly bytes: Uint8Array; readonly slots: Uint8Array[] }>();
  #warmsPrecompiles = false;
  #accessed: readonly AccessedAccount[] = [];

  constructor(vm: BlockEvm, reportsAccess: boolean) {
    this.#vm = vm;
    this.#reportsAccess = reportsAccess;
    this.#state = new TransactionState(vm.state);
  }

  /** Makes the precompiles of the rules warm (EIP-2929). */
  warmPrecompiles(): void {
    this.#warmsPrecompiles = true;
  }

  /** Makes an address warm, and slots of it (EIP-2929). */
  warm(address: Uint8Array, slots: readonly Uint8Array[] = []): void {
    this.#add(address, slots, false);
  }

  /** Makes the addresses and slots of an access list warm (EIP-2930). `accessed` names them. */
  warmListed(address: Uint8Array, slots: readonly Uint8Array[]): void {
    this.#add(address, slots, true);
  }

  /** Writes an account and touches it: an empty one is removed at the end (EIP-161). */
  setAccount(address: Uint8Array, account: StoredAccount): void {
    this.#state.setAccount(address, account);
  }

  /** Adds wei to an account and touches it: an empty one is removed at the end (EIP-161). */
  credit(address: Uint8Array, wei: bigint): void {
    this.#state.credit(address, wei);
  }

  /** Runs the message of the transaction. One transaction has at most one. */
  async run(message: TransactionMessage): Promise<MessageResult> {
    const { precompiles, rules, inspector } = this.#vm;
    if (message.to !== null) this.#warmDelegate(message.to);
    const instance = acquireInstance();
    try {
      const { gasPrice, blobHashes = [] } = message;
      const context = { block: this.#vm.block, origin: bytesToHex(message.caller), gasPrice, blobHashes };
      const evm = new Evm({ instance, level: rules.evm, state: this.#state, context, precompiles, inspector });
      if (this.#warmsPrecompiles) evm.warmAll(warmPrecompiles(rules).words);
      for (const { bytes, slots } of this.#warm.values()) evm.warmBytes(bytes, slots);
      const created = message.to === null ? this.#contractOf(message.caller) : undefined;
      evm.begin({
        caller: bytesToHex(message.caller),
        ...(message.to === null ? {} : { to: bytesToHex(message.to) }),
        value: message.value,
        data: message.data,
        gas: message.gasLimit,
      });
      const result = await this.#complete(evm);
      for (const { address, slot, value } of evm.changedSlots()) this.#state.setStorage(address, slot, value);
      if (this.#reportsAccess) this.#accessed = this.#accessedBy(evm);
      return { ...messageResult(result, message.gasLimit), ...(created && { createdAddress: hexToBytes(created) }) };
    } finally {
      releaseInstance(instance);
    }
  }

  /**
   * Returns the addresses and slots that the message has accessed, beside those that were warm from the start.
   * Created contracts are listed only with slots, as in both clients.
   */
  accessed(): readonly AccessedAccount[] {
    return this.#accessed;
  }

  /** Removes what ran SELFDESTRUCT (EIP-6780: only what the transaction created) and touched empty accounts. */
  end(): void {
    this.#state.end();
  }

  /** Runs a message to its end. The event loop runs between slices of it, if a budget wants it. */
  async #complete(evm: Evm): Promise<Result> {
    const { budget, inspector } = this.#vm;
    const slice = inspector?.step === undefined ? SLICE_GAS : TRACED_SLICE_GAS;
    for (;;) {
      const result = evm.step(slice);
      if (result !== undefined) return result;
      if (evm.pending !== undefined) await evm.pending;
      const pause = budget?.check();
      if (pause !== undefined) await pause;
    }
  }

  /** Makes the account warm whose code the recipient runs (EIP-7702; geth: `stateTransition.execute`). */
  #warmDelegate(recipient: Uint8Array): void {
    const target = delegateOf({ level: this.#vm.rules.evm, state: this.#state }, bytesToHex(recipient));
    if (target !== undefined) this.warm(hexToBytes(target));
  }

  #add(address: Uint8Array, slots: readonly Uint8Array[], isListed: boolean): void {
    const key = bytesToHex(address);
    const entry = this.#warm.get(key) ?? { isListed: false, bytes: address, slots: [] };
    entry.isListed ||= isListed;
    for (const slot of slots) entry.slots.push(slot);
    this.#warm.set(key, entry);
  }

  #contractOf(caller: Uint8Array): Hex {
    return contractAddress(bytesToHex(caller), (this.#vm.state.account(caller)?.nonce ?? 1n) - 1n);
  }

  #accessedBy(evm: Evm): AccessedAccount[] {
    const slots = new Map<Hex, Hex[]>();
    const precompiles = this.#warmsPrecompiles ? warmPrecompiles(this.#vm.rules).addresses : new Set();
    for (const address of evm.accounts()) {
      const entry = this.#warm.get(address);
      if (entry === undefined ? !precompiles.has(address) : entry.isListed) slots.set(address, []);
    }
    for (const { address, slot } of evm.slots())
      slots.set(address, [...(slots.get(address) ?? []), bytesToHex(u256be(slot))]);
    return [...slots]
      .map(([address, storageKeys]) => ({ address, storageKeys }))
      .filter(({ address, storageKeys }) => storageKeys.length > 0 || !evm.newContracts.has(address));
  }
}

function messageResult({ outcome, reason, fault, gasLeft, output, logs, refund }: Result, gas: bigint): MessageResult {
  const isFailure = outcome !== 'success';
  return {
    gasUsed: gas - gasLeft,
    refund,
    returnValue: output,
    logs: logs.map(({ address, topics, data }) => [hexToBytes(address), [...topics], data]),
    ...(isFailure ? { failure: reason ?? outcome } : {}),
    ...(fault === undefined ? {} : { fault }),
  };
}
