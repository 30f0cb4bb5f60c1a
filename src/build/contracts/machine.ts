import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { createEVM, type EVM } from '@ethereumjs/evm';
import { SimpleStateManager } from '@ethereumjs/statemanager';
import { Account, createAddressFromString, hexToBytes } from '@ethereumjs/util';
import { bytesToHex, type Hex } from 'viem';
import { present } from '../../protocol/present.ts';
import { hexOf } from './hex.ts';

/** An account as constructors and initializers left it; storage keys and values are 64 hex digits. */
export interface MachineAccount {
  readonly nonce: number;
  readonly code: Hex;
  readonly storage: ReadonlyMap<string, string>;
}

/** The gas and the outcome of one call. */
export interface CallResult {
  readonly gasUsed: bigint;
  readonly output: Hex;
  readonly created?: Hex;
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[];
}

const GAS_LIMIT = 2n ** 40n;

/** An EVM over plain maps, in which code can be placed at any address. */
export class Machine {
  readonly #evm: EVM;
  readonly #state: SimpleStateManager;

  private constructor(evm: EVM, state: SimpleStateManager) {
    this.#evm = evm;
    this.#state = state;
  }

  static async create(): Promise<Machine> {
    const common = new Common({ chain: Mainnet, hardfork: Hardfork.Prague });
    const state = new SimpleStateManager({ common });
    return new Machine(await createEVM({ common, stateManager: state }), state);
  }

  /** An independent machine in the same state. */
  async copy(): Promise<Machine> {
    const other = await Machine.create();
    for (const [address, account] of latest(this.#state.accountStack)) {
      if (account !== undefined)
        await other.#state.putAccount(createAddressFromString(address), Object.assign(new Account(), account));
    }
    for (const [address, code] of latest(this.#state.codeStack))
      await other.#state.putCode(createAddressFromString(address), code);
    for (const [at, value] of latest(this.#state.storageStack)) {
      const [address, key] = at.split('_');
      await other.#state.putStorage(createAddressFromString(hexOf(address)), hexToBytes(hexOf(key)), value);
    }
    return other;
  }

  async clear(address: Hex): Promise<void> {
    await this.#state.clearStorage(createAddressFromString(address));
  }

  /** Runs creation code in the name of an address and leaves there what it returns. */
  async deployAt(address: Hex, creation: Hex, caller: Hex): Promise<void> {
    await this.place(address, creation, 1);
    const { output } = await this.call(caller, address, '0x');
    await this.place(address, output, 1);
  }

  async place(address: Hex, code: Hex, nonce: number): Promise<void> {
    const at = createAddressFromString(address);
    const account = (await this.#state.getAccount(at)) ?? new Account();
    account.nonce = BigInt(nonce);
    await this.#state.putAccount(at, account);
    await this.#state.putCode(at, hexToBytes(code));
  }

  async store(address: Hex, key: Hex, value: Hex): Promise<void> {
    await this.#state.putStorage(createAddressFromString(address), pad32(key), pad32(value));
  }

  /** Calls, or creates if `to` is null. @throws Error if the call fails */
  async call(from: Hex, to: Hex | null, data: Hex, gasLimit = GAS_LIMIT): Promise<CallResult> {
    const caller = createAddressFromString(from);
    const result = await this.#evm.runCall({
      caller,
      origin: caller,
      ...(to === null ? {} : { to: createAddressFromString(to) }),
      data: hexToBytes(data),
      gasLimit,
      // Only a creation needs its sender's nonce; callers are stand-ins and stay as they are.
      skipNonceIncrement: to !== null,
      block: { header: this.#header() },
    });
    const { execResult } = result;
    const output = bytesToHex(execResult.returnValue);
    if (execResult.exceptionError !== undefined) {
      throw new Error(
        `${from} → ${to ?? 'create'} failed: ${execResult.exceptionError.error} ${output} ` +
          `(data ${data.slice(0, 74)})`,
      );
    }
    const created = result.createdAddress?.toString();
    const logs = (execResult.logs ?? []).map(([address, topics, data]) => ({
      address: bytesToHex(address),
      topics: topics.map((topic) => bytesToHex(topic)),
      data: bytesToHex(data),
    }));
    return { gasUsed: execResult.executionGasUsed, output, logs, ...(created === undefined ? {} : { created }) };
  }

  /** Returns the code at a lower-case address. @throws Error if there is none */
  codeAt(address: Hex): Hex {
    return bytesToHex(present(latest(this.#state.codeStack).get(address), `code at ${address}`));
  }

  /** Every account that has code, by address. */
  dump(): Map<Hex, MachineAccount> {
    const accounts = latest(this.#state.accountStack);
    const storage = new Map<string, Map<string, string>>();
    for (const [at, value] of latest(this.#state.storageStack)) {
      const [address = '', key = ''] = at.split('_');
      const digits = bytesToHex(value).slice(2).padStart(64, '0');
      if (/^0*$/.test(digits)) continue;
      const words = storage.get(address) ?? new Map<string, string>();
      storage.set(address, words.set(key.slice(2), digits));
    }
    const dump = new Map<Hex, MachineAccount>();
    for (const [address, code] of latest(this.#state.codeStack)) {
      dump.set(address, {
        nonce: Number(accounts.get(address)?.nonce ?? 0n),
        code: bytesToHex(code),
        storage: storage.get(address) ?? new Map(),
      });
    }
    return dump;
  }

  /** A block late enough for every stand-in timestamp; its number is genesis's. */
  #header() {
    const zero = new Uint8Array(32);
    return {
      number: 0n,
      coinbase: createAddressFromString(`0x${'0'.repeat(40)}`),
      timestamp: 2n ** 127n,
      difficulty: 0n,
      prevRandao: zero,
      gasLimit: GAS_LIMIT,
      baseFeePerGas: 0n,
      getBlobGasPrice: () => 1n,
    };
  }
}

/** Returns the newest checkpoint of a state manager's stack. */
function latest<Values>(stack: readonly Values[]): Values {
  return present(stack.at(-1), 'checkpoint of the state');
}

const pad32 = (hex: Hex): Uint8Array => hexToBytes(`0x${hex.slice(2).padStart(64, '0')}`);
