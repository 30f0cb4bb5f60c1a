import { type Hex, keccak256, maxUint128, parseGwei, stringToHex, toHex } from 'viem';
import { calldata, creation } from './artefacts.ts';
import { Machine } from './machine.ts';
import { preinstall } from './preinstalls.ts';
import { stand } from './slots.ts';

const BEDROCK = 'bedrock-0.17.2';

/** Gas of the L1-attributes transaction that the deposit market leaves room for. */
const SYSTEM_TX_GAS = 1_000_000;

/** Public contracts that users expect on any L1. */
const PREINSTALLS = [
  'MultiCall3',
  'DeterministicDeploymentProxy',
  'Create2Deployer',
  'SafeSingletonFactory',
  'Permit2',
];
const PERMIT2_SLOTS = { chainId: 'l1ChainId', domainSeparator: 'l1Permit2DomainSeparator' };

const RESOURCES = {
  maxResourceLimit: Number(stand('maxResourceLimit')),
  elasticityMultiplier: 10,
  baseFeeMaxChangeDenominator: 8,
  minimumBaseFee: Number(parseGwei('1')),
  systemTxMaxGas: SYSTEM_TX_GAS,
  maximumBaseFee: maxUint128,
};

/** Proxy → implementation and initializer arguments, in the order of initialization. */
const PROXIES: readonly { readonly proxy: string; readonly of: string; readonly initialize: readonly unknown[] }[] = [
  { proxy: 'SuperchainConfig', of: `${BEDROCK}:SuperchainConfig`, initialize: ['$owner', false] },
  { proxy: 'ProtocolVersions', of: `${BEDROCK}:ProtocolVersions`, initialize: ['$owner', 0n, 0n] },
  {
    proxy: 'L2OutputOracle',
    of: `${BEDROCK}:L2OutputOracle`,
    initialize: [
      ...['$submissionInterval', '$l2BlockTime', 0n, '$startingTimestamp', '$proposer', '$challenger'],
      '$finalizationPeriodSeconds',
    ],
  },
  {
    proxy: 'SystemConfig',
    of: 'own:SystemConfig',
    initialize: [
      ...['$owner', '$batcherHash', '$gasLimit', '$unsafeBlockSigner', RESOURCES, '$batchInbox', '$chainId'],
      {
        l1CrossDomainMessenger: '$l1.L1CrossDomainMessenger',
        l1ERC721Bridge: '$l1.L1ERC721Bridge',
        l1StandardBridge: '$l1.L1StandardBridge',
        l2OutputOracle: '$l1.L2OutputOracle',
        optimismPortal: '$l1.OptimismPortal',
        optimismMintableERC20Factory: '$l1.OptimismMintableERC20Factory',
        superchainConfig: '$l1.SuperchainConfig',
      },
    ],
  },
  {
    proxy: 'OptimismPortal',
    of: `${BEDROCK}:OptimismPortal`,
    initialize: ['$l1.L2OutputOracle', '$l1.SystemConfig', '$l1.SuperchainConfig'],
  },
  {
    proxy: 'L1CrossDomainMessenger',
    of: `${BEDROCK}:L1CrossDomainMessenger`,
    initialize: ['$l1.SuperchainConfig', '$l1.OptimismPortal'],
  },
  {
    proxy: 'L1StandardBridge',
    of: `${BEDROCK}:L1StandardBridge`,
    initialize: ['$l1.L1CrossDomainMessenger', '$l1.SuperchainConfig'],
  },
  {
    proxy: 'L1ERC721Bridge',
    of: `${BEDROCK}:L1ERC721Bridge`,
    initialize: ['$l1.L1CrossDomainMessenger', '$l1.SuperchainConfig'],
  },
  {
    proxy: 'OptimismMintableERC20Factory',
    of: `${BEDROCK}:OptimismMintableERC20Factory`,
    initialize: ['$l1.L1StandardBridge'],
  },
];

/** L1 state with stand-ins for everything that differs between chains. `names` are those of the accounts in it. */
export async function buildL1(): Promise<{ machine: Machine; names: ReadonlyMap<Hex, string> }> {
  const machine = await Machine.create();
  const names = new Map<Hex, string>();
  const owner = stand('owner');
  const admin = stand('l1.ProxyAdmin');
  const manager = stand('l1.AddressManager');
  for (const name of PREINSTALLS) {
    const { address, code } = preinstall(name, PERMIT2_SLOTS);
    await machine.place(address, code, 1);
    names.set(address, name);
  }
  await machine.deployAt(manager, creation(`${BEDROCK}:AddressManager`), owner);
  await machine.deployAt(admin, creation(`${BEDROCK}:ProxyAdmin`, ['$owner']), owner);
  names.set(manager, 'AddressManager').set(admin, 'ProxyAdmin');
  const setManager = calldata(`${BEDROCK}:ProxyAdmin`, 'setAddressManager', ['$l1.AddressManager']);
  await machine.call(owner, admin, setManager);

  for (const { proxy, of, initialize } of PROXIES) {
    const implementation = sharedAddress(of.split(':')[1]!);
    await machine.deployAt(implementation, creation(of), owner);
    names.set(implementation, `${of.split(':')[1]!}Implementation`);
    const address = stand(`l1.${proxy}`);
    await machine.deployAt(address, creation(`${BEDROCK}:Proxy`, ['$l1.ProxyAdmin']), owner);
    names.set(address, proxy);
    const data = calldata(of, 'initialize', initialize);
    await machine.call(admin, address, calldata(`${BEDROCK}:Proxy`, 'upgradeToAndCall', [implementation, data]));
  }
  await configure(machine, owner);
  const register = ['OVM_L1CrossDomainMessenger', '$l1.L1CrossDomainMessenger'];
  await machine.call(owner, manager, calldata(`${BEDROCK}:AddressManager`, 'setAddress', register));
  await machine.call(owner, manager, calldata(`${BEDROCK}:AddressManager`, 'transferOwnership', ['$l1.ProxyAdmin']));
  return { machine, names };
}

/** System config values that have setters instead of initializer arguments. */
async function configure(machine: Machine, owner: Hex): Promise<void> {
  const config = stand('l1.SystemConfig');
  const set = (name: string, ...slots: string[]) =>
    machine.call(owner, config, calldata('own:SystemConfig', name, slots));
  await set('setGasConfigEcotone', '$basefeeScalar', '$blobbasefeeScalar');
  await set('setEIP1559Params', '$eip1559Denominator', '$eip1559Elasticity');
  await set('setOperatorFeeScalars', '$operatorFeeScalar', '$operatorFeeConstant');
  await set('setMinBaseFee', '$minBaseFee');
  await set('setDAFootprintGasScalar', '$daFootprintGasScalar');
  // The whole words, whose encoding depends on the chain's fork.
  await machine.store(config, storageSlot('overhead'), stand('overhead'));
  await machine.store(config, storageSlot('scalar'), stand('scalar'));
}

/** Slots of SystemConfig.sol that have no setter of the whole word. */
function storageSlot(name: 'overhead' | 'scalar'): Hex {
  return toHex({ overhead: 101, scalar: 102 }[name]);
}

/** Where an implementation stands on every L1: derived from its name. */
function sharedAddress(name: string): Hex {
  return `0x${keccak256(stringToHex(`rollup-devnet implementation ${name}`)).slice(-40)}`;
}
