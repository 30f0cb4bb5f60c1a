import { consensusFork } from '../../../protocol/forks/consensus.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import type { ChainBlock } from '../chain/chain.ts';
import { type Answer, ApiError, type BeaconState, hashesOf, listOf, ok, readyChain, slotOf } from './api-state.ts';
import { blobProof } from './proofs.ts';
import { blobsOf, headerOf, type SlotBlob, sidecars, signedHeader } from './sidecars.ts';
import { configSpec } from './spec.ts';

/** A GET route. `parts` holds the values of the `{name}` parts of its path in order. */
export interface Route {
  readonly path: string;
  readonly summary: string;
  handle(state: BeaconState, parts: readonly string[], query: URLSearchParams): Answer | Promise<Answer>;
}

const ROOT_ZERO = `0x${'00'.repeat(32)}`;

/**
 * The routes that rollup nodes and wallet tools use, with the paths of ethereum/beacon-APIs.
 * Their operations there: `getGenesis`, `getSpec`, `getNodeVersion`, `getNetworkIdentity`, `getHealth`,
 * `getSyncingStatus`, `getBlockHeaders`, `getBlockHeader`, `getBlobSidecars`, `getBlobs`.
 */
export const ROUTES: readonly Route[] = [
  {
    path: '/eth/v1/beacon/genesis',
    summary: 'Genesis time',
    handle: ({ genesisTime }) => {
      if (genesisTime === undefined) throw new ApiError(503, 'SERVICE_UNAVAILABLE: L1 does not answer yet');
      return ok({
        data: {
          genesis_time: String(genesisTime),
          genesis_validators_root: ROOT_ZERO,
          genesis_fork_version: '0x00000000',
        },
      });
    },
  },
  {
    path: '/eth/v1/config/spec',
    summary: 'Seconds per slot and the other constants',
    handle: ({ secondsPerSlot, chainId, forks, genesisTime = 0 }) =>
      ok({ data: configSpec({ secondsPerSlot, chainId, forks, genesisTime }) }),
  },
  {
    path: '/eth/v1/node/version',
    summary: 'Name and version of this program',
    handle: ({ version }) => ok({ data: { version: `l1-beacon/${version}` } }),
  },
  {
    path: '/eth/v1/node/identity',
    summary: 'Empty identity: there is no consensus network',
    handle: () => ok({ data: { peer_id: '', enr: '', p2p_addresses: [], discovery_addresses: [], metadata: {} } }),
  },
  {
    path: '/eth/v1/node/health',
    summary: '200 in step with L1, 206 while L1 is given its blocks again, 503 without L1',
    handle: ({ distance }) => ({ status: distance === undefined ? 503 : distance === 0 ? 200 : 206 }),
  },
  {
    path: '/eth/v1/node/syncing',
    summary: 'How far L1 is behind the journal',
    handle: ({ chain, distance }) =>
      ok({
        data: {
          head_slot: String(chain?.headSlot ?? 0),
          sync_distance: String(distance ?? 0),
          is_syncing: distance !== 0,
          is_optimistic: false,
          el_offline: distance === undefined,
        },
      }),
  },
  {
    path: '/eth/v1/beacon/headers',
    summary: 'Header of the head',
    handle: async (state) => ok({ ...FLAGS, data: [await header(state, 'head')] }),
  },
  {
    path: '/eth/v1/beacon/headers/{block_id}',
    summary: 'Header of a slot',
    handle: async (state, [id = '']) => ok({ ...FLAGS, data: await header(state, id) }),
  },
  {
    path: '/eth/v1/beacon/blob_sidecars/{block_id}',
    summary: 'Blobs of a slot with commitments and proofs, all or those at the indices',
    handle: async (state, [id = ''], query) => {
      const texts = listOf(query, 'indices');
      const bad = texts?.find((text) => !/^\d{1,3}$/.test(text));
      if (bad !== undefined) throw new ApiError(400, `BAD_REQUEST: ${bad} is not a blob index`);
      const { slot, blocks } = await find(state, id);
      const indices = texts && new Set(texts.map(Number));
      const store = state.blobTransactions;
      const prove = (blob: SlotBlob) => blobProof(blob, store);
      const data = await sidecars(slot, blocks, blobsOf(blocks, store), prove, indices);
      const time = blocks[0]?.timestamp ?? 0;
      return ok({ version: consensusFork(state.forks, time), ...FLAGS, data });
    },
  },
  {
    path: '/eth/v1/beacon/blobs/{block_id}',
    summary: 'Blobs of a slot, all or those with the versioned hashes',
    handle: async (state, [id = ''], query) => {
      const hashes = hashesOf(query);
      const { blocks } = await find(state, id);
      const data = blobsOf(blocks, state.blobTransactions)
        .filter(({ versionedHash }) => hashes?.includes(versionedHash) ?? true)
        .map(({ blob }) => bytesToHex(blob));
      return ok({ ...FLAGS, data });
    },
  },
];

const FLAGS = { execution_optimistic: false, finalized: false };

/** Longest wait of a request for the block of the current slot, ms. */
const BLOCK_WAIT_MS = 1000;

/** Returns the blocks of a slot. @throws ApiError 404 if it has none */
async function find(state: BeaconState, id: string): Promise<{ slot: number; blocks: readonly ChainBlock[] }> {
  const chain = readyChain(state);
  const slot = slotOf(chain, id);
  if (slot > chain.headSlot && slot <= state.currentSlot()) await chain.reached(slot, BLOCK_WAIT_MS);
  const blocks = chain.blocksIn(slot);
  if (blocks.length === 0) throw new ApiError(404, `NOT_FOUND: no block in slot ${slot}, head is ${chain.headSlot}`);
  return { slot, blocks };
}

async function header(state: BeaconState, id: string): Promise<object> {
  const { slot, blocks } = await find(state, id);
  const commitments = blobsOf(blocks, state.blobTransactions).map(({ commitment }) => commitment);
  const view = headerOf(slot, blocks, commitments);
  return { root: view.root, canonical: true, header: signedHeader(view) };
}
