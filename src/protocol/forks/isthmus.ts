import { messagePasserHeader } from '../rules/header.ts';
import { packedL1AttributesWithOperatorFee } from '../rules/l1-attributes/packed.ts';
import { perMillionOperatorFee } from '../rules/operator-fee/operator-fee.ts';
import { BLS_G1_MSM, BLS_G2_MSM, BLS_PAIRING } from '../rules/precompiles.ts';
import { fjord } from './fjord.ts';
import { defineFork } from './fork.ts';
import { granite } from './granite.ts';

/**
 * Specification: isthmus. Prague, the operator fee, the message passer's root in the header.
 * Upgrade transactions: `IsthmusNetworkUpgradeTransactions` (op-node), `Hardforks::ISTHMUS` (kona).
 */
export const isthmus = defineFork({
  name: 'isthmus',
  follows: 'holocene',
  ethereumKey: 'pragueTime',
  rules: {
    evm: 'prague',
    precompiles: {
      ...granite.rules.precompiles,
      inputLimits: {
        ...granite.rules.precompiles.inputLimits,
        [BLS_G1_MSM]: 513_760,
        [BLS_G2_MSM]: 488_448,
        [BLS_PAIRING]: 235_008,
      },
    },
    header: messagePasserHeader,
    operatorFee: perMillionOperatorFee,
    l1Attributes: packedL1AttributesWithOperatorFee,
    batches: { ...fjord.rules.batches, transactionTypes: [1, 2, 4] },
    engine: { forkchoiceUpdated: 3, newPayload: 4, getPayload: 4 },
    gossip: { version: 4 },
  },
  upgrade: { qualifiedIntents: false, addsGas: false },
  activation: { noTxPool: true },
});
