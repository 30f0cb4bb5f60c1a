import { beforeAll, describe, expect, it } from 'vitest';
import { loadBackend } from '../../../src/nodes/kzg/backend.ts';
import { type KzgVerifier, loadKzgProver, loadKzgVerifier, versionedHash } from '../../../src/nodes/kzg/kzg.ts';
import * as library from '../../../src/nodes/kzg/library.ts';
import type { KzgProver } from '../../../src/nodes/kzg/prover.ts';
import { u256be } from '../../../src/protocol/bytes.ts';
import { bytesToHex, hexToBytes } from '../../../src/protocol/hex.ts';

/** A blob with these 32-byte field elements at its start. */
function blobOf(values: readonly bigint[]): Uint8Array {
  const blob = new Uint8Array(131072);
  for (const [at, value] of values.entries()) blob.set(u256be(value), at * 32);
  return blob;
}

const small = blobOf([1n, 2n, 0n, 5n ** 100n]);
const dense = blobOf(Array.from({ length: 4096 }, (_, at) => 3n ** BigInt(1 + (at % 150)) + BigInt(at)));

/** Commitment and proof by c-kzg. */
const CASES = {
  small: [
    '0x8d9d3cbd73241f19c93cf755fba1bfc7484aa0d09d42abeb7b0f7ed2f4468b29890892436b6130f1aa21332cd7e7f5fd',
    '0x83c889f22b05d69c53745f009feced675c5cb969be6d786a5ccf2411ded7391963620d502abb8da2e61783ae03ce15d3',
  ],
  dense: [
    '0xa4eabacda7faba6b4a91850ea39f21cb76eb117d7448391e212999576688e385e9ef626a5cd48b3c089e9b371fb7a83b',
    '0xab6caddab39c167cb3520a00d8733d02298953711ea08b2e873e8935e45ff70e073ff679ea43092490964d43adc17155',
  ],
} as const;

describe('KZG', () => {
  let kzg: KzgProver & KzgVerifier;
  beforeAll(async () => {
    kzg = { ...(await loadKzgProver()), ...(await loadKzgVerifier()) };
  });

  it('commits to the zero blob with the point at infinity, and proves it', async () => {
    const zero = blobOf([]);
    const commitment = await kzg.commit(zero);
    expect(bytesToHex(commitment)).toBe(`0xc0${'00'.repeat(47)}`);
    expect(versionedHash(commitment)).toBe('0x010657f37554c781402a22917dee2f75def7ab966d7b770905398eba3c444014');
    const proof = await kzg.prove(zero, commitment);
    expect(kzg.verifyBlob(zero, commitment, proof)).toBe(true);
    expect(kzg.verifyBlob(small, commitment, proof)).toBe(false);
  });

  it('commits and proves as c-kzg does, to the byte', async () => {
    for (const [name, blob] of Object.entries({ small, dense })) {
      const commitment = await kzg.commit(blob);
      const results = [commitment, await kzg.prove(blob, commitment)].map(bytesToHex);
      expect(results, name).toEqual(CASES[name as keyof typeof CASES]);
    }
  });

  it('refuses a proof for another blob, commitment or proof', () => {
    const [commitment, proof] = CASES.dense.map(hexToBytes) as [Uint8Array, Uint8Array];
    expect(kzg.verifyBlob(dense, commitment, proof)).toBe(true);
    expect(kzg.verifyBlob(small, commitment, proof)).toBe(false);
    expect(kzg.verifyBlob(dense, hexToBytes(CASES.small[0]), proof)).toBe(false);
    expect(kzg.verifyBlob(dense, commitment, commitment)).toBe(false);
  });

  it('checks the value at a point, roots of unity included', async () => {
    const commitment = await kzg.commit(blobOf([7n]));
    const infinity = hexToBytes(`0xc0${'00'.repeat(47)}`);
    const constant = await kzg.commit(blobOf(Array.from({ length: 4096 }, () => 9n)));
    expect(kzg.verifyPoint(constant, u256be(12345n), u256be(9n), infinity)).toBe(true);
    expect(kzg.verifyPoint(constant, u256be(12345n), u256be(8n), infinity)).toBe(false);
    expect(kzg.verifyPoint(commitment, u256be(1n), u256be(7n), infinity)).toBe(false);
  });

  it('rejects values outside of the field, and bytes that are no point of the curve', async () => {
    const order = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
    await expect(kzg.commit(blobOf([order]))).rejects.toThrow();
    await expect(kzg.commit(blobOf([...Array(200).fill(1n), order]))).rejects.toThrow();
    for (const length of [0, 10, 4096, 131071, 131073])
      await expect(kzg.commit(new Uint8Array(length)), `${length} bytes`).rejects.toThrow();
    const commitment = hexToBytes(CASES.small[0]);
    expect(kzg.verifyPoint(commitment, u256be(order), u256be(0n), commitment)).toBe(false);
    expect(kzg.verifyPoint(new Uint8Array(48), u256be(0n), u256be(0n), commitment)).toBe(false);
  });
});

describe('backends of KZG', () => {
  const blobs = [1, 10, 127, 128, 129, 200, 4096].map((count) =>
    blobOf(Array.from({ length: count }, (_, at) => (at % 5 === 1 ? 0n : 7n ** BigInt(1 + (at % 80))))),
  );

  it('the library in JavaScript and the native one commit and prove alike, to the byte', async () => {
    const native = await loadBackend();
    for (const blob of blobs) {
      const commitment = native.commit(blob);
      expect(bytesToHex(library.commit(blob))).toBe(bytesToHex(commitment));
      expect(bytesToHex(library.prove(blob, commitment))).toBe(bytesToHex(native.prove(blob, commitment)));
    }
  });

  it('many requests at once are each answered with their own result', async () => {
    const prover = await loadKzgProver();
    const commitments = await Promise.all(blobs.map((blob) => prover.commit(blob)));
    expect(commitments.map(bytesToHex)).toEqual(blobs.map((blob) => bytesToHex(library.commit(blob))));
  });
});
