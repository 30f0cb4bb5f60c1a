import { createHash } from 'node:crypto';

/** SSZ hash-tree roots of the consensus objects in blob sidecars (consensus specification: Deneb, Electra). */

const ZERO = new Uint8Array(32);

/** Depths of the trees of at most 4096 commitments and of the body's fields. */
const COMMITMENTS_DEPTH = 12;
const BODY_DEPTH = 4;
/** Index of `blob_kzg_commitments` among the body's fields. */
const COMMITMENTS_FIELD = 11;

function hashPair(left: Uint8Array, right: Uint8Array): Uint8Array {
  return createHash('sha256').update(left).update(right).digest();
}

/** Encodes a number as a little-endian 32-byte chunk. */
export function numberChunk(value: number): Uint8Array {
  const chunk = new Uint8Array(32);
  new DataView(chunk.buffer).setBigUint64(0, BigInt(value), true);
  return chunk;
}

/**
 * Computes the root of a tree of 2^depth leaves, and the siblings on the path of `leaf` (lighthouse: `MerkleTree`).
 * Missing leaves are zero.
 */
export function merkleize(
  leaves: readonly Uint8Array[],
  depth: number,
  leaf = 0,
): { readonly root: Uint8Array; readonly branch: readonly Uint8Array[] } {
  const branch: Uint8Array[] = [];
  let level = leaves;
  let zero: Uint8Array = ZERO;
  for (let height = 0, at = leaf; height < depth; height++, at >>= 1) {
    branch.push(level[at ^ 1] ?? zero);
    const above: Uint8Array[] = [];
    for (let pair = 0; pair < level.length; pair += 2)
      above.push(hashPair(level[pair] ?? zero, level[pair + 1] ?? zero));
    level = above;
    zero = hashPair(zero, zero);
  }
  return { root: level[0] ?? zero, branch };
}

/**
 * Computes the root of a block body with only these KZG commitments, and the inclusion proof of one (17 hashes).
 * Counterparts: `computeInclusionProof` of lodestar, `kzg_commitment_merkle_proof` of lighthouse.
 */
export function bodyWithCommitments(
  commitments: readonly Uint8Array[],
  index = 0,
): { readonly root: Uint8Array; readonly proof: readonly Uint8Array[] } {
  const leaves = commitments.map((commitment) => {
    const padded = new Uint8Array(64);
    padded.set(commitment);
    return hashPair(padded.subarray(0, 32), padded.subarray(32));
  });
  const list = merkleize(leaves, COMMITMENTS_DEPTH, index);
  const length = numberChunk(commitments.length);
  const fields = Array.from({ length: COMMITMENTS_FIELD }, () => ZERO);
  const body = merkleize([...fields, hashPair(list.root, length)], BODY_DEPTH, COMMITMENTS_FIELD);
  return { root: body.root, proof: [...list.branch, length, ...body.branch] };
}
