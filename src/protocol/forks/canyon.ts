import { EIP1559_ELASTICITY } from '../execution/constants.ts';
import { CREATE2_DEPLOYER } from '../execution/create2-deployer.ts';
import { emptyWithdrawalsHeader } from '../rules/header.ts';
import { bedrock } from './bedrock.ts';
import { defineFork } from './fork.ts';

/** EIP-1559 denominator of a chain whose configuration names none. */
const DENOMINATOR = 250;

/** Specification: canyon. Shanghai, another EIP-1559 denominator, and the Create2Deployer repaired. */
export const canyon = defineFork({
  name: 'canyon',
  follows: 'regolith',
  ethereumKey: 'shanghaiTime',
  rules: {
    evm: 'shanghai',
    header: emptyWithdrawalsHeader,
    eip1559: {
      constants: (chain) => ({
        denominator: chain?.eip1559DenominatorCanyon ?? DENOMINATOR,
        elasticity: chain?.eip1559Elasticity ?? EIP1559_ELASTICITY,
        minBaseFee: 0,
      }),
    },
    deposit: { metered: true, receiptVersion: true },
    channels: { ...bedrock.rules.channels, readAnyReady: true },
    attributes: { ...bedrock.rules.attributes, withdrawals: true },
    engine: { forkchoiceUpdated: 2, newPayload: 2, getPayload: 2 },
    gossip: { version: 2 },
  },
  activation: { forcedCode: CREATE2_DEPLOYER },
});
