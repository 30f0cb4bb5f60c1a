import type { Frame } from '../../../../evm/machine/inspector.ts';
import type { Step } from '../../../../evm/machine/step.ts';
import { decodeDeposit } from '../../../../protocol/codec/deposit.ts';
import { FEE_RECIPIENTS, PREDEPLOYS } from '../../../../protocol/execution/predeploys.ts';
import { bytesToHex, hexToBytes } from '../../../../protocol/hex.ts';
import type { Hex } from '../../../../protocol/types.ts';
import { readFees } from '../../block/fees.ts';
import type { BlockEvm } from '../../evm/evm-factory.ts';
import type { StateReader } from '../../state/reader.ts';
import { isCreation } from '../../tracing/operands.ts';
import type { StateAccess } from '../../tracing/state-access.ts';
import { checkGas } from '../../transaction/intrinsic-gas.ts';
import { authorityOf, decodeTransaction, isDeposit, isForChain } from '../../transaction/transaction.ts';
import type { WitnessRecorder } from '../../witness/execution-witness.ts';
import { RevmStateAccess } from './state-access.ts';

/**
 * Records the state that revm reads while it executes a block, in revm's load order (reth: `ExecutionWitnessRecord`).
 * Accounts and slots that the gas cannot pay are not loaded. The code of every callee is, and all fee vaults for each
 * transaction that pays fees.
 */
export class RevmReads implements WitnessRecorder {
  /** Accounts that were read, existing or not, each with its slots that were read. */
  readonly slots: Map<Hex, Set<Hex>>;
  /** Code of the state before the block, by its hash. */
  readonly codes = new Map<Hex, Uint8Array>();
  readonly #vm: BlockEvm;
  readonly #parent: StateReader;
  readonly #stateAccess: RevmStateAccess;
  /**
   * Accounts that the running transaction creates, with their slots. Their storage is known to be empty and not loaded.
   */
  readonly #created = new Map<Hex, Set<Hex>>();
  #hasRun = false;

  /** `opening` holds the state that the system calls at the start of the block read. */
  constructor(vm: BlockEvm, parent: StateReader, opening: ReadonlyMap<Hex, readonly Hex[]>) {
    this.#vm = vm;
    this.#parent = parent;
    this.#stateAccess = new RevmStateAccess(vm.state);
    this.slots = new Map([...opening].map(([address, slots]) => [address, new Set(slots)]));
    for (const address of opening.keys()) this.#code(address);
  }

  /** Called before a transaction of the block runs. */
  begin(raw: Uint8Array): void {
    this.#hasRun = false;
    if (isDeposit(raw)) return;
    const transaction = decodeTransaction(raw);
    this.#fees();
    this.#code(bytesToHex(transaction.sender));
    for (const entry of transaction.authorizationList) {
      const authority = isForChain(entry, this.#vm.chainId) ? authorityOf(entry) : undefined;
      if (authority !== undefined) this.#code(bytesToHex(authority));
    }
  }

  /** Called after the transaction. */
  end(raw: Uint8Array): void {
    const { state } = this.#vm;
    for (const [address, slots] of this.#created)
      for (const slot of slots)
        if (state.word(hexToBytes(address), hexToBytes(slot)).length > 0) this.#slot(address, slot);
    this.#created.clear();
    if (isDeposit(raw)) this.#deposit(raw);
  }

  enter(frame: Frame): void {
    const { type, depth, from, to } = frame;
    this.#stateAccess.enter(frame);
    this.#hasRun = true;
    if (depth === 0) this.#account(from);
    // A creation that the balance or the depth prevents has no address.
    if (isCreation(type) && BigInt(to) !== 0n) {
      this.#account(to);
      this.#created.set(to, new Set());
    } else if (depth === 0) for (const access of this.#stateAccess.callee(to)) this.#access(access);
  }

  leave(): void {
    this.#stateAccess.leave();
  }

  step(step: Step): void {
    for (const access of this.#stateAccess.accesses(step)) this.#access(access);
  }

  result(): undefined {
    return undefined;
  }

  /** Records the reads of a deposit: its sender, and its receiver if the sender lacks the value. */
  #deposit(raw: Uint8Array): void {
    const { from, to, gas, data } = decodeDeposit(raw);
    this.#account(from);
    if (!this.#hasRun) {
      const shape = { to: to === null ? null : hexToBytes(to), data: hexToBytes(data), gasLimit: BigInt(gas) };
      try {
        checkGas(this.#vm.rules.evm, { ...shape, accessList: [], authorizationList: [] });
      } catch {
        return;
      }
      if (to !== null) for (const access of this.#stateAccess.callee(to)) this.#access(access);
    }
    this.#code(from);
  }

  #fees(): void {
    const { rules, context, state } = this.#vm;
    this.#account(context.coinbase);
    if (rules.ethereum !== null) return;
    this.#account(PREDEPLOYS.l1Block);
    for (const vault of Object.values(FEE_RECIPIENTS)) this.#account(vault);
    readFees(rules, (address, slot) => {
      this.#slot(bytesToHex(address), bytesToHex(slot));
      return state.word(address, slot);
    });
  }

  #access({ address, slot, code }: StateAccess): void {
    if (slot !== undefined) {
      const fresh = this.#created.get(address);
      if (fresh === undefined) this.#slot(address, slot);
      else fresh.add(slot);
    } else if (code) this.#code(address);
    else this.#account(address);
  }

  #code(address: Hex): void {
    this.#account(address);
    const bytes = hexToBytes(address);
    const [now, before] = [this.#vm.state.account(bytes), this.#parent.account(bytes)];
    if (now === undefined || before === undefined || Buffer.compare(now.codeHash, before.codeHash) !== 0) return;
    const code = this.#vm.state.code(bytes);
    if (code.length > 0) this.codes.set(bytesToHex(now.codeHash), code);
  }

  #account(address: Hex): Set<Hex> {
    let slots = this.slots.get(address);
    if (slots === undefined) {
      slots = new Set();
      this.slots.set(address, slots);
    }
    return slots;
  }

  #slot(address: Hex, slot: Hex): void {
    this.#account(address).add(slot);
  }
}
