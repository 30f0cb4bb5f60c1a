import { blake2f, blake2fGas } from './blake2f.ts';
import { g1MultiScalarGas, g2MultiScalarGas, pairingGas } from './bls12-381/gas.ts';
import { bn254PairingGas } from './bn254/gas.ts';
import { ecrecover } from './ecrecover.ts';
import { identity, ripemd160, sha256 } from './hashes.ts';
import { boundedModexp, modexp, modexpGas2565, modexpGas7883 } from './modexp.ts';
import { pointEvaluation } from './point-evaluation.ts';
import { lazily, type PrecompileRow } from './precompile.ts';
import { perWord } from './shared/input.ts';

/** Address of P256VERIFY, which the rules of a rollup bring earlier and at a price of their own. */
export const P256_VERIFY = 0x100;

const bn254 = () => import('./bn254/operations.ts');
const bls = () => import('./bls12-381/operations.ts');
const blsSums = () => import('./bls12-381/multi-scalar.ts');
const p256 = () => import('./p256-verify.ts');

/** Every precompile, by its address. The tables of curves take long to make: those modules load at their first call. */
export const PRECOMPILES: readonly PrecompileRow[] = [
  { address: 0x01, gas: 3000n, run: ecrecover },
  { address: 0x02, gas: perWord(60n, 12n), run: sha256 },
  { address: 0x03, gas: perWord(600n, 120n), run: ripemd160 },
  { address: 0x04, gas: perWord(15n, 3n), run: identity },
  {
    address: 0x05,
    gas: { paris: modexpGas2565, osaka: modexpGas7883 },
    run: { paris: modexp, osaka: boundedModexp },
  },
  { address: 0x06, gas: 150n, run: lazily(bn254, 'bn254Add') },
  { address: 0x07, gas: 6000n, run: lazily(bn254, 'bn254Multiply') },
  {
    address: 0x08,
    gas: bn254PairingGas,
    run: lazily(bn254, 'bn254Pairing'),
    tooLong: 'bad elliptic curve pairing input size',
  },
  { address: 0x09, gas: blake2fGas, run: blake2f },
  { address: 0x0a, since: 'cancun', gas: 50_000n, run: pointEvaluation },
  { address: 0x0b, since: 'prague', gas: 375n, run: lazily(bls, 'g1Add') },
  {
    ...{ address: 0x0c, since: 'prague', gas: g1MultiScalarGas, run: lazily(blsSums, 'g1MultiScalar') },
    tooLong: 'g1 msm input size exceeds maximum',
  },
  { address: 0x0d, since: 'prague', gas: 600n, run: lazily(bls, 'g2Add') },
  {
    ...{ address: 0x0e, since: 'prague', gas: g2MultiScalarGas, run: lazily(blsSums, 'g2MultiScalar') },
    tooLong: 'g2 msm input size exceeds maximum',
  },
  {
    ...{ address: 0x0f, since: 'prague', gas: pairingGas, run: lazily(bls, 'pairingCheck') },
    tooLong: 'pairing input size exceeds maximum',
  },
  { address: 0x10, since: 'prague', gas: 5500n, run: lazily(bls, 'mapToG1') },
  { address: 0x11, since: 'prague', gas: 23_800n, run: lazily(bls, 'mapToG2') },
  { address: P256_VERIFY, since: 'osaka', gas: 6900n, run: lazily(p256, 'p256Verify') },
];
