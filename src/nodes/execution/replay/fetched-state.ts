import { keccak256 } from '../../../protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { RpcClient } from '../../../rpc/client/client.ts';
import { isJsonObject, jsonField } from '../../../rpc/json-object.ts';
import type { StoredAccount } from '../state/account.ts';
import { StateReader, type StateSource } from '../state/reader.ts';
import { type Node, type StoredNode, storedNode } from '../trie/node.ts';
import { decodeNode } from '../trie/stored.ts';

/** State that an execution needs and that is not fetched yet. */
type Missing =
  | { readonly kind: 'account'; readonly address: Hex; readonly slot?: Hex }
  | { readonly kind: 'code'; readonly address: Hex }
  | { readonly kind: 'hash'; readonly number: number }
  | { readonly kind: 'node'; readonly hash: Hex };

/** Thrown when state is missing. The execution is repeated once it is fetched. */
class MissingState extends Error {}

/**
 * The state after one block of another client, read over JSON-RPC with proofs (kona: `TrieDB`).
 * All nodes are found by their hashes, so a wrong answer cannot change the result.
 */
export class FetchedState implements StateSource {
  readonly #client: RpcClient;
  readonly #block: Hex;
  readonly #nodes = new Map<Hex, Uint8Array>();
  readonly #codes = new Map<Hex, Uint8Array>();
  readonly #hashes = new Map<number, Hex>();
  /** Addresses by storage root and by code hash. Accounts with the same hash share the data below it. */
  readonly owners = new Map<Hex, Hex>();
  #reading: Missing | undefined;
  #missing: Missing | undefined;

  /** `block`: hash of the block after which the state is. */
  constructor(client: RpcClient, block: Hex) {
    this.#client = client;
    this.#block = block;
  }

  /** Adds the nodes and code of an execution witness. */
  addWitness(witness: unknown): void {
    for (const [field, into] of [
      ['state', this.#nodes],
      ['codes', this.#codes],
    ] as const)
      for (const text of bytesIn(jsonField(witness, field))) {
        const bytes = hexToBytes(text);
        into.set(keccak256(bytes), bytes);
      }
  }

  /** Returns a reader that reports missing state. */
  reader(root: Hex): StateReader {
    return new FetchingReader(this, hexToBytes(root), (reading) => {
      this.#reading = reading;
    });
  }

  /**
   * Repeats work until no state is missing. `most`: number of repetitions. @throws Error if state cannot be fetched
   */
  async complete<Result>(work: () => Promise<Result>, most = 2000): Promise<Result> {
    let last: string | undefined;
    for (let times = 0; times < most; times++) {
      this.#missing = undefined;
      const outcome = await work().then(
        (result) => ({ ok: true as const, result }),
        (error: unknown) => ({ ok: false as const, error }),
      );
      // The interpreter may take the error of a read for one of the contract.
      const missing: Missing | undefined = this.#missing;
      if (missing === undefined) {
        if (outcome.ok) return outcome.result;
        throw outcome.error;
      }
      const key = JSON.stringify(missing);
      if (key === last) throw new Error(`state is not available: ${key}`);
      last = key;
      await this.#fetch(missing);
    }
    throw new Error(`an execution needs more than ${most} parts of the state`);
  }

  root(hash: Uint8Array): StoredNode {
    return storedNode(hash);
  }

  node({ hash }: StoredNode): Node {
    const rlp = this.#nodes.get(bytesToHex(hash));
    if (rlp === undefined) throw this.#lacks(this.#reading ?? { kind: 'node', hash: bytesToHex(hash) });
    return decodeNode(rlp, hash);
  }

  code(hash: Uint8Array): Uint8Array {
    const code = this.#codes.get(bytesToHex(hash));
    if (code !== undefined) return code;
    const address = this.owners.get(bytesToHex(hash));
    throw this.#lacks(address === undefined ? { kind: 'node', hash: bytesToHex(hash) } : { kind: 'code', address });
  }

  /** Returns the hash of an ancestor. */
  ancestor(number: number): Uint8Array {
    const hash = this.#hashes.get(number);
    if (hash === undefined) throw this.#lacks({ kind: 'hash', number });
    return hexToBytes(hash);
  }

  #lacks(missing: Missing): MissingState {
    this.#missing ??= missing;
    return new MissingState(`missing ${JSON.stringify(missing)}`);
  }

  async #fetch(missing: Missing): Promise<void> {
    const at = { blockHash: this.#block };
    switch (missing.kind) {
      case 'account': {
        const slots = missing.slot === undefined ? [] : [missing.slot];
        const proof = await this.#client.call('eth_getProof', [missing.address, slots, at]);
        const storage = jsonField(proof, 'storageProof');
        const lists = [proof, ...(Array.isArray(storage) ? storage : [])];
        for (const text of lists.flatMap((each) =>
          bytesIn(jsonField(each, 'accountProof') ?? jsonField(each, 'proof')),
        )) {
          const bytes = hexToBytes(text);
          this.#nodes.set(keccak256(bytes), bytes);
        }
        return;
      }
      case 'code': {
        const code = hexToBytes(await this.#client.call<Hex>('eth_getCode', [missing.address, at]));
        this.#codes.set(keccak256(code), code);
        return;
      }
      case 'hash': {
        const block = await this.#client.call('eth_getBlockByNumber', [`0x${missing.number.toString(16)}`, false]);
        const hash = isJsonObject(block) ? block['hash'] : undefined;
        if (typeof hash === 'string') this.#hashes.set(missing.number, hash.toLowerCase() as Hex);
        return;
      }
      case 'node':
        throw new Error(`the trie node ${missing.hash} is in no witness and no proof`);
    }
  }
}

/** Reads accounts, slots and code, and reports each read before it begins. */
class FetchingReader extends StateReader {
  readonly #begin: (reading: Missing | undefined) => void;
  readonly #owners: Map<Hex, Hex>;

  constructor(source: FetchedState, root: Uint8Array, begin: (reading: Missing | undefined) => void) {
    super(source, root);
    this.#owners = source.owners;
    this.#begin = begin;
  }

  override account(address: Uint8Array): StoredAccount | undefined {
    const key = bytesToHex(address);
    const account = this.#during({ kind: 'account', address: key }, () => super.account(address));
    for (const hash of account === undefined ? [] : [account.storageRoot, account.codeHash])
      this.#owners.set(bytesToHex(hash), key);
    return account;
  }

  override storage(account: StoredAccount | undefined, slot: Uint8Array): Uint8Array {
    const address = account && this.#owners.get(bytesToHex(account.storageRoot));
    const reading = address && ({ kind: 'account', address, slot: bytesToHex(slot) } as const);
    return this.#during(reading, () => super.storage(account, slot));
  }

  #during<Value>(reading: Missing | undefined, read: () => Value): Value {
    this.#begin(reading);
    const value = read();
    this.#begin(undefined);
    return value;
  }
}

function bytesIn(list: unknown): Hex[] {
  if (!Array.isArray(list)) return [];
  return list.filter((item): item is Hex => typeof item === 'string' && /^0x([0-9a-fA-F]{2})*$/.test(item));
}
