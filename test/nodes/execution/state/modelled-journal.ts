import { deepStrictEqual } from 'node:assert';
import { genesisState } from '../../../../src/nodes/execution/chain/genesis.ts';
import { EMPTY_CODE_HASH } from '../../../../src/nodes/execution/state/account.ts';
import { commitState } from '../../../../src/nodes/execution/state/commit.ts';
import { StateJournal } from '../../../../src/nodes/execution/state/state-journal.ts';
import { EMPTY_ROOT } from '../../../../src/nodes/execution/trie/trie.ts';
import { u256be, uintBe } from '../../../../src/protocol/bytes.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import { runToCompletion } from '../../../../src/protocol/resumable.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import type { Alloc } from '../support/genesis.ts';
import { stateOf } from '../support/memory-state.ts';

const SLOTS = [0, 1, 2];

/** A change of a state, or a boundary of a call frame. `account` and `slot` are indices. */
export type Step =
  | { readonly kind: 'word'; readonly account: number; readonly slot: number; readonly value: bigint }
  | { readonly kind: 'clear' | 'delete'; readonly account: number }
  | { readonly kind: 'credit' | 'nonce'; readonly account: number; readonly value: bigint }
  | { readonly kind: 'code'; readonly account: number; readonly code: Hex }
  | { readonly kind: 'checkpoint' | 'commit' | 'revert' };

interface ModelAccount {
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly code: Hex;
  readonly words: readonly bigint[];
}

/** A state as the specification describes it: values, and a copy of all of them for each open call frame. */
interface Model {
  readonly accounts: readonly (ModelAccount | undefined)[];
  /** Accounts with a change that was not undone. */
  readonly changed: readonly boolean[];
}

const CONTRACT = { nonce: 1n, balance: 7n, code: '0x6001' as Hex, words: [5n, 6n, 0n] };
/** Contracts 0 and 1 have words in slots 0 and 1. Account 2 has a balance alone. Account 3 does not exist. */
const START: Model = {
  accounts: [CONTRACT, { ...CONTRACT, balance: 0n, code: '0x6002' }, { ...absent(), balance: 9n }, undefined],
  changed: [false, false, false, false],
};

function absent(): ModelAccount {
  return { nonce: 0n, balance: 0n, code: '0x', words: [0n, 0n, 0n] };
}

/** A state journal beside a model of it that copies the whole state at each checkpoint. */
export class ModelledJournal {
  readonly #journal = new StateJournal(START_STATE);
  #model = START;
  readonly #copies: Model[] = [];

  /** Runs steps on both, and compares everything that can be read after each. */
  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      await this.#step(step);
      this.#compare();
    }
    this.#compareRoots();
  }

  async #step(step: Step): Promise<void> {
    switch (step.kind) {
      case 'checkpoint':
        this.#copies.push(this.#model);
        return this.#journal.checkpoint();
      case 'commit':
        if (this.#copies.pop() === undefined) return;
        return this.#journal.commit();
      case 'revert':
        if (this.#copies.length === 0) return;
        this.#model = this.#copies.pop()!;
        return this.#journal.revert();
      default:
        this.#change(step);
    }
  }

  #change(step: Exclude<Step, { kind: 'checkpoint' | 'commit' | 'revert' }>): void {
    const address = addressOf(step.account);
    const before = this.#model.accounts[step.account];
    const account = before ?? absent();
    switch (step.kind) {
      case 'word':
        // Only an existing account has storage: the EVM creates it first.
        if (before === undefined) return;
        this.#set(step.account, { ...account, words: account.words.with(step.slot, step.value) });
        this.#journal.setWord(address, u256be(step.slot), u256be(step.value));
        return;
      case 'clear':
      case 'delete':
        this.#set(step.account, step.kind === 'delete' || before === undefined ? undefined : cleared(account));
        this.#journal.clearWords(address);
        if (step.kind === 'delete') this.#journal.setAccount(address, undefined);
        return;
      case 'credit':
        this.#set(step.account, { ...account, balance: account.balance + step.value });
        this.#journal.addBalance(address, step.value);
        return;
      case 'nonce': {
        this.#set(step.account, { ...account, nonce: step.value });
        const stored = this.#journal.account(address);
        this.#journal.setAccount(address, {
          nonce: step.value,
          balance: stored?.balance ?? 0n,
          storageRoot: stored?.storageRoot ?? EMPTY_ROOT,
          codeHash: stored?.codeHash ?? EMPTY_CODE_HASH,
        });
        return;
      }
      case 'code':
        this.#set(step.account, { ...account, code: step.code });
        this.#journal.setCode(address, hexToBytes(step.code));
    }
  }

  #set(account: number, value: ModelAccount | undefined): void {
    const { accounts, changed } = this.#model;
    this.#model = { accounts: accounts.with(account, value), changed: changed.with(account, true) };
  }

  #compare(): void {
    const journal = this.#journal;
    const { accounts, changed } = this.#model;
    deepStrictEqual(journal.depth, this.#copies.length, 'open checkpoints');
    for (const [at, expected] of accounts.entries()) {
      const address = addressOf(at);
      const stored = journal.account(address);
      const words = SLOTS.map((slot) => toWord(journal.word(address, u256be(slot))));
      if (expected === undefined || stored === undefined) {
        deepStrictEqual({ stored, words }, { stored: expected, words: absent().words }, `account ${at}`);
      } else {
        const { nonce, balance } = stored;
        const code = bytesToHex(journal.code(address));
        deepStrictEqual({ nonce, balance, code, words }, expected, `account ${at}`);
      }
    }
    deepStrictEqual(journal.changes().accounts.size, changed.filter(Boolean).length, 'changed accounts');
  }

  /** Commits the changes to the tries, and compares the root with that of the model's state. */
  #compareRoots(): void {
    const { root } = runToCompletion(commitState(this.#journal.reader, this.#journal.changes()));
    deepStrictEqual(bytesToHex(root), bytesToHex(genesisState(allocOf(this.#model)).root), 'state root');
  }
}

function cleared(account: ModelAccount): ModelAccount {
  return { ...account, words: absent().words };
}

function allocOf({ accounts }: Model): Alloc {
  const alloc: Alloc = {};
  for (const [at, account] of accounts.entries()) {
    if (account === undefined) continue;
    const { nonce, balance, code, words } = account;
    const storage = Object.fromEntries(words.map((word, slot) => [bytesToHex(u256be(slot)), bytesToHex(u256be(word))]));
    alloc[bytesToHex(addressOf(at))] = { nonce: String(nonce), balance: String(balance), code, storage };
  }
  return alloc;
}

const addressOf = (account: number) => uintBe(0xacc0 + account, 20);
const toWord = (bytes: Uint8Array) => BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
const START_STATE = stateOf(allocOf(START)).reader;
