import { bytesToHex, hexToBytes } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import type { EvmInstance, LoopHost } from './instance.ts';
import type { EvmContext, EvmLog, EvmState } from './state.ts';

/** What the loop asks for while it runs, out of state and block. */
export class Host implements LoopHost {
  readonly logs: EvmLog[] = [];
  /** What the last call returned. */
  returnData: Uint8Array = new Uint8Array();
  readonly #instance: EvmInstance;
  readonly #state: EvmState;
  readonly #context: EvmContext;

  constructor(instance: EvmInstance, state: EvmState, context: EvmContext) {
    this.#instance = instance;
    this.#state = state;
    this.#context = context;
  }

  /** Returns the address that a word has. */
  addressAt(at: number): Hex {
    return bytesToHex(this.#instance.addressAt(at));
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
    this.#instance.setWordBytes(to, this.#context.blockHash(number) ?? new Uint8Array());
  }

  log(count: number, firstTopic: number, data: number, size: number): void {
    const instance = this.#instance;
    this.logs.push({
      address: this.addressAt(instance.at('FRAME_ADDRESS')),
      topics: Array.from({ length: count }, (_, topic) => instance.wordBytes(firstTopic - 32 * topic)),
      data: instance.bytes.slice(data, data + size),
    });
  }
}
