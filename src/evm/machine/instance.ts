import { Codes } from './codes.ts';
import { LinearMemory, type LoopExports } from './linear-memory.ts';
import type { EvmBlock } from './state.ts';

/** What the loop asks for. The arguments are addresses in linear memory but for sizes and block numbers. */
export interface LoopHost {
  storage(address: number, slot: number, to: number): void;
  balance(address: number, to: number): void;
  codeSize(address: number): number;
  codeHash(address: number, to: number): void;
  copyCode(address: number, to: number, from: number, size: number): void;
  copyReturnData(to: number, from: number, size: number): void;
  blockHash(number: number, to: number): void;
  log(topics: number, firstTopic: number, data: number, size: number): void;
  step(): void;
}

/** Makes imports of the loop that ask the host of the moment. */
function importsOf(host: () => LoopHost) {
  return {
    storage: (address: number, slot: number, to: number) => host().storage(address, slot, to),
    balance: (address: number, to: number) => host().balance(address, to),
    codeSize: (address: number) => host().codeSize(address),
    codeHash: (address: number, to: number) => host().codeHash(address, to),
    copyCode: (address: number, to: number, from: number, size: number) => host().copyCode(address, to, from, size),
    copyReturnData: (to: number, from: number, size: number) => host().copyReturnData(to, from, size),
    blockHash: (number: number, to: number) => host().blockHash(number, to),
    log: (topics: number, first: number, data: number, size: number) => host().log(topics, first, data, size),
    step: () => host().step(),
  };
}

/** A transaction needs more slots, accounts or journal entries than an instance holds. */
export class EvmInstanceFull extends Error {
  override readonly name = 'EvmInstanceFull';

  constructor(cause: unknown) {
    super('the transaction reads or writes more slots and accounts than an EVM instance holds', { cause });
  }
}

/**
 * An instance of the loop. It runs one transaction after another, each with a host of its own.
 * Codes of accounts stay in it.
 */
export class EvmInstance extends LinearMemory {
  readonly codes: Codes;
  /** The block whose values stand in it. */
  block: EvmBlock | undefined;
  readonly #host: { current?: LoopHost };

  constructor(module: WebAssembly.Module) {
    const host: { current?: LoopHost } = {};
    const imports = importsOf(() => {
      if (host.current === undefined) throw new Error('the loop runs without a host');
      return host.current;
    });
    super(new WebAssembly.Instance<LoopExports>(module, { host: imports }).exports);
    this.#host = host;
    this.codes = new Codes(this);
  }

  /** Begins a transaction: all accounts and slots are cold, and nothing is in the journal. */
  begin(host: LoopHost): void {
    this.#host.current = host;
    this.codes.freeSpace();
    this.exports.beginTransaction();
  }

  /** Bytes of memory that the last transaction has used, without codes. */
  usedBytes(): number {
    const { layout } = this;
    const records = (count: number, bytes: number) => this.number(count) * bytes;
    const slots = records(layout.SLOT_COUNT, layout.SLOT_BYTES);
    const accounts = records(layout.ACCOUNT_COUNT, layout.ACCOUNT_BYTES);
    const journal = records(layout.JOURNAL_COUNT, layout.ENTRY_BYTES);
    return slots + accounts + journal + this.bytes.length - layout.ARENA;
  }

  /**
   * Runs the frame that has begun and returns the outcome. `loop`: whether the host sees each opcode.
   * @throws EvmInstanceFull, and what the host throws
   */
  run(limit: bigint, loop: 'run' | 'inspect' = 'run'): number {
    try {
      return this.exports[loop](limit);
    } catch (error) {
      throw this.number(this.layout.FULL) === 0 ? error : new EvmInstanceFull(error);
    }
  }
}
