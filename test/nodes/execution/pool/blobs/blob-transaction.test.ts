import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { joinBlobTransaction, splitBlobTransaction } from '../../../../../src/protocol/codec/blobs/sidecar.ts';
import { keccak256 } from '../../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes, quantity } from '../../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../../src/protocol/types.ts';
import { CELL_PROOF_TRANSACTION } from '../../../beacon/cell-proofs.ts';
import { GENESIS_TIME } from '../../support/genesis.ts';
import { L1_GENESIS as GENESIS, INBOX, OSAKA_SLOT, L1_SLOT as SLOT, withBlobs } from '../../support/l1-genesis.ts';
import { launch, type TestNode, temporaryFolder } from '../../support/nodes.ts';

const ROOT: Hex = `0x${'77'.repeat(32)}`;

interface Bundle {
  readonly commitments: readonly Hex[];
  readonly proofs: readonly Hex[];
  readonly blobs: readonly Hex[];
}
interface Payload {
  readonly executionPayload: {
    readonly blockHash: Hex;
    readonly transactions: readonly Hex[];
    readonly excessBlobGas: Hex;
  };
  readonly blobsBundle: Bundle;
  readonly executionRequests: readonly Hex[];
}

/** Makes the block of a slot on the head, as a consensus client does. */
async function makeBlock({ engine, rpc }: TestNode, slot: number, version: 4 | 5): Promise<Payload> {
  const { hash } = await rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['latest', false]);
  const stateOf = (head: Hex) => ({ headBlockHash: head, safeBlockHash: hash, finalizedBlockHash: hash });
  const attributes = {
    timestamp: quantity(GENESIS_TIME + slot * SLOT),
    prevRandao: ROOT,
    suggestedFeeRecipient: INBOX,
    withdrawals: [],
    parentBeaconBlockRoot: ROOT,
  };
  const { payloadId } = await engine.call<{ payloadId: Hex }>('engine_forkchoiceUpdatedV3', [
    stateOf(hash),
    attributes,
  ]);
  const payload = await engine.call<Payload>(`engine_getPayloadV${version}`, [payloadId], { timeoutMs: 120_000 });
  const { executionPayload, executionRequests, blobsBundle } = payload;
  const hashes = executionPayload.transactions.flatMap((raw) => hashesOf(raw));
  expect(hashes).toHaveLength(blobsBundle.blobs.length);
  const parameters = [executionPayload, hashes, ROOT, executionRequests];
  expect(await engine.call('engine_newPayloadV4', parameters)).toMatchObject({ status: 'VALID' });
  await engine.call('engine_forkchoiceUpdatedV3', [stateOf(executionPayload.blockHash), null]);
  return payload;
}

const sent: Record<Hex, readonly Hex[]> = {};
const hashesOf = (raw: Hex) => sent[raw] ?? [];

/** Sends the network form and remembers the versioned hashes by the form of a block. */
async function send({ rpc }: TestNode, network: Uint8Array): Promise<Hex> {
  const hash = await rpc.call<Hex>('eth_sendRawTransaction', [bytesToHex(network)], { timeoutMs: 120_000 });
  const { blobVersionedHashes } = await rpc.call<{ blobVersionedHashes: Hex[] }>('eth_getTransactionByHash', [hash]);
  sent[bytesToHex(splitBlobTransaction(network)!.raw)] = blobVersionedHashes;
  return hash;
}

describe.each(['go', 'rust'] as const)('the pool of an L1 in the %s flavour', (flavour) => {
  let node: TestNode;
  const datadir = temporaryFolder();
  const journal = { path: `${datadir}/transactions.rlp`, rewriteAfter: 60_000 };
  beforeAll(async () => {
    node = await launch(GENESIS, { flavour, datadir, keep: true, pool: { journal } });
  });
  afterAll(() => node[Symbol.asyncDispose]());

  it('refuses blobs that are not what their transaction says', async () => {
    const network = await withBlobs(0, 0, 'one');
    const { raw, sidecar } = splitBlobTransaction(network)!;
    const other = splitBlobTransaction(await withBlobs(0, 0, 'two'))!.sidecar;
    const attempt = (changes: object) => {
      const bytes = joinBlobTransaction({ raw, sidecar: { ...sidecar, ...changes } });
      return node.rpc.call('eth_sendRawTransaction', [bytesToHex(bytes)]);
    };
    await expect(node.rpc.call('eth_sendRawTransaction', [bytesToHex(raw)])).rejects.toThrow('missing sidecar');
    await expect(attempt({ commitments: other.commitments })).rejects.toThrow('mismatches transaction one');
    await expect(attempt({ blobs: other.blobs })).rejects.toThrow('invalid blob proof');
    await expect(attempt({ proofs: other.proofs })).rejects.toThrow('invalid blob proof');
    await expect(attempt({ blobs: [...sidecar.blobs, ...other.blobs] })).rejects.toThrow('invalid number of 2 blobs');
    await expect(attempt({ proofs: [] })).rejects.toThrow('invalid number of 0 blob proofs expected 1');
    await expect(attempt({ blobs: [new Uint8Array(31)] })).rejects.toThrow('not 131072 bytes');
    await expect(node.rpc.call('eth_sendRawTransaction', ['0x03c0'])).rejects.toThrow();
    const three = await withBlobs(0, 0, 'a', 'b', 'c');
    await expect(node.rpc.call('eth_sendRawTransaction', [bytesToHex(three)])).rejects.toThrow('permitted 2');
    expect(await node.rpc.call('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' });
  });

  it('refuses cell proofs before osaka', async () => {
    await expect(node.rpc.call('eth_sendRawTransaction', [CELL_PROOF_TRANSACTION])).rejects.toThrow(
      'invalid sidecar version pre-osaka: 1',
    );
  });

  it('serves the blobs of a payload in order, at most as many as the schedule says', async () => {
    const networks = [await withBlobs(0, 0, 'one', 'two'), await withBlobs(1, 0, 'three')];
    const sidecars = networks.map((network) => splitBlobTransaction(network)!.sidecar);
    const hashes = [await send(node, networks[0]!), await send(node, networks[1]!)];
    expect(hashes).toEqual(networks.map((network) => keccak256(splitBlobTransaction(network)!.raw)));
    const first = await makeBlock(node, 1, 4);
    const second = await makeBlock(node, 2, 4);
    const bundles = [first, second].map(({ blobsBundle }) => blobsBundle);
    const expected = (bundles[0]!.blobs.length === 2 ? sidecars : [...sidecars].reverse()).map((sidecar) => ({
      blobs: sidecar.blobs.map(bytesToHex),
      commitments: sidecar.commitments.map(bytesToHex),
      proofs: sidecar.proofs.map(bytesToHex),
    }));
    expect(bundles).toEqual(expected);
  });

  it('keeps waiting blobs over a restart, and proves their cells when osaka begins', async () => {
    await send(node, await withBlobs(0, 1, 'four'));
    await node[Symbol.asyncDispose]();
    node = await launch(GENESIS, { flavour, datadir, pool: { journal } });
    const { blobsBundle } = await makeBlock(node, OSAKA_SLOT, 5);
    expect(blobsBundle.blobs).toHaveLength(1);
    expect(blobsBundle.proofs).toHaveLength(128);
    // The sidecar that a wallet with cell proofs sends: a fork takes both forms from now on.
    await send(node, hexToBytes(CELL_PROOF_TRANSACTION));
    const given = splitBlobTransaction(hexToBytes(CELL_PROOF_TRANSACTION))!.sidecar;
    const next = await makeBlock(node, OSAKA_SLOT + 1, 5);
    expect(next.blobsBundle.proofs).toEqual(given.proofs.map(bytesToHex));
    await send(node, await withBlobs(0, 2, 'four'));
    expect((await makeBlock(node, OSAKA_SLOT + 2, 5)).blobsBundle).toEqual(blobsBundle);
  });

  it('refuses cell proofs that are those of another blob', async () => {
    const { raw, sidecar } = splitBlobTransaction(hexToBytes(CELL_PROOF_TRANSACTION))!;
    const proofs = [...sidecar.proofs.slice(128), ...sidecar.proofs.slice(0, 128)];
    const bytes = joinBlobTransaction({ raw, sidecar: { ...sidecar, proofs } });
    await expect(node.rpc.call('eth_sendRawTransaction', [bytesToHex(bytes)])).rejects.toThrow('invalid blob proof');
  });
});
