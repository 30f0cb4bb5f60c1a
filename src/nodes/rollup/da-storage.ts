import type { DaStorage } from '../../protocol/derivation/ports.ts';
import type { RollupConfig } from '../../protocol/types.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { daStorage } from '../da/storage.ts';
import type { RollupNodeOptions } from './options/index.ts';

/**
 * Opens the DA storage of a rollup with alternative DA (op-node: `GetOPAltDAConfig`, op-alt-da: `DAStorage`).
 * @throws Failure `alt-da` if rollup.json contradicts the options
 */
export function daStorageOf({ alt_da: config }: RollupConfig, options: RollupNodeOptions): DaStorage | undefined {
  const refuse = (problem: string) => new Failure('alt-da', `rollup-node: ${problem}`, { exit: EXIT.usage });
  if (config === undefined) {
    if (options.altDaEnabled) throw refuse('--altda.enabled is given, but rollup.json has no alt_da');
    return undefined;
  }
  if (!options.altDaEnabled || options.altDaServer === undefined)
    throw refuse('rollup.json has alt_da: give --altda.enabled and --altda.da-server, the data is not on L1');
  if (options.altDaService && config.da_commitment_type === 'KeccakCommitment')
    throw refuse('--altda.da-service is given, but the commitments of rollup.json are of type KeccakCommitment');
  return daStorage({
    url: options.altDaServer,
    timeoutMs: options.altDaGetTimeout,
    verify: options.altDaVerify,
  });
}
