import type { Resumable } from '../../protocol/resumable.ts';
import { EVM_LEVELS, type EvmLevel } from '../../protocol/rules/evm-level.ts';
import type { PrecompileFailureReason } from './shared/failure.ts';

/** Functions that precompiles call and the EVM does not have: libraries that the host has loaded or loads. */
export interface PrecompileLibraries {
  /**
   * Recovers the public key (64 bytes) that made r ‖ s over a 32-byte hash.
   * @throws Error if none did
   */
  recoverPublicKey(signature: Uint8Array, recovery: number, hash: Uint8Array): Uint8Array;
  /** Returns the check of a KZG proof at a point; a promise while its setup loads. */
  pointVerifier(): PointVerifier | Promise<PointVerifier>;
}

/** Tells whether the committed polynomial has value `y` at `z` (EIP-4844). Malformed input verifies nothing. */
export type PointVerifier = (commitment: Uint8Array, z: Uint8Array, y: Uint8Array, proof: Uint8Array) => boolean;

/** Gas of an input. It is computed before the input is looked at any further. */
export type PrecompileGas = bigint | ((input: Uint8Array) => bigint);

/** The output of a precompile, or the steps to it if they take long. */
type Output = Uint8Array | Resumable<Uint8Array>;

/** Computes the output of an input. @throws PrecompileFailure */
export type PrecompileRun = (input: Uint8Array, libraries: PrecompileLibraries) => Output | Promise<Output>;

/** Returns a function of a module that is loaded at its first call. */
export function lazily<Name extends string>(
  load: () => Promise<Readonly<Record<Name, PrecompileRun>>>,
  name: Name,
): PrecompileRun {
  let run: PrecompileRun | undefined;
  return (input, libraries) => {
    if (run !== undefined) return run(input, libraries);
    return load().then((module) => {
      run = module[name];
      return run(input, libraries);
    });
  };
}

/** A precompile: one row of the table. */
export interface PrecompileRow {
  readonly address: number;
  /** The level that brings it; absent: each has it. */
  readonly since?: EvmLevel;
  readonly gas: PrecompileGas | { readonly [Level in EvmLevel]?: PrecompileGas };
  readonly run: PrecompileRun | { readonly [Level in EvmLevel]?: PrecompileRun };
  /** Why an input fails that is longer than the rules allow. */
  readonly tooLong?: PrecompileFailureReason;
}

/** Returns the value that holds at a level. @throws Error if none does */
export function valueAt<Value extends bigint | ((...input: never[]) => unknown)>(
  byLevel: Value | { readonly [Level in EvmLevel]?: Value },
  level: EvmLevel,
): Value {
  if (typeof byLevel !== 'object') return byLevel;
  const value = EVM_LEVELS.slice(0, EVM_LEVELS.indexOf(level) + 1)
    .map((one) => byLevel[one])
    .findLast((one) => one !== undefined);
  if (value === undefined) throw new Error(`the table of precompiles has no value at ${level}`);
  return value;
}
