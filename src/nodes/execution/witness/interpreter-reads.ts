import { u256be } from '../../../protocol/bytes.ts';
import { decodeDeposit } from '../../../protocol/codec/deposit.ts';
import { FEE_RECIPIENTS, PREDEPLOYS } from '../../../protocol/execution/predeploys.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { readFees } from '../block/fees.ts';
import type { Machine } from '../evm/machine.ts';
import type { StateReader } from '../state/reader.ts';
import { OP } from '../tracing/opcodes.ts';
import { addressFrom, isCreation } from '../tracing/operands.ts';
import type { Frame, Step, Tracer } from '../tracing/tracer.ts';
import { checkGas } from '../transaction/intrinsic-gas.ts';
import { authorityOf, decodeTransaction, isDelegation, isDeposit } from '../transaction/transaction.ts';
import { isCallRead } from './call-read.ts';

/** An SSTORE needs more gas than this before it looks at anything. */
const SSTORE_SENTRY = 2300n;
/** What SELFDESTRUCT costs before it looks at an heir that is not known yet (EIP-2929). */
const COLD_LEGACY = 7600n;
const MAX_NONCE = 2n ** 64n - 1n;

/**
 * What the Rust clients' interpreter reads of the state while it executes a block, told by what happens here: it loads no account and no slot that
 * cannot be paid, loads code with every account that is called, and looks at all fee vaults with each transaction that pays fees.
 */
export class InterpreterReads implements Tracer {
  /** Accounts that were looked at, existing or not, with the slots of them that were. */
  readonly slots: Map<Hex, Set<Hex>>;
  /** Code of the state before the block, by its hash. */
  readonly codes = new Map<Hex, Uint8Array>();
  readonly #machine: Machine;
  readonly #parent: StateReader;
  /** Whether each open frame may write nothing. */
  readonly #isStatic: boolean[] = [];
  /** Accounts that the running transaction creates: their storage is known to be empty, and so is not asked for. */
  readonly #created = new Map<Hex, Set<Hex>>();
  #hasRun = false;

  /** `opening`: what the calls that open the block looked at. */
  constructor(machine: Machine, parent: StateReader, opening: ReadonlyMap<Hex, readonly Hex[]>) {
    this.#machine = machine;
    this.#parent = parent;
    this.slots = new Map([...opening].map(([address, slots]) => [address, new Set(slots)]));
    for (const address of opening.keys()) this.#code(address);
  }

  /** Before a transaction of the block runs. */
  begin(raw: Uint8Array): void {
    this.#hasRun = false;
    if (isDeposit(raw)) return;
    const transaction = decodeTransaction(raw);
    this.#fees();
    this.#code(bytesToHex(transaction.sender));
    for (const entry of transaction.authorizationList) {
      const isForOther = entry.chainId !== 0n && entry.chainId !== BigInt(this.#machine.chainId);
      const authority = isForOther || entry.nonce >= MAX_NONCE ? undefined : authorityOf(entry);
      if (authority !== undefined) this.#code(bytesToHex(authority));
    }
  }

  /** After it. */
  end(raw: Uint8Array): void {
    const { state } = this.#machine;
    for (const [address, slots] of this.#created)
      for (const slot of slots)
        if (state.word(hexToBytes(address), hexToBytes(slot)).length > 0) this.#slot(address, slot);
    this.#created.clear();
    if (isDeposit(raw)) this.#deposit(raw);
  }

  enter({ type, depth, from, to }: Frame): void {
    this.#isStatic.push(type === 'STATICCALL' || this.#isStatic.at(-1) === true);
    this.#hasRun = true;
    if (depth === 0) this.#account(from);
    // A creation that its creator could not make has no address.
    if (isCreation(type) && BigInt(to) !== 0n) {
      this.#account(to);
      this.#created.set(to, new Set());
    } else if (depth === 0) this.#called(to, true);
  }

  leave(): void {
    this.#isStatic.pop();
  }

  step(step: Step): void {
    const { op, stack, gas, ownCost } = step;
    const word = (depth: number) => stack.at(-1 - depth);
    const [first, second] = [word(0), word(1)];
    const isStatic = this.#isStatic.at(-1) === true;
    if (first === undefined) return;
    switch (op) {
      case OP.BALANCE:
      case OP.EXTCODEHASH:
        if (gas >= ownCost) this.#account(addressFrom(first));
        return;
      case OP.EXTCODESIZE:
      case OP.EXTCODECOPY:
        if (gas >= ownCost && (op === OP.EXTCODESIZE || word(3) !== undefined)) this.#code(addressFrom(first));
        return;
      case OP.SLOAD:
        if (gas >= ownCost) this.#touch(step.address, first);
        return;
      case OP.SSTORE:
        if (second !== undefined && !isStatic && gas > SSTORE_SENTRY) this.#touch(step.address, first);
        return;
      case OP.SELFDESTRUCT:
        if (!isStatic && gas >= COLD_LEGACY) this.#account(addressFrom(first));
        return;
      case OP.CALL:
      case OP.CALLCODE:
      case OP.DELEGATECALL:
      case OP.STATICCALL: {
        const isRefused = op === OP.CALL && isStatic && word(2) !== 0n;
        if (second !== undefined && !isRefused && isCallRead(step)) this.#called(addressFrom(second), ownCost > 0n);
      }
    }
  }

  result(): undefined {
    return undefined;
  }

  /** A deposit looks at its sender in any case; where the sender lacks the value that it sends, at the receiver too. */
  #deposit(raw: Uint8Array): void {
    const { from, to, gas, data } = decodeDeposit(raw);
    this.#account(from);
    if (!this.#hasRun) {
      const shape = { to: to === null ? null : hexToBytes(to), data: hexToBytes(data), gasLimit: BigInt(gas) };
      try {
        checkGas(this.#machine.rules.evm, { ...shape, accessList: [], authorizationList: [] });
      } catch {
        return;
      }
      if (to !== null) this.#called(to, true);
    }
    this.#code(from);
  }

  #fees(): void {
    const { rules, context, state } = this.#machine;
    this.#account(context.coinbase);
    if (rules.layerOne !== null) return;
    this.#account(PREDEPLOYS.l1Block);
    for (const vault of Object.values(FEE_RECIPIENTS)) this.#account(vault);
    readFees(rules, (address, slot) => {
      this.#slot(bytesToHex(address), bytesToHex(slot));
      return state.word(address, slot);
    });
  }

  /** A call loads code, and where that delegates (EIP-7702) and enough is left, the delegate's. */
  #called(address: Hex, withDelegate: boolean): void {
    this.#code(address);
    const code = this.#machine.state.code(hexToBytes(address));
    if (withDelegate && isDelegation(code)) this.#code(bytesToHex(code.subarray(3)));
  }

  #code(address: Hex): void {
    this.#account(address);
    const bytes = hexToBytes(address);
    const [now, before] = [this.#machine.state.account(bytes), this.#parent.account(bytes)];
    if (now === undefined || before === undefined || Buffer.compare(now.codeHash, before.codeHash) !== 0) return;
    const code = this.#machine.state.code(bytes);
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

  #touch(address: Hex, slot: bigint): void {
    const hex = bytesToHex(u256be(slot));
    const fresh = this.#created.get(address);
    if (fresh === undefined) this.#slot(address, hex);
    else fresh.add(hex);
  }

  #slot(address: Hex, slot: Hex): void {
    this.#account(address).add(slot);
  }
}
