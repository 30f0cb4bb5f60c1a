import type { Frame } from '../../../../evm/machine/inspector.ts';
import type { Step } from '../../../../evm/machine/step.ts';
import { u256be } from '../../../../protocol/bytes.ts';
import { bytesToHex } from '../../../../protocol/hex.ts';
import type { Hex } from '../../../../protocol/types.ts';
import { opName } from '../../evm/opcode-table.ts';
import { NOT_RUN, type TraceBehaviour } from '../behaviour.ts';
import { OP } from '../opcodes.ts';
import { chargedCost } from '../operands.ts';
import type { ResponseSizeLimit } from '../response-size-limit.ts';
import { StaticFrames } from '../static-frames.ts';
import type { StructLoggerOptions } from '../trace-options.ts';
import type { FrameEnd, TraceOutcome, Tracer } from '../tracer.ts';

/** Errors that no instruction causes: REVERT, and failures of deployed code. */
const NOT_OF_A_STEP = /^(execution reverted|contract creation code|max code size|invalid code|contract address)/;

/** JSON size in bytes of an entry without its lists, of an average stack word, and of a slot. */
const ENTRY_SIZE = 80;
const WORD_SIZE = 16;
const SLOT_SIZE = 140;

interface Entry {
  pc: number;
  op: string;
  gas: number;
  gasCost: number;
  depth: number;
  refund?: number;
  error?: string;
  [field: string]: unknown;
}

/**
 * The default tracer: one entry per instruction (execution-apis, OpcodeTransactionTrace).
 * Counterparts: `StructLogger` of geth, `geth_traces` of revm-inspectors.
 */
export class StructLogger implements Tracer {
  readonly #config: StructLoggerOptions;
  readonly #behaviour: TraceBehaviour;
  readonly #sizeLimit: ResponseSizeLimit;
  readonly #entries: Entry[] = [];
  /** Slots seen so far, by contract. */
  readonly #storage = new Map<Hex, Record<string, string>>();
  /** The last entry of each running frame. */
  readonly #last: (Entry | undefined)[] = [];
  readonly #static = new StaticFrames();

  constructor(config: StructLoggerOptions, behaviour: TraceBehaviour, sizeLimit: ResponseSizeLimit) {
    this.#config = config;
    this.#behaviour = behaviour;
    this.#sizeLimit = sizeLimit;
  }

  enter(frame: Frame): void {
    this.#static.enter(frame);
    this.#last.push(undefined);
  }

  leave(end: FrameEnd): void {
    const { error } = end;
    this.#static.leave();
    const entry = this.#last.pop();
    if (entry === undefined || error === undefined || NOT_OF_A_STEP.test(error)) return;
    const { showsFaults, errors } = this.#behaviour;
    if (showsFaults || NOT_RUN.test(error)) entry.error = errors.structLogger(end);
  }

  step(step: Step): void {
    const { limit, disableStack, disableStorage, enableReturnData, enableMemory } = this.#config;
    if (step.isOfNothing && !this.#behaviour.showsRuns) return;
    const isShown = (isFull: boolean) => isFull || !this.#behaviour.leavesOutEmpty;
    if (limit && this.#entries.length >= limit) {
      this.#last[this.#last.length - 1] = undefined;
      return;
    }
    this.#sizeLimit.take(this.#sizeOf(step));
    const entry: Entry = {
      pc: step.pc,
      op: opName(step.op),
      gas: Number(step.gas),
      gasCost: Number(this.#behaviour.showsRuns ? chargedCost(step) : step.cost),
      depth: step.depth,
      ...(isShown(step.refund > 0n) ? { refund: Number(step.refund) } : {}),
    };
    if (!disableStack) entry['stack'] = step.stack.map((word) => `0x${word.toString(16)}`);
    if (enableReturnData && isShown(step.returnData.length > 0)) entry['returnData'] = bytesToHex(step.returnData);
    if (enableMemory && isShown(step.memory.length > 0)) entry['memory'] = wordsOf(step.memory);
    const storage = disableStorage ? undefined : this.#touched(step);
    if (storage !== undefined) entry['storage'] = storage;
    this.#entries.push(entry);
    this.#last[this.#last.length - 1] = entry;
  }

  /** Estimates the JSON size of an entry in bytes. */
  #sizeOf({ stack, memory, returnData, op, address }: Step): number {
    const { disableStack, disableStorage, enableMemory, enableReturnData } = this.#config;
    const isStorage = !disableStorage && (op === OP.SLOAD || op === OP.SSTORE);
    const slots = isStorage ? Object.keys(this.#storage.get(address) ?? {}).length + 1 : 0;
    return (
      ENTRY_SIZE +
      (disableStack ? 0 : WORD_SIZE * stack.length) +
      (enableMemory ? 2.2 * memory.length : 0) +
      (enableReturnData ? 2 * returnData.length : 0) +
      SLOT_SIZE * slots
    );
  }

  #touched(step: Step): Readonly<Record<string, string>> | undefined {
    const { op, stack, address } = step;
    if (op !== OP.SLOAD && op !== OP.SSTORE) return undefined;
    const slot = u256be(stack.at(-1) ?? 0n);
    const now = step.slotValue(slot);
    const value = op === OP.SSTORE ? u256be(stack.at(-2) ?? 0n) : now;
    const words = this.#storage.get(address) ?? {};
    const isNews = !this.#behaviour.showsRuns || this.#static.reaches(step, Buffer.compare(value, now) !== 0);
    if (isNews) words[bytesToHex(slot)] = bytesToHex(value);
    this.#storage.set(address, words);
    return { ...words };
  }

  result({ gasUsed, error, returnValue, unrun }: TraceOutcome): unknown {
    return {
      gas: Number(gasUsed),
      failed: error !== undefined && !(unrun !== undefined && !this.#behaviour.showsUnrunDeposits),
      returnValue: bytesToHex(returnValue),
      structLogs: this.#entries,
    };
  }
}

function wordsOf(memory: Uint8Array): string[] {
  const words: string[] = [];
  for (let at = 0; at < memory.length; at += 32) words.push(bytesToHex(memory.subarray(at, at + 32)));
  return words;
}
