import { expect, it } from 'vitest';
import { outputOf, run } from './support.ts';

const HASH = '01e798154708fe7789429634053cbf9f99b619f9f084048927333fce637f549b';
const Z = '564c0a11a0f704f4fc3e8acfe0f8245f0ad1347b378fbf96e206da11a5d36306';
const Y = '24d25032e67a7e6a4910df5834b8fe70e6bcfeeac0352434196bdf4b2485d5a1';
const COMMITMENT = '8f59a8d2a1a625a17f3fea0fe5eb8c896db3764f3185481bc22f91b4aaffcca25f26936857bc3a7c2539ea8ec3a952b7';
const PROOF = '873033e038326e87ed3e1276fd140253fa08e9fc25fb2d9a98527fc22a2c9612fbeafdad446cbc7bcdbdcd780af2c16a';
const MODULUS = '73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001';
const VALID = HASH + Z + Y + COMMITMENT + PROOF;

it.each([
  ['returns the size of a blob and the modulus', VALID, `${'1000'.padStart(64, '0')}${MODULUS}`],
  ['fails when the value is another one', HASH + Z + Z + COMMITMENT + PROOF, 'error verifying kzg proof'],
  [
    'fails when the point is not below the modulus',
    HASH + MODULUS + Y + COMMITMENT + PROOF,
    'error verifying kzg proof',
  ],
  ['fails when the proof is no point', HASH + Z + Y + COMMITMENT + '00'.repeat(48), 'error verifying kzg proof'],
  ['fails when the hash is that of another commitment', HASH + Z + Y + PROOF + PROOF, 'mismatched versioned hash'],
  ['fails when the hash has another version', `02${VALID.slice(2)}`, 'mismatched versioned hash'],
  ['fails when a byte is missing', VALID.slice(2), 'invalid input length'],
  ['fails when the input is empty', '', 'invalid input length'],
])('KZG_POINT_EVALUATION %s', async (_, input, expected) => {
  expect(await outputOf(10, input)).toBe(expected);
});

it('KZG_POINT_EVALUATION costs 50000 gas', async () => {
  const input = Uint8Array.from(Buffer.from(VALID, 'hex'));
  expect(await run(10, input, 'cancun', 50_000n)).toMatchObject({ gasUsed: 50_000n });
  expect(await run(10, input, 'cancun', 49_999n)).toEqual({ failure: 'out of gas' });
});
