import { keccak256, toHex } from 'viem';
import type { Template } from '../../protocol/genesis/contracts.ts';

/** L1 contracts of which every chain has its own, by the names that deployment files use. */
const L1_CONTRACTS = [
  'AddressManager',
  'ProxyAdmin',
  'SuperchainConfig',
  'ProtocolVersions',
  'SystemConfig',
  'OptimismPortal',
  'L2OutputOracle',
  'L1CrossDomainMessenger',
  'L1StandardBridge',
  'L1ERC721Bridge',
  'OptimismMintableERC20Factory',
  'DisputeGameFactory',
  'AnchorStateRegistry',
  'DelayedWETH',
  'PermissionedDisputeGame',
] as const;

/** Implementations whose code holds values of a chain, so that each chain has its own. */
const OWN_IMPLEMENTATIONS = ['OptimismPortal2', 'AnchorStateRegistry', 'PermissionedDisputeGame'] as const;

/** Bytes of every chain-dependent value. */
export const SLOTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(L1_CONTRACTS.map((name) => [`l1.${name}`, 20])),
  ...Object.fromEntries(OWN_IMPLEMENTATIONS.map((name) => [`implementation.${name}`, 20])),
  owner: 20,
  proposer: 20,
  challenger: 20,
  unsafeBlockSigner: 20,
  batchInbox: 20,
  feeVaultRecipient: 20,
  batcherHash: 32,
  overhead: 32,
  scalar: 32,
  chainId: 32,
  l1ChainId: 32,
  permit2DomainSeparator: 32,
  l1Permit2DomainSeparator: 32,
  submissionInterval: 32,
  l2BlockTime: 32,
  startingTimestamp: 32,
  finalizationPeriodSeconds: 32,
  proofMaturityDelaySeconds: 32,
  disputeGameFinalityDelaySeconds: 32,
  gameDuration: 32,
  startingRoot: 32,
  gasLimit: 8,
  operatorFeeConstant: 8,
  minBaseFee: 8,
  maxResourceLimit: 4,
  basefeeScalar: 4,
  blobbasefeeScalar: 4,
  eip1559Denominator: 4,
  eip1559Elasticity: 4,
  operatorFeeScalar: 4,
  daFootprintGasScalar: 2,
};

/** A stand-in for the slot's value while constructors run: recognisable wherever it lands in code or storage. */
export function stand(slot: string): `0x${string}` {
  const bytes = SLOTS[slot];
  if (bytes === undefined) throw new Error(`no slot is called "${slot}"`);
  // Timestamps are compared and added, so words stay below 2^128 unless they are opaque.
  const digits = keccak256(toHex(`rollup-devnet slot ${slot}`)).slice(2);
  const width = NUMBERS.get(slot);
  if (width !== undefined) return `0x${digits.slice(0, width * 2).padStart(64, '0')}`;
  return `0x${digits.slice(0, bytes * 2)}`;
}

/** Slots whose stand-ins take part in arithmetic, each with the bytes of its stand-in that are not zero. */
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...['submissionInterval', 'l2BlockTime', 'startingTimestamp', 'finalizationPeriodSeconds'].map(
    (slot) => [slot, 12] as const,
  ),
  ...['proofMaturityDelaySeconds', 'disputeGameFinalityDelaySeconds'].map((slot) => [slot, 12] as const),
  ['gameDuration', 8],
]);

/** Slots that are opaque words to the contracts. */
const OPAQUE_SLOTS = new Set(['batcherHash', 'startingRoot']);

/** Resolves `$name` to that slot's stand-in, also inside objects and lists; leaves everything else as it is. */
export function resolve(value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith('$')) {
    const slot = value.slice(1);
    return SLOTS[slot] === 20 || OPAQUE_SLOTS.has(slot) ? stand(slot) : BigInt(stand(slot));
  }
  if (Array.isArray(value)) return value.map(resolve);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, resolve(inner)]));
}

// Long stand-ins first, so that none is found inside another.
const PATTERNS = Object.keys(SLOTS)
  .map((slot) => ({ slot, digits: stand(slot).slice(2) }))
  .sort((a, b) => b.digits.length - a.digits.length);

/**
 * Finds the stand-ins in hex digits and turns them into slots.
 * Slots narrower than 8 bytes are searched only in storage words.
 */
export class Templater {
  readonly counts = new Map<string, number>();

  /** What was templated already: a state that is built for every system of withdrawals counts once. */
  readonly #templates = new Map<string, Template>();

  template(digits: string, kind: 'code' | 'word' | 'address'): Template {
    const key = `${kind} ${digits}`;
    const template = this.#templates.get(key) ?? this.#template(digits, kind);
    this.#templates.set(key, template);
    return template;
  }

  #template(digits: string, kind: 'code' | 'word' | 'address'): Template {
    let parts: (string | { slot: string })[] = [digits];
    for (const pattern of PATTERNS) {
      if (kind !== 'word' && pattern.digits.length < 32) continue;
      parts = parts.flatMap((part) => (typeof part === 'string' ? this.#split(part, pattern) : [part]));
    }
    return parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : parts;
  }

  #split(text: string, pattern: { slot: string; digits: string }): (string | { slot: string })[] {
    const out: (string | { slot: string })[] = [];
    let from = 0;
    for (let at = text.indexOf(pattern.digits); at >= 0; at = text.indexOf(pattern.digits, at + 1)) {
      if (at % 2 !== 0 || at < from) continue;
      if (at > from) out.push(text.slice(from, at));
      out.push({ slot: pattern.slot });
      this.counts.set(pattern.slot, (this.counts.get(pattern.slot) ?? 0) + 1);
      from = at + pattern.digits.length;
    }
    if (from < text.length) out.push(text.slice(from));
    return out;
  }

  /** @throws Error if a slot was never found, or a narrow one more than once (a stand-in is lost or ambiguous) */
  check(): void {
    for (const [slot, bytes] of Object.entries(SLOTS)) {
      const times = this.counts.get(slot) ?? 0;
      if (times === 0) throw new Error(`slot "${slot}" occurs nowhere in the genesis state`);
      if (bytes < 8 && times > 1) throw new Error(`slot "${slot}" was taken for ${times} places in storage`);
    }
  }
}
