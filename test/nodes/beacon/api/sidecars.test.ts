import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BeaconConfig } from '../../../../src/nodes/beacon/beacon.ts';
import { forksAtGenesis } from '../../../../src/nodes/beacon/chain/l1-forks.ts';
import { type RunningBeacon, startBeacon } from '../../../../src/nodes/beacon/service.ts';
import { loadKzgVerifier, versionedHash } from '../../../../src/nodes/kzg/kzg.ts';
import { beaconClient } from '../../../../src/nodes/rollup/l1/beacon-client.ts';
import { blobSource } from '../../../../src/nodes/rollup/l1/blobs.ts';
import { L1Client } from '../../../../src/nodes/rollup/l1/client.ts';
import { limitedRequests } from '../../../../src/nodes/rollup/l1/requests.ts';
import { makeSidecar } from '../../../../src/nodes/txmgr/blob-sidecar.ts';
import { signTransaction } from '../../../../src/nodes/txmgr/transaction.ts';
import { decodeBlob, encodeBlob } from '../../../../src/protocol/codec/blob.ts';
import { L1_HARDFORKS } from '../../../../src/protocol/genesis/inputs.ts';
import { sha256 } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex, L1Transaction } from '../../../../src/protocol/types.ts';
import { manualClock, memoryLog, until } from '../../batcher/helpers.ts';
import { ACCOUNTS, CHAIN_ID, GENESIS_TIME, startAnvil, type TestAnvil, temporaryFolder } from '../anvil.ts';
import { CELL_PROOF_TEXTS, CELL_PROOF_TRANSACTION } from '../cell-proofs.ts';

const FEES = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n, maxFeePerBlobGas: 10n ** 10n };
const INBOX = '0xff00000000000000000000000000000000000901';
/** The fork at which cell proofs are turned into blob proofs, which takes seconds. */
const PROVEN = L1_HARDFORKS.at(-1);

interface Sidecar {
  readonly index: string;
  readonly blob: Hex;
  readonly kzg_commitment: Hex;
  readonly kzg_proof: Hex;
  readonly signed_block_header: { readonly message: Readonly<Record<'slot' | 'body_root', string>> };
  readonly kzg_commitment_inclusion_proof: readonly Hex[];
}

/** Two transactions of the batcher with a blob each. They are the same on every L1: their proofs are computed once. */
const BATCHES = ['of the batcher', 'of the batcher too'].map(async (text, nonce) => {
  const sidecar = await makeSidecar([encodeBlob(new TextEncoder().encode(text))]);
  const data = new Uint8Array(0);
  const unsigned = { chainId: CHAIN_ID, nonce, gas: 30_000, to: INBOX, data, fees: FEES, sidecar } as const;
  return signTransaction(ACCOUNTS[0]!, unsigned).raw;
});

const readable = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe.each(L1_HARDFORKS)(
  "an L1 block of %s with the batcher's blobs and a stranger's with cell proofs",
  (hardfork) => {
    /** Indices of the blobs whose sidecars are requested. */
    const indices = hardfork === PROVEN ? [0, 1, 2, 3] : [0, 3];
    const clock = manualClock(GENESIS_TIME);
    const { log } = memoryLog();
    let anvil: TestAnvil;
    let beacon: RunningBeacon;
    let block: { readonly hash: Hex };

    const answer = async <Body>(path: string): Promise<Body> => {
      const response = await fetch(`http://127.0.0.1:${beacon.port}/eth/v1/${path}`);
      return (await response.json()) as Body;
    };
    const get = async <Data>(path: string) => (await answer<{ data: Data }>(path)).data;
    const clientOver = () =>
      new L1Client({
        request: limitedRequests(anvil.rpc, { maxBatch: 20, maxConcurrency: 10, ratePerSecond: 0 }),
        cacheSize: 10,
        trusted: false,
        kind: 'standard',
      });
    const blobHashes = (transactions: readonly L1Transaction[]) =>
      transactions.flatMap(({ blobVersionedHashes = [] }) => blobVersionedHashes);

    beforeAll(async () => {
      anvil = await startAnvil({ hardfork, trustsBlobs: true });
      const config: BeaconConfig = {
        l1: anvil.url,
        chainId: CHAIN_ID,
        genesisHash: undefined,
        forks: forksAtGenesis(hardfork),
        genesisTime: GENESIS_TIME,
        secondsPerSlot: 2,
        mine: true,
        maxCatchUp: 32,
        datadir: temporaryFolder(),
        host: '127.0.0.1',
        port: 0,
        version: 'test',
      };
      beacon = await startBeacon(config, clock, log);
      const send = (raw: Hex) => anvil.rpc.call('eth_sendRawTransaction', [raw]);
      await send(await BATCHES[0]!);
      await send(CELL_PROOF_TRANSACTION);
      await send(await BATCHES[1]!);
      clock.moveTo(GENESIS_TIME + 2);
      await until('slot 1', async () => (await get<{ head_slot: string }>('node/syncing')).head_slot === '1');
      block = await anvil.rpc.call('eth_getBlockByNumber', ['0x1', true]);
    }, 300_000);
    afterAll(async () => {
      await beacon.stop();
      await anvil.kill();
    });

    it('has the consensus fork that the beacon API names', async () => {
      const epochs = ['DENEB', 'ELECTRA', 'FULU'].map((name) => `${name}_FORK_EPOCH`);
      const spec = await get<Record<string, string>>('config/spec');
      const active = epochs.filter((key) => spec[key] === '0');
      expect(active).toEqual(epochs.slice(0, L1_HARDFORKS.indexOf(hardfork) + 1));
      const { version } = await answer<{ version: string }>('beacon/blob_sidecars/1?indices=0');
      expect(`${version.toUpperCase()}_FORK_EPOCH`).toBe(active.at(-1));
    });

    it('passes the checks of the rollup node, transactions and receipts', async () => {
      const transactions = await clientOver().transactions(block.hash);
      expect(transactions?.map(({ blobVersionedHashes = [] }) => blobVersionedHashes.length)).toEqual([1, 2, 1]);
      expect(await clientOver().receipts(block.hash)).toHaveLength(3);
    });

    it('has all its blobs in the beacon API, and sidecars with valid proofs', async () => {
      const hashes = blobHashes((await clientOver().transactions(block.hash))!);
      const blobs = await get<Hex[]>('beacon/blobs/1');
      expect(readable(decodeBlob(hexToBytes(blobs[0]!)))).toBe('of the batcher');
      for (const [at, text] of CELL_PROOF_TEXTS.entries())
        expect(readable(hexToBytes(blobs[at + 1]!))).toContain(text.slice(0, 20));
      expect(await get(`beacon/blobs/1?versioned_hashes=${hashes[2]},${hashes[3]}`)).toEqual(blobs.slice(2));

      const kzg = await loadKzgVerifier();
      const path = hardfork === PROVEN ? 'beacon/blob_sidecars/1' : `beacon/blob_sidecars/1?indices=${indices}`;
      const sidecars = await get<Sidecar[]>(path);
      expect(sidecars.map(({ index }) => Number(index))).toEqual(indices);
      for (const sidecar of sidecars) {
        const { index, blob, kzg_commitment, kzg_proof, signed_block_header: header } = sidecar;
        const at = Number(index);
        expect(blob).toBe(blobs[at]);
        const commitment = hexToBytes(kzg_commitment);
        expect(versionedHash(commitment)).toBe(hashes[at]);
        expect(kzg.verifyBlob(hexToBytes(blob), commitment, hexToBytes(kzg_proof)), `proof of blob ${at}`).toBe(true);
        expect(header.message.slot).toBe('1');
        expect(rootOfBranch(commitment, at, sidecar.kzg_commitment_inclusion_proof)).toBe(header.message.body_root);
      }
      const last = sidecars.at(-2)!;
      expect(await get(`beacon/blob_sidecars/head?indices=${last.index}`)).toEqual([last]);
    });

    it('gives derivation all its blobs, from either kind of sidecar', async () => {
      const client = clientOver();
      const hashes = blobHashes((await client.transactions(block.hash))!);
      const kzg = await loadKzgVerifier();
      const url = `http://127.0.0.1:${beacon.port}`;
      const blobs = blobSource([beaconClient(url)], async (...blob) => kzg.verifyBlob(...blob), log);
      const header = (await client.headerByHash(block.hash))!;
      const got = await blobs(
        header,
        indices.map((index) => ({ hash: hashes[index]!, index })),
      );
      const all = await get<Hex[]>('beacon/blobs/1');
      expect(got?.map(bytesToHex)).toEqual(indices.map((index) => all[index]));
    });
  },
);

/** Computes the root of the Merkle branch of commitment `index` (consensus specification: is_valid_merkle_branch). */
function rootOfBranch(commitment: Uint8Array, index: number, branch: readonly Hex[]): Hex {
  const hash = (left: Uint8Array, right: Uint8Array) => sha256(new Uint8Array([...left, ...right]));
  const padded = new Uint8Array(64);
  padded.set(commitment);
  let node = sha256(padded);
  // Leaves of the list, its length, then the body's field 11.
  let at = index + 2 ** 13 * 11;
  for (const sibling of branch) {
    node = at & 1 ? hash(hexToBytes(sibling), node) : hash(node, hexToBytes(sibling));
    at >>= 1;
  }
  return bytesToHex(node);
}
