import { bytesToHex, hexToBytes } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import type { Inspector } from './inspector.ts';
import type { EvmInstance, LoopHost } from './instance.ts';
import type { EvmBlock, EvmLog, EvmState } from './state.ts';
import { CALL_TYPES, type RunningFrames, Step, WARM_CALL_GAS } from './step.ts';

/** What the loop asks for while it runs, out of state and block. */
export class Host implements LoopHost, RunningFrames {
  readonly logs: EvmLog[] = [];
  /** What the last call returned. */
  returnData: Uint8Array = new Uint8Array();
  /** Frames that run. */
  depth = 0;
  readonly #instance: EvmInstance;
  readonly #state: EvmState;
  readonly #block: EvmBlock;
  readonly #inspector: Inspector | undefined;
  /** The last address that was converted: code asks for that of its frame again and again. */
  #address: Hex = '0x';
  #addressBytes: Uint8Array = new Uint8Array();

  constructor(instance: EvmInstance, state: EvmState, block: EvmBlock, inspector?: Inspector) {
    this.#instance = instance;
    this.#state = state;
    this.#block = block;
    this.#inspector = inspector;
  }

  /** Returns the address that a word has. */
  addressAt(at: number): Hex {
    const { bytes } = this.#instance;
    const last = this.#addressBytes;
    for (let place = 0; place < 20; place++) {
      if (bytes[at + 19 - place] === last[place]) continue;
      this.#addressBytes = this.#instance.addressAt(at);
      this.#address = bytesToHex(this.#addressBytes);
      break;
    }
    return this.#address;
  }

  storage(address: number, slot: number, to: number): void {
    const value = this.#state.storage(this.addressAt(address), this.#instance.wordBytes(slot));
    this.#instance.setWordBytes(to, value);
  }

  balance(address: number, to: number): void {
    this.#instance.setWord(to, this.#state.balance(this.addressAt(address)));
  }

  codeSize(address: number): number {
    return this.#state.code(this.addressAt(address)).length;
  }

  codeHash(address: number, to: number): void {
    const hex = this.addressAt(address);
    const hash = this.#state.isEmpty(hex) ? new Uint8Array() : hexToBytes(this.#state.codeHash(hex));
    this.#instance.setWordBytes(to, hash);
  }

  copyCode(address: number, to: number, from: number, size: number): void {
    const part = this.#state.code(this.addressAt(address)).subarray(from, from + size);
    const { bytes } = this.#instance;
    bytes.set(part, to);
    bytes.fill(0, to + part.length, to + size);
  }

  copyReturnData(to: number, from: number, size: number): void {
    this.#instance.bytes.set(this.returnData.subarray(from, from + size), to);
  }

  blockHash(number: number, to: number): void {
    this.#instance.setWordBytes(to, this.#block.blockHash(number) ?? new Uint8Array());
  }

  log(count: number, firstTopic: number, data: number, size: number): void {
    const instance = this.#instance;
    const topics: Uint8Array[] = [];
    for (let topic = 0; topic < count; topic++) topics.push(instance.wordBytes(firstTopic - 32 * topic));
    const log: EvmLog = {
      address: this.addressAt(instance.layout.FRAME_ADDRESS),
      topics,
      data: instance.bytes.slice(data, data + size),
    };
    this.logs.push(log);
    this.#inspector?.log(log);
  }

  /** Shows the inspector an opcode of the loop. The loop reports calls only when they fail. */
  step(): void {
    if (this.#inspector?.step === undefined) return;
    this.#inspector.step(this.stepNow());
  }

  /** Shows the inspector an opcode that the loop leaves to the host. */
  report(gas: bigint, ownCost: bigint, cost: bigint): void {
    if (this.#inspector?.step === undefined) return;
    this.#inspector.step(new Step(this.#instance, this, { gas, ownCost, cost }));
  }

  /** Returns the opcode of the running frame whose gas the loop has kept. */
  stepNow(): Step {
    const instance = this.#instance;
    const gas = instance.view.getBigInt64(instance.layout.FRAME_GAS, true);
    const cost = instance.view.getBigInt64(instance.layout.STEP_COST, true);
    const opcode = instance.bytes[instance.number(instance.layout.FRAME_PC) - 1] ?? 0;
    const isCall = CALL_TYPES.has(opcode);
    return new Step(instance, this, { gas, ownCost: isCall ? 0n : cost, cost: isCall ? WARM_CALL_GAS : cost });
  }
}
