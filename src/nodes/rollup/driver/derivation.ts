import { createAltDaInputs } from '../../../protocol/derivation/alt-da/inputs.ts';
import { createPipeline, type Pipeline } from '../../../protocol/derivation/pipeline/pipeline.ts';
import type {
  AltDaInputs,
  DaStorage,
  DerivationLog,
  L1Chain,
  L2Chain,
  Rollup,
} from '../../../protocol/derivation/ports.ts';
import { decompressors } from '../../../system/files/decompress.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { Metricer } from '../metrics/metricer.ts';
import { DaWait } from './da-wait.ts';

/** Settings of the derivation pipeline, and the parts that it reads. */
export interface DerivationOptions {
  readonly rollup: Rollup;
  /** L1 up to the confirmation depth of verifiers. */
  readonly l1: L1Chain;
  /** Present on rollups with alternative DA. */
  readonly daStorage: DaStorage | undefined;
  readonly log: Logger;
  readonly meter: Pick<Metricer, 'recordDerived'>;
}

/** Creates the derivation pipeline with its own inputs. */
export interface Derivation {
  /** Creates the pipeline on the engine's chain as it reads it. */
  readonly createPipeline: (l2: L2Chain) => Pipeline;
  /** undefined: the rollup has no alternative DA. */
  readonly altDa: AltDaInputs | undefined;
  readonly daWait: DaWait;
}

/** Prepares the pipeline over L1, L2 and alternative DA (op-node: `NewDerivationPipeline`). */
export function createDerivation({ rollup, l1, daStorage, log, meter }: DerivationOptions): Derivation {
  const logDerivation: DerivationLog = (level, message, data) => log[level](message, data);
  const { alt_da: daConfig } = rollup.config;
  const daWait = new DaWait();
  const storage = daStorage && daWait.around(daStorage);
  const altDa = daConfig && storage && createAltDaInputs(rollup, daConfig, l1, storage, logDerivation);
  return {
    createPipeline: (l2) =>
      createPipeline(rollup, {
        l1,
        l2,
        decompress: decompressors,
        log: logDerivation,
        onRead: meter.recordDerived,
        ...(altDa && { altDa }),
      }),
    altDa,
    daWait,
  };
}
