import { keccak256 } from '../../../protocol/hash.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { Chain } from '../chain/chain.ts';
import type { Alloc } from '../chain/genesis.ts';

/** Low storage slots that are tried for every account. */
const PLAIN_SLOTS = 256;
/** Lowest address of each predeploy namespace, and the number of addresses in it. */
const NAMESPACES = [0n, 0x4200n << 144n, 0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3n << 16n];
const NAMESPACE_SIZE = 2048n;

/**
 * Finds the addresses and slots behind the hashed keys of a state.
 * Counterpart in geth: `ReadPreimage`, which reads preimages that were stored.
 * Candidates are the genesis file, the predeploys, low slots, and the addresses in transactions, receipts and logs of
 * the canonical chain up to `number`.
 */
export class Preimages {
  readonly #addresses = new Map<Hex, Hex>();
  readonly #slots = new Map<Hex, Hex>();

  constructor(chain: Chain, number: number, alloc: Alloc) {
    for (const base of NAMESPACES) for (let at = 0n; at < NAMESPACE_SIZE; at++) this.#addAddress(hexOf(base + at, 20));
    for (let slot = 0; slot < PLAIN_SLOTS; slot++) this.#addSlot(hexOf(BigInt(slot), 32));
    for (const [address, { storage = {} }] of Object.entries(alloc)) {
      this.#addAddress(hexOf(BigInt(address.startsWith('0x') ? address : `0x${address}`), 20));
      for (const slot of Object.keys(storage)) this.#addSlot(hexOf(BigInt(slot), 32));
    }
    for (let at = 1; at <= number; at++) this.#addBlock(chain, at);
  }

  address(key: Hex): Hex | undefined {
    return this.#addresses.get(key);
  }

  slot(key: Hex): Hex | undefined {
    return this.#slots.get(key);
  }

  #addBlock(chain: Chain, number: number): void {
    const { header, receipts } = chain.canonicalBlock(number);
    this.#addAddress(header.beneficiary);
    for (const { from, to, contractAddress, logs } of receipts.receipts)
      for (const address of [from, to, contractAddress, ...logs.map((log) => log.address)])
        if (address !== null) this.#addAddress(address);
  }

  #addAddress(address: Hex): void {
    this.#addresses.set(keccak256(address), address);
  }

  #addSlot(slot: Hex): void {
    this.#slots.set(keccak256(slot), slot);
  }
}

function hexOf(value: bigint, bytes: number): Hex {
  return `0x${value.toString(16).padStart(bytes * 2, '0')}`;
}
