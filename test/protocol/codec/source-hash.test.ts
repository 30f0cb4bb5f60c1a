import { describe, expect, test } from 'vitest';
import { upgradeSourceHash } from '../../../src/protocol/codec/source-hash.ts';

describe('source hashes of network upgrade transactions', () => {
  test.each([
    ['Ecotone: L1 Block Deployment', '0x877a6077205782ea15a6dc8699fa5ebcec5e0f4389f09cb8eda09488231346f8'],
    ['Isthmus: L1 Block Deployment', '0x3b2d0821ca2411ad5cd3595804d1213d15737188ae4cbd58aa19c821a6c211bf'],
    ['Jovian: Gas Price Oracle Set Jovian', '0xe836db6a959371756f8941be3e962d000f7e12a32e49e2c9ca42ba177a92716c'],
  ])('%s', (intent, expected) => {
    expect(upgradeSourceHash(intent)).toBe(expected);
  });
});
