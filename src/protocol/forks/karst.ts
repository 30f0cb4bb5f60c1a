import { karstEngine } from '../parts/engine.ts';
import { karstPrecompiles } from '../parts/precompiles.ts';
import { defineFork } from './fork.ts';

/** Specification: karst. A subset of Osaka, upgrade transactions from a bundle file. */
export const karst = defineFork({
  name: 'karst',
  ethereumKey: 'osakaTime',
  parts: { evm: 'osaka', precompiles: karstPrecompiles, engine: karstEngine },
  upgrade: { qualifiedIntents: true, addsGas: true },
  activation: { noTxPool: true, emptyBatch: true },
});
