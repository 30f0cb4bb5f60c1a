import { NO_BYTES } from '../../protocol/bytes.ts';
import { ZERO_ADDRESS } from '../../protocol/execution/constants.ts';
import { hexToBytes } from '../../protocol/hex.ts';
import type { Resumable } from '../../protocol/resumable.ts';
import { EVM_LEVELS } from '../../protocol/rules/evm-level.ts';
import type { Hex } from '../../protocol/types.ts';
import { type AccessedSlot, accessedAccounts, accessedSlots, type ChangedSlot, changedSlots } from './accesses.ts';
import { beginCall, type Call, type MessageEnd, takeCall } from './calls.ts';
import { storeContext } from './context.ts';
import { beginCreation, type Creation, countCreation, depositCode, takeCreation } from './creations.ts';
import { type FrameStart, Frames } from './frames.ts';
import { Host } from './host.ts';
import { inspectCall, inspectCreation, inspectEnd } from './inspection.ts';
import type { Ended, EvmOptions, Machine } from './machine.ts';
import { Operands, type Range } from './operands.ts';
import { haltOf, LOOP } from './outcome.ts';
import { selfDestruct } from './self-destruct.ts';
import type { Ending, Message, Result } from './state.ts';

const NOTHING: Range = { at: 0, size: 0 };
/** What a call of a transaction has that no opcode makes. */
const MESSAGE = { type: 'CALL', output: NOTHING, isStatic: false } as const;
/** Gas of a slice for a call, a creation or the end of a frame, which run outside the loop. */
const OUTCOME_GAS = 2000n;

/** To what a frame goes back when it fails, and what its end means to the frame before. */
interface Frame {
  readonly state: number;
  readonly journal: number;
  readonly refund: bigint;
  readonly logs: number;
  /** Gas that it began with. */
  readonly gas: bigint;
  /** Memory of the frame before that takes what a call returns. */
  readonly output: Range;
  /** Address of the contract that it makes. */
  readonly created?: Hex;
}

/** A message to a precompile that takes long. */
interface Steps {
  readonly frame: Frame;
  readonly end: Resumable<Ended>;
}

/**
 * Runs messages of one transaction over a state. The loop runs opcodes; calls and creations are made here.
 * Counterpart in geth: `vm.EVM`.
 */
export class Evm {
  readonly #machine: Machine;
  readonly #frames: Frames;
  readonly #running: Frame[] = [];
  /** Contracts that this transaction made (EIP-6780). */
  readonly #newContracts = new Set<Hex>();
  readonly #attempts = new Set<Hex>();
  readonly #loop: 'run' | 'inspect';
  #result: Result | undefined;
  /** Settles when a precompile that the message waits for has ended. */
  #pending: Promise<void> | undefined;
  #steps: Steps | undefined;

  constructor({ context, ...options }: EvmOptions) {
    const { instance, level, state } = options;
    const host = new Host(instance, state, context.block, options.inspector);
    this.#machine = { ...options, host, operands: new Operands(instance) };
    this.#loop = options.inspector === undefined ? 'run' : 'inspect';
    instance.begin(host);
    this.#frames = new Frames(instance);
    storeContext(instance, EVM_LEVELS.indexOf(level), context);
  }

  /** Makes an address warm (EIP-2929). */
  warm(address: Hex): void {
    this.warmBytes(hexToBytes(address));
  }

  /** Makes an address warm, and slots of it (EIP-2929, EIP-2930). */
  warmBytes(address: Uint8Array, slots: readonly Uint8Array[] = []): void {
    const { instance } = this.#machine;
    const [at, slotAt] = [instance.layout.OPERAND, instance.layout.QUOTIENT];
    instance.setWordBytes(at, address);
    instance.exports.warmAccount(at);
    for (const slot of slots) {
      instance.setWordBytes(slotAt, slot);
      instance.exports.warmSlot(at, slotAt);
    }
  }

  /** Makes addresses warm, which are words as linear memory has them. */
  warmAll(addresses: readonly Uint8Array[]): void {
    const { instance } = this.#machine;
    const at = instance.layout.OPERAND;
    for (const word of addresses) {
      instance.bytes.set(word, at);
      instance.exports.warmAccount(at);
    }
  }

  /** Contracts that the transaction has made or tried to make. */
  get newContracts(): ReadonlySet<Hex> {
    return this.#attempts;
  }

  /** A promise to wait for before the next step: a precompile loads something. */
  get pending(): Promise<void> | undefined {
    return this.#pending;
  }

  /** Begins a message, which `step` runs. A creation counts in the nonce of its caller already. */
  begin({ caller, to, value, data, gas }: Message): void {
    this.#result = undefined;
    if (to === undefined) this.#create({ caller, value, gas, initcode: data, isCounted: true });
    else {
      const accounts = { caller, address: to, codeAddress: to };
      this.#call({ ...accounts, ...MESSAGE, transfer: value, value, gas, input: data });
    }
  }

  /**
   * Runs about so much gas, or a step of a precompile that takes long; absent: all. Returns the result when the
   * message has ended. It also stops before a message that is `pending`.
   * @throws EvmInstanceFull, and what the state throws. The transaction is lost then, the instance is not.
   */
  step(gas?: bigint): Result | undefined {
    const { operands, instance } = this.#machine;
    let rest = gas ?? 0n;
    while (this.#result === undefined) {
      if (this.#pending !== undefined || (gas !== undefined && rest <= 0n)) return undefined;
      if (this.#steps !== undefined) {
        this.#continue(this.#steps);
        if (gas !== undefined) return this.#result;
        continue;
      }
      const before = operands.gas;
      const limit = gas === undefined ? 0n : before - rest;
      const outcome = instance.run(limit > 0n ? limit : 0n, this.#loop);
      if (outcome === LOOP.sliceOver) return undefined;
      rest -= before - operands.gas + OUTCOME_GAS;
      this.#handle(outcome);
    }
    return this.#result;
  }

  /** Yields the addresses that were accessed, in order, whether or not a revert has made them cold again. */
  accounts(): Generator<Hex> {
    return accessedAccounts(this.#machine);
  }

  /** Yields the slots that were accessed, as `accounts`. */
  slots(): Generator<AccessedSlot> {
    return accessedSlots(this.#machine);
  }

  /** Yields the slots that the transaction has changed, with their values. */
  changedSlots(): Generator<ChangedSlot> {
    return changedSlots(this.#machine);
  }

  #handle(outcome: number): void {
    if (outcome === LOOP.call) {
      const call = takeCall(this.#machine);
      if (typeof call === 'string') this.#end(call);
      else this.#call(call);
    } else if (outcome === LOOP.create) {
      const creation = takeCreation(this.#machine);
      if (typeof creation === 'string') this.#end(creation);
      else this.#create(creation);
    } else if (outcome === LOOP.selfDestructed) this.#end(selfDestruct(this.#machine, this.#newContracts));
    else if (outcome === LOOP.stopped) this.#end('success');
    else if (outcome === LOOP.returned) this.#end('success', this.#output());
    else if (outcome === LOOP.reverted) this.#end('revert', this.#output());
    else this.#end(haltOf(outcome));
  }

  /** Returns the bytes that RETURN or REVERT named. */
  #output(): Uint8Array {
    const { instance, operands } = this.#machine;
    const at = instance.number(instance.layout.FRAME_OUTPUT);
    return operands.bytes({ at, size: instance.number(instance.layout.FRAME_OUTPUT_SIZE) });
  }

  #call(call: Call): void {
    const frame = this.#frame({ gas: call.gas, output: call.output });
    inspectCall(this.#machine, call);
    const start = beginCall(this.#machine, call, this.#running.length);
    if (start instanceof Promise) this.#await(frame, start);
    else this.#enter(frame, start);
  }

  #await(frame: Frame, end: Promise<MessageEnd>): void {
    this.#pending = end.then((result) => {
      this.#pending = undefined;
      this.#enter(frame, result);
    });
  }

  #continue({ frame, end }: Steps): void {
    const step = end.next();
    if (!step.done) return;
    this.#steps = undefined;
    this.#endMessage(frame, step.value);
  }

  #create(creation: Creation): void {
    const { gas } = creation;
    const before = this.#frame({ gas, output: NOTHING });
    const address = countCreation(this.#machine, creation, this.#running.length);
    inspectCreation(this.#machine, creation, typeof address === 'string' ? address : ZERO_ADDRESS);
    if (typeof address !== 'string') this.#endMessage(before, address);
    else {
      // It stays warm, and counted, when the creation fails.
      this.warm(address);
      this.#attempts.add(address);
      const frame = this.#frame({ gas, output: NOTHING, created: address });
      const start = beginCreation(this.#machine, creation, address);
      if (!('ending' in start)) this.#newContracts.add(address);
      this.#enter(frame, start);
    }
  }

  #enter(frame: Frame, start: MessageEnd | FrameStart): void {
    if ('next' in start) this.#steps = { frame, end: start };
    else if ('ending' in start) this.#endMessage(frame, start);
    else {
      this.#running.push(frame);
      this.#machine.host.depth = this.#running.length;
      this.#frames.enter(start);
    }
  }

  #frame(rest: Pick<Frame, 'gas' | 'output' | 'created'>): Frame {
    const { instance, state, host } = this.#machine;
    return {
      state: state.checkpoint(),
      journal: instance.number(instance.layout.JOURNAL_COUNT),
      refund: instance.view.getBigInt64(instance.layout.REFUND, true),
      logs: host.logs.length,
      ...rest,
    };
  }

  /** Ends the running frame. */
  #end(ending: Ending, output: Uint8Array = NO_BYTES): void {
    const frame = this.#running.pop();
    if (frame === undefined) throw new Error('no frame runs');
    const { operands } = this.#machine;
    const isHalt = ending !== 'success' && ending !== 'revert';
    const left = isHalt ? 0n : operands.gas;
    const fault = isHalt ? { fault: { op: operands.opcode, words: operands.words } } : {};
    const end: Ended =
      frame.created !== undefined && ending === 'success'
        ? depositCode(this.#machine, frame.created, output, left)
        : { ending, gas: left, output, ...fault };
    const { host, inspector } = this.#machine;
    const isShown = inspector !== undefined && end.ending !== 'success';
    inspectEnd(this.#machine, frame.gas, end, isShown ? host.stepNow() : undefined);
    host.depth = this.#running.length;
    this.#frames.leave();
    this.#finish(frame, end);
  }

  /** Ends a message that had no frame. */
  #endMessage(frame: Frame, end: Ended): void {
    inspectEnd(this.#machine, frame.gas, end);
    this.#finish(frame, end);
  }

  /** Gives the frame before what a message has left and returned, or keeps the result if there is none. */
  #finish(frame: Frame, { ending, gas, output = NO_BYTES, reason, fault }: Ended): void {
    const { instance, host, operands, state } = this.#machine;
    if (ending !== 'success') {
      state.revertTo(frame.state);
      instance.exports.revertTo(frame.journal);
      instance.view.setBigInt64(instance.layout.REFUND, frame.refund, true);
      host.logs.length = frame.logs;
    }
    const created = ending === 'success' ? frame.created : undefined;
    if (this.#running.length === 0) {
      const refund = instance.view.getBigInt64(instance.layout.REFUND, true);
      this.#result = {
        outcome: ending,
        gasLeft: gas,
        output,
        logs: [...host.logs],
        refund,
        ...(created === undefined ? {} : { created }),
        ...(reason === undefined ? {} : { reason }),
        ...(fault === undefined ? {} : { fault }),
      };
      return;
    }
    const data = created === undefined ? output : NO_BYTES;
    host.returnData = data;
    instance.setNumber(instance.layout.FRAME_RETURNDATA_SIZE, data.length);
    instance.bytes.set(data.subarray(0, frame.output.size), frame.output.at);
    operands.gas += gas;
    operands.push(created === undefined ? BigInt(ending === 'success') : BigInt(created));
  }
}
