import type { Frame } from '../../../../evm/machine/inspector.ts';
import { bytesToHex, quantity } from '../../../../protocol/hex.ts';
import { present } from '../../../../protocol/present.ts';
import type { Hex } from '../../../../protocol/types.ts';
import type { BlockEvm } from '../../evm/evm-factory.ts';
import type { StoredAccount } from '../../state/account.ts';
import { type ByteKey, keyBytes } from '../../state/byte-key.ts';
import type { AccountChanges, StateJournal } from '../../state/state-journal.ts';
import { isCreation } from '../operands.ts';
import type { Tracer } from '../tracer.ts';

/** Parity's format of a change: `=` none, `+` new, `*` changed. */
type Delta = '=' | { readonly '+': string } | { readonly '*': { readonly from: string; readonly to: string } };

interface AccountDiff {
  readonly balance: Delta;
  readonly nonce: Delta;
  readonly code: Delta;
  readonly storage: Readonly<Record<Hex, Delta>>;
}

/** State diff of a transaction in Parity's format (revm-inspectors: `populate_state_diff`). */
export class StateDiffTracer implements Tracer {
  /** Writes of earlier transactions in the block. */
  readonly #before = new Map<ByteKey, AccountChanges>();
  readonly #created = new Set<Hex>();
  #state: StateJournal | undefined;

  start({ state }: BlockEvm): void {
    this.#state = state;
    for (const [address, changes] of state.changes().accounts)
      this.#before.set(address, { ...changes, storage: new Map(changes.storage) });
  }

  enter({ type, to }: Frame): void {
    if (isCreation(type)) this.#created.add(to);
  }

  result(): Readonly<Record<Hex, AccountDiff>> {
    const diffs: Record<Hex, AccountDiff> = {};
    for (const [key, changes] of present(this.#state, 'state of the tracer').changes().accounts) {
      const diff = this.#diffOf(key, changes);
      if (diff !== undefined) diffs[hexOf(key)] = diff;
    }
    return diffs;
  }

  #diffOf(address: ByteKey, { account: now, storage: words }: AccountChanges): AccountDiff | undefined {
    const was = this.#accountBefore(address);
    if (was === undefined && now === undefined) return undefined;
    const isNew = was === undefined && this.#created.has(hexOf(address));
    const change = (from: string, to: string): Delta =>
      isNew ? { '+': to } : from === to ? '=' : { '*': { from, to } };
    const storage = [...words].flatMap(([slot, word]) => {
      const [from, to] = [padded(this.#wordBefore(address, slot)), padded(word)];
      return from === to ? [] : [[hexOf(slot), isNew ? { '+': to } : { '*': { from, to } }]];
    });
    const diff: AccountDiff = {
      balance: change(quantity(was?.balance ?? 0n), quantity(now?.balance ?? 0n)),
      nonce: change(quantity(was?.nonce ?? 0n), quantity(now?.nonce ?? 0n)),
      code: change(this.#code(was), this.#code(now)),
      storage: Object.fromEntries(storage),
    };
    const isSame = diff.balance === '=' && diff.nonce === '=' && diff.code === '=' && storage.length === 0;
    return isSame ? undefined : diff;
  }

  #accountBefore(address: ByteKey): StoredAccount | undefined {
    const written = this.#before.get(address);
    return written === undefined
      ? present(this.#state, 'state of the tracer').reader.account(keyBytes(address))
      : written.account;
  }

  #wordBefore(address: ByteKey, slot: ByteKey): Uint8Array {
    const written = this.#before.get(address);
    const word = written?.storage.get(slot);
    if (word !== undefined) return word;
    if (written?.cleared) return new Uint8Array(0);
    const { reader } = present(this.#state, 'state of the tracer');
    return reader.storage(reader.account(keyBytes(address)), keyBytes(slot));
  }

  #code(account: StoredAccount | undefined): Hex {
    return account === undefined
      ? '0x'
      : bytesToHex(present(this.#state, 'state of the tracer').codeOf(account.codeHash));
  }
}

const hexOf = (key: ByteKey): Hex => bytesToHex(keyBytes(key));

function padded(word: Uint8Array): Hex {
  return `0x${Buffer.from(word).toString('hex').padStart(64, '0')}`;
}
