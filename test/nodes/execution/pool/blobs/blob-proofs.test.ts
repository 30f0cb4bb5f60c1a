import { describe, expect, it } from 'vitest';
import { readBlobTransaction } from '../../../../../src/nodes/execution/pool/blobs/blob-transaction.ts';
import { versionedHash } from '../../../../../src/nodes/kzg/kzg.ts';
import { signTransaction } from '../../../../../src/nodes/txmgr/transaction.ts';
import {
  type BlobSidecar,
  joinBlobTransaction,
  splitBlobTransaction,
} from '../../../../../src/protocol/codec/blobs/sidecar.ts';
import { bytesToHex, hexToBytes } from '../../../../../src/protocol/hex.ts';
import { CELL_PROOF_TRANSACTION } from '../../../beacon/cell-proofs.ts';
import { INBOX, L1_CHAIN_ID, SENDERS, withBlobs } from '../../support/l1-genesis.ts';

const CANCUN = { max: 6, target: 3, maxPerTransaction: 2, updateFraction: 1, cellProofs: false } as never;
const OSAKA = { ...(CANCUN as object), cellProofs: true } as never;
const bytes = (length: number, byte: number) => new Uint8Array(length).fill(byte);
const COMMITMENTS = [1, 2, 3].map((byte) => bytes(48, byte));
const OTHER = bytes(48, 9);

/** A sidecar with these commitments, whose blobs and proofs are not those of the commitments. */
const sidecarOf = (count: number, version: 0 | 1 = 0): BlobSidecar => ({
  version,
  blobs: COMMITMENTS.slice(0, count).map((_, at) => bytes(131_072, at)),
  commitments: COMMITMENTS.slice(0, count),
  proofs: Array.from({ length: version === 1 ? 128 * count : count }, (_, at) => bytes(48, at)),
});

/** A transaction with the hashes of these commitments, in the form of a block. */
function rawOf(commitments: readonly Uint8Array[]): Uint8Array {
  const sidecar = { blobs: [], commitments, proofs: [], versionedHashes: commitments.map(versionedHash) };
  const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n, maxFeePerBlobGas: 3n };
  const fields = { chainId: L1_CHAIN_ID, nonce: 0, gas: 21_000, to: INBOX, data: new Uint8Array() };
  return splitBlobTransaction(hexToBytes(signTransaction(SENDERS[0]!, { ...fields, fees, sidecar }).raw))!.raw;
}
const raws = [0, 1, 2, 3].map((count) => rawOf(COMMITMENTS.slice(0, count)));

const problem = (why: string) => ({ name: 'PoolError', problem: { kind: 'blobs', why } });

describe('the blobs of a transaction', () => {
  it('are verified unless a sidecar of the same bytes was before', async () => {
    const sidecar = sidecarOf(1);
    const network = joinBlobTransaction({ raw: raws[1]!, sidecar });
    const [byte, length] = [Uint8Array.of(1), (list: readonly Uint8Array[]) => [...list, OTHER]];
    const others: (BlobSidecar | undefined)[] = [
      undefined,
      { ...sidecar, blobs: [bytes(131_072, 8)] },
      { ...sidecar, commitments: [OTHER] },
      { ...sidecar, proofs: [OTHER] },
      { ...sidecar, proofs: [byte] },
      { ...sidecar, proofs: length(sidecar.proofs) },
    ];
    for (const earlier of others)
      await expect(readBlobTransaction(network, CANCUN, { get: () => earlier })).rejects.toMatchObject(
        problem(expect.stringContaining('blob 0 is not what its commitment says')),
      );
  });

  it('are verified when one of two blobs is another than before', async () => {
    const sidecar = sidecarOf(2);
    const network = joinBlobTransaction({ raw: raws[2]!, sidecar });
    const earlier = { ...sidecar, blobs: [sidecar.blobs[0]!, bytes(131_072, 8)] };
    await expect(readBlobTransaction(network, CANCUN, { get: () => earlier })).rejects.toMatchObject(
      problem(expect.stringContaining('blob 0 is not what its commitment says')),
    );
  });

  it('are those of their commitments by the proof of each', async () => {
    const network = await withBlobs(0, 0, 'one', 'two');
    const { raw, sidecar } = splitBlobTransaction(network)!;
    const none = { get: () => undefined };
    const sent = await readBlobTransaction(network, CANCUN, none);
    expect(bytesToHex(joinBlobTransaction({ raw, sidecar: sent.sidecar }))).toBe(bytesToHex(network));
    const swapped = { ...sidecar, proofs: sidecar.proofs.toReversed() };
    await expect(
      readBlobTransaction(joinBlobTransaction({ raw, sidecar: swapped }), CANCUN, none),
    ).rejects.toMatchObject(problem(expect.stringContaining('invalid blob proof: blob 0')));
  });

  it('are those of their commitments by the proofs of their cells', async () => {
    const network = hexToBytes(CELL_PROOF_TRANSACTION);
    const { raw, sidecar } = splitBlobTransaction(network)!;
    const none = { get: () => undefined };
    expect((await readBlobTransaction(network, OSAKA, none)).sidecar.version).toBe(1);
    const proofs = [...sidecar.proofs.slice(0, 128), ...sidecar.proofs.slice(0, 128)];
    await expect(
      readBlobTransaction(joinBlobTransaction({ raw, sidecar: { ...sidecar, proofs } }), OSAKA, none),
    ).rejects.toMatchObject(problem(expect.stringContaining('invalid blob proof: blob 1')));
  });
});
