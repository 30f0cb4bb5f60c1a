import { hkdf as library } from '@noble/hashes/hkdf.js';
import { sha256 } from '@noble/hashes/sha2.js';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { deriveKey, deriveSecret } from '../../../src/orchestrator/plan/keys.ts';
import { hkdf } from '../../../src/system/crypto/hkdf.ts';

it('HKDF derives the same keys as the library', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 100 });
  fc.assert(
    fc.property(bytes, bytes, bytes, (key, salt, info) => {
      expect(hkdf(key, salt, info)).toEqual(library(sha256, key, salt, info, 32));
    }),
  );
});

it('keys of a network stay what they were', () => {
  const sequencer = { seed: 1, devnet: 'default', chain: 'main', node: 'sequencer' };
  expect(deriveKey(sequencer, 'p2p', hkdf)).toBe('64b36e8d59b3ed51b66f996bd022efd9454a92ccb06cc9a5298d031846436317');
  expect(deriveSecret({ seed: 77, devnet: 'x', chain: 'é', node: 'v' }, 'jwt', hkdf)).toBe(
    'e48dbcb2a16ff272089fe7c5216fd045f9ea077dea23277f7873de7ce7455507',
  );
});
