import { describe, expect, it } from 'vitest';
import { keySigner, recoverSigner, verifyBlockSignature } from '../../../../src/nodes/gossip/message/signature.ts';
import type { Hex } from '../../../../src/protocol/types.ts';

/** The first of anvil's accounts. */
const KEY = Buffer.from('ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80', 'hex');
const ADDRESS = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const OTHER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BODY = Uint8Array.of(1, 2, 3);
const signer = keySigner(KEY);
const signature = signer.sign(BODY, 901);
const verified = (expected: Hex | undefined, { of = signature, body = BODY, chainId = 901 } = {}) =>
  verifyBlockSignature(of, body, chainId, expected);

describe('the signer of a block', () => {
  it('has the address of its key, and signs in 65 bytes that end with the parity', () => {
    expect(signer.address).toBe(ADDRESS);
    expect(signer.address).toBe(ADDRESS);
    expect(signature).toHaveLength(65);
    expect([0, 1]).toContain(signature[64]);
  });

  it('is recovered from its signature over a body for a chain', () => {
    expect(recoverSigner(signature, BODY, 901)).toBe(ADDRESS);
    expect(recoverSigner(signature, BODY, 902)).not.toBe(ADDRESS);
    expect(recoverSigner(signature, Uint8Array.of(1, 2), 901)).not.toBe(ADDRESS);
  });

  it('is recovered at either parity', () => {
    const bodies = Array.from({ length: 16 }, (_, byte) => Uint8Array.of(byte));
    const found = bodies.map((body) => ({ body, by: signer.sign(body, 901) }));
    expect(new Set(found.map(({ by }) => by[64]))).toEqual(new Set([0, 1]));
    for (const { body, by } of found) expect(recoverSigner(by, body, 901)).toBe(ADDRESS);
  });

  it.each<[string, Uint8Array]>([
    ['no bytes', new Uint8Array(0)],
    ['64 bytes', signature.subarray(0, 64)],
    ['66 bytes', Uint8Array.of(...signature, 0)],
    ['a parity of 2', Uint8Array.of(...signature.subarray(0, 64), 2)],
    ['a parity of 27', Uint8Array.of(...signature.subarray(0, 64), 27)],
    ['zeros', new Uint8Array(65)],
    ['an r beyond the curve', new Uint8Array(65).fill(0xff, 0, 64)],
  ])('is not recovered from a signature of %s', (_, bytes) => {
    expect(recoverSigner(bytes, BODY, 901)).toBeUndefined();
    expect(verified(ADDRESS, { of: bytes })).toEqual({ kind: 'signature' });
    expect(verified(undefined, { of: bytes })).toEqual({ kind: 'signature' });
  });
});

describe('the signature of a block', () => {
  it('is that of the unsafe block signer, in any case of its digits', () => {
    expect(verified(ADDRESS)).toBeUndefined();
    expect(verified('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')).toBeUndefined();
  });

  it('is not judged while the signer is unknown', () => {
    expect(verified(undefined)).toEqual({ kind: 'signer unknown' });
  });

  it('is refused with both addresses when another key made it', () => {
    expect(verified(OTHER)).toEqual({ kind: 'signer', signer: ADDRESS, expected: OTHER });
    expect(verified(ADDRESS, { chainId: 902 })).toMatchObject({ kind: 'signer', expected: ADDRESS });
  });
});
