import { isthmusBatches } from '../parts/batches.ts';
import { isthmusEngine } from '../parts/engine.ts';
import { gossipV4 } from '../parts/gossip.ts';
import { isthmusHeader } from '../parts/header.ts';
import { isthmusL1Attributes } from '../parts/l1-attributes/packed.ts';
import { isthmusOperatorFee } from '../parts/operator-fee/per-million.ts';
import { isthmusPrecompiles } from '../parts/precompiles.ts';
import { defineFork } from './fork.ts';

/** Specification: isthmus. Prague, the operator fee, the message passer's root in the header. */
export const isthmus = defineFork({
  name: 'isthmus',
  ethereumKey: 'pragueTime',
  parts: {
    evm: 'prague',
    precompiles: isthmusPrecompiles,
    header: isthmusHeader,
    operatorFee: isthmusOperatorFee,
    l1Attributes: isthmusL1Attributes,
    batches: isthmusBatches,
    engine: isthmusEngine,
    gossip: gossipV4,
  },
  upgrade: { qualifiedIntents: false, addsGas: false },
  activation: { noTxPool: true },
});
