import { CREATE2_DEPLOYER } from '../execution/create2-deployer.ts';
import { canyonAttributes } from '../parts/attributes.ts';
import { canyonChannels } from '../parts/channels.ts';
import { canyonDeposit } from '../parts/deposit.ts';
import { canyonEip1559 } from '../parts/eip1559.ts';
import { canyonEngine } from '../parts/engine.ts';
import { gossipV2 } from '../parts/gossip.ts';
import { canyonHeader } from '../parts/header.ts';
import { defineFork } from './fork.ts';

/** Specification: canyon. Shanghai, and the Create2Deployer repaired. */
export const canyon = defineFork({
  name: 'canyon',
  ethereumKey: 'shanghaiTime',
  parts: {
    evm: 'shanghai',
    header: canyonHeader,
    eip1559: canyonEip1559,
    deposit: canyonDeposit,
    channels: canyonChannels,
    attributes: canyonAttributes,
    engine: canyonEngine,
    gossip: gossipV2,
  },
  activation: { forcedCode: CREATE2_DEPLOYER },
});
