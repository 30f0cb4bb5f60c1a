import { describe, expect, it } from 'vitest';
import { readBlobTransaction } from '../../../../../src/nodes/execution/pool/blobs/blob-transaction.ts';
import { PoolError } from '../../../../../src/nodes/execution/pool/pool-error.ts';
import { versionedHash } from '../../../../../src/nodes/kzg/kzg.ts';
import { signTransaction } from '../../../../../src/nodes/txmgr/transaction.ts';
import {
  type BlobSidecar,
  joinBlobTransaction,
  splitBlobTransaction,
} from '../../../../../src/protocol/codec/blobs/sidecar.ts';
import { hexToBytes } from '../../../../../src/protocol/hex.ts';
import { INBOX, L1_CHAIN_ID, SENDERS } from '../../support/l1-genesis.ts';

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

/** Reads a transaction whose sidecar was verified before. */
const read = (count: number, sidecar: BlobSidecar, parameters = CANCUN) =>
  readBlobTransaction(joinBlobTransaction({ raw: raws[count]!, sidecar }), parameters, { get: () => sidecar });
const problem = (why: string) => ({ name: 'PoolError', problem: { kind: 'blobs', why } });

describe('a blob transaction in its network form', () => {
  it.each([
    [1, 0, CANCUN],
    [2, 0, CANCUN],
    [2, 0, OSAKA],
    [2, 1, OSAKA],
  ] as const)('of %i blobs and version %i is read, and not verified again', async (count, version, parameters) => {
    const sidecar = sidecarOf(count, version);
    const sent = await read(count, sidecar, parameters);
    expect(sent.sidecar).toEqual(sidecar);
    expect(sent.transaction.raw).toEqual(raws[count]);
  });

  const one = sidecarOf(1);
  const mismatch = `mismatches transaction one ${versionedHash(COMMITMENTS[0]!)}`;
  it.each<[string, number, BlobSidecar, string]>([
    ['no blobs', 0, sidecarOf(0), 'blobless blob transaction'],
    ['more blobs than it may have', 3, sidecarOf(3), 'too many blobs in transaction: have 3, permitted 2'],
    ['the form of a later fork', 1, sidecarOf(1, 1), 'invalid sidecar version pre-osaka: 1'],
    [
      'a blob too many',
      1,
      { ...one, blobs: sidecarOf(2).blobs },
      'invalid number of 2 blobs compared to 1 blob hashes',
    ],
    [
      'a commitment too many',
      1,
      { ...one, commitments: sidecarOf(2).commitments },
      'invalid number of 1 blobs compared to 1 blob hashes',
    ],
    ['a proof too few', 1, { ...one, proofs: [] }, 'invalid number of 0 blob proofs expected 1'],
    ['a blob of another size', 2, { ...sidecarOf(2), blobs: [bytes(131_072, 0), bytes(31, 0)] }, 'not 131072 bytes'],
    ['another commitment', 1, { ...one, commitments: [OTHER] }, `computed hash ${versionedHash(OTHER)} ${mismatch}`],
    [
      'another second commitment',
      2,
      { ...sidecarOf(2), commitments: [COMMITMENTS[0]!, OTHER] },
      `blob 1: computed hash ${versionedHash(OTHER)}`,
    ],
  ])('with %s is refused', async (_, count, sidecar, why) => {
    await expect(read(count, sidecar)).rejects.toMatchObject(problem(expect.stringContaining(why)));
  });

  it('with the proofs of blobs instead of cells is refused, and the other way round', async () => {
    const cells = sidecarOf(2, 1);
    const few = { ...cells, proofs: cells.proofs.slice(1) };
    await expect(read(2, few, OSAKA)).rejects.toMatchObject(problem('invalid number of 255 blob proofs expected 256'));
    const many = { ...cells, version: 0 } as const;
    await expect(read(2, many, OSAKA)).rejects.toMatchObject(problem('invalid number of 256 blob proofs expected 2'));
  });

  it('without a sidecar, or with one of an unknown version, is refused', async () => {
    const parse = (network: Uint8Array) => readBlobTransaction(network, CANCUN, { get: () => undefined });
    await expect(parse(raws[1]!)).rejects.toMatchObject(problem('missing sidecar in blob transaction'));
    const network = joinBlobTransaction({ raw: raws[1]!, sidecar: { ...one, version: 2 as never } });
    await expect(parse(network)).rejects.toMatchObject(problem(expect.stringContaining('wrapper version 2')));
    const malformed = parse(Uint8Array.of(3, 0xc1));
    await expect(malformed).rejects.toMatchObject({ code: 'rlp-malformed' });
    await expect(malformed).rejects.not.toBeInstanceOf(PoolError);
  });
});
