import { describe, expect, it } from 'vitest';
import {
  type BlobSidecar,
  joinBlobTransaction,
  splitBlobTransaction,
} from '../../../../src/protocol/codec/blobs/sidecar.ts';
import { type RlpInput, rlpEncode } from '../../../../src/protocol/codec/rlp.ts';

const PAYLOAD = [Uint8Array.of(9), [Uint8Array.of(8)], new Uint8Array()];
const [BLOBS, COMMITMENTS, PROOFS] = [1, 2, 3].map((kind) => [Uint8Array.of(kind, 1), Uint8Array.of(kind, 2)]);
const typed = (items: readonly RlpInput[]) => Uint8Array.of(3, ...rlpEncode(items));
const RAW = typed(PAYLOAD);
const sidecar = (version: 0 | 1): BlobSidecar => ({
  version,
  blobs: BLOBS!,
  commitments: COMMITMENTS!,
  proofs: PROOFS!,
});
const PARTS = [BLOBS!, COMMITMENTS!, PROOFS!];

describe('the network form of a blob transaction', () => {
  it.each<[string, 0 | 1, Uint8Array]>([
    ['EIP-4844', 0, typed([PAYLOAD, ...PARTS])],
    ['EIP-7594', 1, typed([PAYLOAD, Uint8Array.of(1), ...PARTS])],
  ])('of %s is split and joined', (_, version, network) => {
    expect(splitBlobTransaction(network)).toEqual({ raw: RAW, sidecar: sidecar(version) });
    expect(joinBlobTransaction({ raw: RAW, sidecar: sidecar(version) })).toEqual(network);
  });

  it.each([3, 6, 14])('is not that of a list of %i items', (length) => {
    expect(splitBlobTransaction(typed(Array.from({ length }, () => Uint8Array.of(1))))).toBeUndefined();
  });

  it.each<[string, RlpInput, number | undefined]>([
    ['2', Uint8Array.of(2), 2],
    ['zero without a byte', new Uint8Array(), undefined],
  ])('of the wrapper version %s is refused', (_, version, shown) => {
    expect(() => splitBlobTransaction(typed([PAYLOAD, version, ...PARTS]))).toThrow(`wrapper version ${shown}`);
  });

  it.each<[string, readonly RlpInput[], string]>([
    ['payload', [Uint8Array.of(1), ...PARTS], 'payload must be a list'],
    ['blobs', [PAYLOAD, Uint8Array.of(1), COMMITMENTS!, PROOFS!], 'blobs must be a list'],
    ['commitments', [PAYLOAD, BLOBS!, Uint8Array.of(1), PROOFS!], 'commitments must be a list'],
    ['proofs', [PAYLOAD, BLOBS!, COMMITMENTS!, Uint8Array.of(1)], 'proofs must be a list'],
    ['item', [PAYLOAD, BLOBS!, COMMITMENTS!, [[]]], 'item must be a byte string'],
    ['version', [PAYLOAD, [], ...PARTS], 'wrapper version must be a byte string'],
  ])('with another kind of %s is malformed', (_, items, problem) => {
    expect(() => splitBlobTransaction(typed(items))).toThrow(problem);
  });

  it('that is a byte string is malformed', () => {
    expect(() => splitBlobTransaction(Uint8Array.of(3, 0x80))).toThrow('blob transaction must be a list');
  });
});
