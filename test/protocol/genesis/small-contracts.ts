import type { GenesisContracts } from '../../../src/protocol/genesis/index.ts';
import { contracts } from './inputs.ts';

export const SHARED = '11'.repeat(20);
export const PREDEPLOY = `4200${'0'.repeat(34)}01`;
export const KEY = { first: '01'.padStart(64, '0'), second: '02'.padStart(64, '0'), third: '03'.padStart(64, '0') };

/** Few contracts of each kind, so that a whole state can be compared. */
export const small: GenesisContracts = {
  version: 1,
  slots: {
    owner: 20,
    chainId: 32,
    gasLimit: 8,
    'l1.SystemConfig': 20,
    'l1.OptimismPortal': 20,
    'l1.ProtocolVersions': 20,
    'l1.DisputeGameFactory': 20,
    'implementation.Portal': 20,
  },
  codes: ['6001', ['60', { slot: 'owner' }, '5b']],
  l1: {
    shared: [
      { name: 'Permit2', address: SHARED, nonce: 1, code: 0 },
      { name: 'PortalImplementation', address: '12'.repeat(20), code: 0 },
    ],
    perChain: [
      {
        name: 'SystemConfig',
        address: [{ slot: 'l1.SystemConfig' }],
        code: 1,
        storage: { [KEY.first]: [{ slot: 'chainId' }], [KEY.second]: '0'.repeat(64), [KEY.third]: 'ff'.repeat(32) },
      },
      { name: 'OptimismPortal', address: [{ slot: 'l1.OptimismPortal' }], code: 0 },
      { name: 'ProtocolVersions', address: [{ slot: 'l1.ProtocolVersions' }] },
      { name: 'Implementation', address: [{ slot: 'implementation.Portal' }], code: 0 },
    ],
    systems: {
      'output-oracle': [{ name: 'Oracle', address: '13'.repeat(20) }],
      'dispute-games': [{ name: 'DisputeGameFactory', address: [{ slot: 'l1.DisputeGameFactory' }] }],
    },
  },
  l2: {
    namespace: { code: 0, first: `4200${'0'.repeat(36)}`, count: 3, storage: { [KEY.first]: KEY.second } },
    precompiles: 2,
    layers: [
      { fork: 'bedrock', accounts: [{ name: 'OwnedProxy', address: PREDEPLOY, code: 1 }] },
      { fork: 'ecotone', accounts: [{ name: 'MultiCall3', address: '22'.repeat(20), nonce: 1, code: 0 }] },
      { fork: 'jovian', accounts: [{ name: 'L1BlockImplementation', address: 'c0d3'.repeat(10), code: 0 }] },
      { fork: 'a fork to come', accounts: [{ name: 'Later', address: '23'.repeat(20), code: 0 }] },
    ],
    roots: {},
  },
  accounts: contracts.accounts,
};
