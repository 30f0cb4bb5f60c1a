import type { L1Forks } from '../../../protocol/forks/l1-forks.ts';
import { lowerHex } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import type { FileStore } from '../../../system/files/line-file.ts';
import type { SlotChain } from '../chain/chain.ts';

/** An answer of the beacon API. */
export interface Answer {
  readonly status: number;
  readonly body?: unknown;
}

/** The state that the API reads. */
export interface BeaconState {
  readonly version: string;
  readonly secondsPerSlot: number;
  readonly chainId: number;
  readonly forks: L1Forks;
  /** Unix seconds; undefined until L1 has answered. */
  readonly genesisTime: number | undefined;
  /** Undefined until L1 has answered. */
  readonly chain: SlotChain | undefined;
  readonly blobTransactions: FileStore;
  /** Blocks of the journal that L1 still lacks; 0 when in sync, undefined while L1 does not answer. */
  readonly distance: number | undefined;
  /** Slot of the network clock. */
  currentSlot(): number;
}

/** An error of the beacon API. */
export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
  }
}

/** Returns a successful answer. */
export const ok = (body: unknown): Answer => ({ status: 200, body });

/** Returns the chain once L1 has all of it. @throws ApiError 503 */
export function readyChain(state: BeaconState): SlotChain {
  if (state.chain !== undefined && state.distance === 0) return state.chain;
  throw new ApiError(
    503,
    state.distance === undefined
      ? 'SERVICE_UNAVAILABLE: L1 does not answer yet'
      : `SERVICE_UNAVAILABLE: L1 is being given ${state.distance} blocks again`,
  );
}

/**
 * Resolves a block id to a slot (lodestar: `resolveBlockId`, lighthouse: `BlockId`).
 * @throws ApiError 400, or 404 if there is no such block
 */
export function slotOf(chain: SlotChain, id: string): number {
  if (id === 'head') return chain.headSlot;
  if (id === 'genesis') return 0;
  if (id === 'justified') return chain.slotBehindHead(1);
  if (id === 'finalized') return chain.slotBehindHead(2);
  if (/^\d{1,15}$/.test(id)) return Number(id);
  if (/^0x[0-9a-fA-F]{64}$/.test(id))
    throw new ApiError(404, `NOT_FOUND: blocks are found by slot here, not by root ${id}`);
  throw new ApiError(400, `BAD_REQUEST: expected a slot, head, genesis, justified, finalized or a root, found ${id}`);
}

/** Returns the values of a query parameter, repeated or comma-separated. */
export function listOf(query: URLSearchParams, name: string): readonly string[] | undefined {
  const values = query.getAll(name).flatMap((text) => text.split(','));
  return values.length === 0 || (values.length === 1 && values[0] === '') ? undefined : values;
}

/** Returns the versioned hashes of a query. @throws ApiError 400 */
export function hashesOf(query: URLSearchParams): readonly Hex[] | undefined {
  const hashes = listOf(query, 'versioned_hashes');
  const bad = hashes?.find((hash) => !/^0x[0-9a-fA-F]{64}$/.test(hash));
  if (bad !== undefined) throw new ApiError(400, `BAD_REQUEST: ${bad} is not a versioned hash`);
  return hashes?.map((hash) => lowerHex(hash));
}
