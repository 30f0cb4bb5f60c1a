import { hkdfSync } from 'node:crypto';
import { privateKeyFromRaw } from '@libp2p/crypto/keys';
import { peerIdFromPrivateKey } from '@libp2p/peer-id';
import { describe, expect, it } from 'vitest';
import { deriveKey, deriveSecret, type Hkdf, peerIdOf } from '../../../src/orchestrator/plan/keys.ts';
import { hkdf } from '../../../src/system/crypto/hkdf.ts';
import { publicKeyOf } from '../../../src/system/crypto/secp256k1.ts';

const owner = { seed: 7, devnet: 'demo', chain: 'main', node: 'a' };
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex.padStart(64, '0'), 'hex'));

/** HKDF that answers these values one after another, and keeps the info of each call. */
function scripted(answers: readonly string[]): { readonly hkdf: Hkdf; readonly infos: unknown[] } {
  const infos: unknown[] = [];
  return {
    infos,
    hkdf: (_, __, info) => bytes(answers[infos.push(JSON.parse(new TextDecoder().decode(info))) - 1]!),
  };
}

it('a secret is the HKDF-SHA256 of the seed, for the names of its owner and its purpose', () => {
  const info = JSON.stringify(['demo', 'main', 'a', 'jwt']);
  const expected = Buffer.from(hkdfSync('sha256', '7', 'rollup-devnet', info, 32)).toString('hex');
  expect(deriveSecret(owner, 'jwt', hkdf)).toBe(expected);
  const others = [
    deriveSecret({ ...owner, seed: 8 }, 'jwt', hkdf),
    deriveSecret({ ...owner, devnet: 'x' }, 'jwt', hkdf),
    deriveSecret({ ...owner, chain: 'x' }, 'jwt', hkdf),
    deriveSecret({ ...owner, node: 'x' }, 'jwt', hkdf),
    deriveSecret(owner, 'p2p', hkdf),
  ];
  expect(new Set([expected, ...others]).size).toBe(6);
});

describe('a private key', () => {
  const LAST = `${ORDER.slice(0, -1)}0`;
  it.each([
    ['1', ['1'], ['p2p']],
    [LAST, [LAST], ['p2p']],
    ['5', ['0', '5'], ['p2p', 'p2p#1']],
    ['6', [ORDER, 'f'.repeat(64), '6'], ['p2p', 'p2p#1', 'p2p#2']],
  ])('is %s when the derivation gives %j', (key, answers, purposes) => {
    const { hkdf: stub, infos } = scripted(answers);
    expect(deriveKey(owner, 'p2p', stub)).toBe(key.padStart(64, '0'));
    expect(infos).toEqual(purposes.map((purpose) => ['demo', 'main', 'a', purpose]));
  });
});

it.each(['1', '2', 'abcdef', `${'f'.repeat(30)}`])('the peer id of the key %s is that of libp2p', (key) => {
  const raw = Buffer.from(bytes(key));
  const expected = peerIdFromPrivateKey(privateKeyFromRaw(raw) as Parameters<typeof peerIdFromPrivateKey>[0]);
  expect(peerIdOf(publicKeyOf(raw, 'compressed'))).toBe(expected.toString());
});
