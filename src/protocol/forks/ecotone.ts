import { ecotoneAttributes } from '../parts/attributes.ts';
import { ecotoneBatches } from '../parts/batches.ts';
import { ecotoneEngine } from '../parts/engine.ts';
import { gossipV3 } from '../parts/gossip.ts';
import { ecotoneHeader } from '../parts/header.ts';
import { ecotoneL1Attributes } from '../parts/l1-attributes/packed.ts';
import { ecotoneL1Fee } from '../parts/l1-fee/two-scalars.ts';
import { defineFork } from './fork.ts';

/** Specification: ecotone. Cancun, and batches in blobs. */
export const ecotone = defineFork({
  name: 'ecotone',
  ethereumKey: 'cancunTime',
  parts: {
    evm: 'cancun',
    header: ecotoneHeader,
    l1Attributes: ecotoneL1Attributes,
    l1Fee: ecotoneL1Fee,
    batches: ecotoneBatches,
    attributes: ecotoneAttributes,
    engine: ecotoneEngine,
    gossip: gossipV3,
  },
  upgrade: { qualifiedIntents: false, addsGas: false },
  activation: { noTxPool: true },
});
