import * as z from 'zod';
import type { Frame } from '../../../../evm/machine/inspector.ts';
import type { Step } from '../../../../evm/machine/step.ts';
import { contractAddress, saltedContractAddress } from '../../../../protocol/accounts/contract-address.ts';
import { u256be } from '../../../../protocol/bytes.ts';
import { FEE_RECIPIENTS } from '../../../../protocol/execution/predeploys.ts';
import { bytesToHex, hexToBytes, quantity } from '../../../../protocol/hex.ts';
import { present } from '../../../../protocol/present.ts';
import type { Hex } from '../../../../protocol/types.ts';
import type { BlockEvm } from '../../evm/evm-factory.ts';
import { NOT_RUN, type TraceBehaviour } from '../behaviour.ts';
import { OP } from '../opcodes.ts';
import { addressFrom, inputOf, isCreation } from '../operands.ts';
import type { StateAccessModel } from '../state-access.ts';
import type { FrameEnd, Traced, TraceOutcome, Tracer } from '../tracer.ts';

/** `tracerConfig` of `prestateTracer`. */
export const prestateTracerConfig = z.object({
  diffMode: z.boolean().nullish(),
  disableCode: z.boolean().nullish(),
  disableStorage: z.boolean().nullish(),
});

interface AccountPrestate {
  readonly balance: bigint;
  readonly nonce: bigint;
  readonly code: Hex;
  /** Values before the transaction by slot, zeros included. */
  readonly storage: Map<Hex, Hex>;
  readonly exists: boolean;
}

type View = Record<string, unknown>;

const ZERO_WORD: Hex = `0x${'00'.repeat(32)}`;
const ACCOUNT_READS: ReadonlySet<number> = new Set([
  OP.BALANCE,
  OP.EXTCODESIZE,
  OP.EXTCODECOPY,
  OP.EXTCODEHASH,
  OP.SELFDESTRUCT,
]);
const CALLS: ReadonlySet<number> = new Set([OP.CALL, OP.CALLCODE, OP.DELEGATECALL, OP.STATICCALL]);

/**
 * `prestateTracer`: the touched accounts before a transaction, or with `diffMode` their changes.
 * Counterparts: `prestateTracer` of geth, `geth_prestate_traces` of revm-inspectors.
 */
export class PrestateTracer implements Tracer {
  readonly #config: z.output<typeof prestateTracerConfig>;
  readonly #accounts = new Map<Hex, AccountPrestate>();
  readonly #created = new Set<Hex>();
  readonly #deleted = new Set<Hex>();
  /** Entries that the last instruction added. */
  #added: { readonly account?: Hex; readonly slot?: { readonly address: Hex; readonly key: Hex } } = {};
  readonly #loadedState: TraceBehaviour['loadedState'];
  #vm: BlockEvm | undefined;
  #traced: Traced | undefined;
  #stateAccess: StateAccessModel | undefined;

  /** `loadedState` creates the access model of another client's interpreter. */
  constructor(config: z.output<typeof prestateTracerConfig>, { loadedState }: TraceBehaviour) {
    this.#config = config;
    this.#loadedState = loadedState;
  }

  start(vm: BlockEvm, traced: Traced): void {
    this.#vm = vm;
    this.#traced = traced;
    this.#stateAccess = this.#loadedState?.(vm.state);
    if (traced.to === null) this.#created.add(traced.target);
    const isPaid = traced.paysFees || !this.#showsLoads;
    const vaults =
      this.#showsLoads && traced.paysFees && vm.rules.ethereum === null ? Object.values(FEE_RECIPIENTS) : [];
    const recipients = isPaid ? [vm.context.coinbase, ...vaults] : [];
    const authorities = traced.authorities
      .filter((one) => one.isForChain || !this.#showsLoads)
      .map(({ address }) => address);
    for (const address of [traced.from, traced.target, ...recipients, ...authorities]) this.#account(address);
  }

  enter(frame: Frame): void {
    this.#added = {};
    if (this.#stateAccess === undefined) return;
    this.#stateAccess.enter(frame);
    if (frame.depth === 0 && !isCreation(frame.type))
      for (const { address } of this.#stateAccess.callee(frame.to)) this.#account(address);
    // A creation that the balance or the depth prevents has no address.
    if (!isCreation(frame.type) || BigInt(frame.to) === 0n) return;
    this.#account(frame.to);
    this.#created.add(frame.to);
    this.#added = {};
  }

  /** Removes the entries of an instruction that failed before it ran. */
  leave({ error }: FrameEnd): void {
    const { account, slot } = this.#added;
    this.#added = {};
    this.#stateAccess?.leave();
    if (this.#showsLoads || error === undefined || !NOT_RUN.test(error)) return;
    if (slot !== undefined) this.#accounts.get(slot.address)?.storage.delete(slot.key);
    if (account !== undefined) this.#accounts.delete(account);
  }

  step(step: Step): void {
    this.#added = {};
    const { op, stack, address } = step;
    const top = stack.at(-1);
    if (top === undefined) return;
    if (op === OP.SELFDESTRUCT) this.#deleted.add(address);
    if (this.#stateAccess !== undefined) {
      for (const access of this.#stateAccess.accesses(step))
        if (access.slot === undefined) this.#account(access.address);
        else this.#slot(access.address, access.slot);
      return;
    }
    if (op === OP.SLOAD || op === OP.SSTORE) this.#slot(address, bytesToHex(u256be(top)));
    else if (ACCOUNT_READS.has(op)) this.#account(addressFrom(top));
    else if (CALLS.has(op) && stack.length >= 5) this.#account(addressFrom(stack.at(-2) ?? 0n));
    else if (op === OP.CREATE || (op === OP.CREATE2 && stack.length >= 4)) {
      const created = this.#createdBy(step);
      this.#account(created);
      this.#created.add(created);
    }
  }

  result({ unrun }: TraceOutcome): unknown {
    // A deposit that cannot pay for its data touches only its sender. One that lacks its value creates nothing.
    const { from, to, target } = this.#traced ?? {};
    const isUnseen = unrun !== undefined && (to === null || unrun.gas === undefined);
    if (this.#showsLoads && isUnseen && target !== undefined && target !== from) this.#accounts.delete(target);
    if (!this.#config.diffMode) return Object.fromEntries([...this.#accounts].flatMap((entry) => this.#before(entry)));
    const pre: Record<Hex, View> = {};
    const post: Record<Hex, View> = {};
    for (const [address, prestate] of this.#accounts) {
      const deleted = this.#deleted.has(address) && this.#read(address) === undefined;
      const after = deleted ? undefined : this.#after(address, prestate);
      if (after !== undefined) post[address] = after;
      if (after === undefined && !deleted) continue;
      if (this.#created.has(address) && !prestate.exists) continue;
      pre[address] = this.#view(prestate, deleted ? prestate.storage : this.#changedSlots(address, prestate));
    }
    return { post, pre };
  }

  /** Shows the loads of another client's interpreter instead of the operands of the instructions. */
  get #showsLoads(): boolean {
    return this.#loadedState !== undefined;
  }

  #before([address, prestate]: [Hex, AccountPrestate]): [Hex, View][] {
    return !this.#showsLoads && this.#created.has(address) && !prestate.exists
      ? []
      : [[address, this.#view(prestate, prestate.storage)]];
  }

  #view({ balance, nonce, code }: AccountPrestate, storage: ReadonlyMap<Hex, Hex>): View {
    const { disableCode, disableStorage, diffMode } = this.#config;
    const words = [...storage].filter(([, value]) => !diffMode || value !== ZERO_WORD);
    return {
      balance: quantity(balance),
      ...(nonce > 0n ? { nonce: Number(nonce) } : {}),
      ...(code !== '0x' && !disableCode ? { code } : {}),
      ...(words.length > 0 && !disableStorage ? { storage: Object.fromEntries(words) } : {}),
    };
  }

  /** Returns the changes of an account, or undefined if there are none. */
  #after(address: Hex, prestate: AccountPrestate): View | undefined {
    const { disableCode, disableStorage } = this.#config;
    const now = this.#read(address);
    const [balance, nonce, code] = [now?.balance ?? 0n, now?.nonce ?? 0n, this.#code(address)];
    const changed = [...this.#changedSlots(address, prestate).keys()];
    const slots = changed.flatMap((slot) => {
      const value = this.#word(address, slot);
      return value === ZERO_WORD ? [] : [[slot, value]];
    });
    if (balance === prestate.balance && nonce === prestate.nonce && code === prestate.code && changed.length === 0)
      return undefined;
    return {
      ...(balance === prestate.balance ? {} : { balance: quantity(balance) }),
      ...(nonce === prestate.nonce ? {} : { nonce: Number(nonce) }),
      ...(code === prestate.code || code === '0x' || disableCode ? {} : { code }),
      ...(slots.length === 0 || disableStorage ? {} : { storage: Object.fromEntries(slots) }),
    };
  }

  #changedSlots(address: Hex, { storage }: AccountPrestate): ReadonlyMap<Hex, Hex> {
    return new Map([...storage].filter(([slot, value]) => this.#word(address, slot) !== value));
  }

  #account(address: Hex): AccountPrestate {
    const entry = this.#accounts.get(address);
    if (entry !== undefined) return entry;
    const account = this.#read(address);
    const code = this.#code(address);
    const [balance, nonce] = [account?.balance ?? 0n, account?.nonce ?? 0n];
    const exists = balance > 0n || nonce > 0n || code !== '0x';
    const prestate: AccountPrestate = { balance, nonce, code, storage: new Map(), exists };
    this.#accounts.set(address, prestate);
    this.#added = { ...this.#added, account: address };
    return prestate;
  }

  #slot(address: Hex, slot: Hex): void {
    const { storage } = this.#account(address);
    if (storage.has(slot)) return;
    storage.set(slot, this.#word(address, slot));
    this.#added = { ...this.#added, slot: { address, key: slot } };
  }

  #createdBy(step: Step): Hex {
    if (step.op !== OP.CREATE2) return contractAddress(step.address, this.#read(step.address)?.nonce ?? 0n);
    const salt = u256be(step.stack.at(-4) ?? 0n);
    return saltedContractAddress(step.address, salt, inputOf(step, 'CREATE2'));
  }

  #read(address: Hex) {
    return present(this.#vm, 'EVM of the tracer').state.account(hexToBytes(address));
  }

  #code(address: Hex): Hex {
    return bytesToHex(present(this.#vm, 'EVM of the tracer').state.code(hexToBytes(address)));
  }

  #word(address: Hex, slot: Hex): Hex {
    const word = present(this.#vm, 'EVM of the tracer').state.word(hexToBytes(address), hexToBytes(slot));
    return `0x${Buffer.from(word).toString('hex').padStart(64, '0')}`;
  }
}
