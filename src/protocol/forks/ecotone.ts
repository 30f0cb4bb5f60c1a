import { beaconRootHeader } from '../rules/header.ts';
import { packedL1Attributes } from '../rules/l1-attributes/packed.ts';
import { twoScalarsL1Fee } from '../rules/l1-fee/two-scalars.ts';
import { canyon } from './canyon.ts';
import { delta } from './delta.ts';
import { defineFork } from './fork.ts';

/**
 * Specification: ecotone. Cancun, and batches in blobs.
 * Upgrade transactions: `EcotoneNetworkUpgradeTransactions` (op-node), `Hardforks::ECOTONE` (kona).
 */
export const ecotone = defineFork({
  name: 'ecotone',
  follows: 'delta',
  ethereumKey: 'cancunTime',
  rules: {
    evm: 'cancun',
    header: beaconRootHeader,
    l1Attributes: packedL1Attributes,
    l1Fee: twoScalarsL1Fee,
    batches: { ...delta.rules.batches, blobs: true },
    attributes: { ...canyon.rules.attributes, parentBeaconBlockRoot: true, scalarEncoding: 'packed' },
    engine: { forkchoiceUpdated: 3, newPayload: 3, getPayload: 3 },
    gossip: { version: 3 },
  },
  upgrade: { qualifiedIntents: false, addsGas: false },
  activation: { noTxPool: true },
});
