import { getContractAddress, type Hex, keccak256, stringToHex, toHex } from 'viem';
import type { WithdrawalSystem } from '../../protocol/genesis/inputs.ts';
import { lowerHex } from '../../protocol/hex.ts';
import { calldata, creation } from './artefacts.ts';
import { BEDROCK, GAME_TYPE, type L1Proxy, l1Proxies } from './l1-proxies.ts';
import { Machine } from './machine.ts';
import { readManifest } from './manifest.ts';
import { preinstall } from './preinstalls.ts';
import { stand } from './slots.ts';

/** Public contracts that users expect on any L1. */
const PREINSTALLS = [
  'MultiCall3',
  'DeterministicDeploymentProxy',
  'Create2Deployer',
  'SafeSingletonFactory',
  'Permit2',
];
const PERMIT2_SLOTS = { chainId: 'l1ChainId', domainSeparator: 'l1Permit2DomainSeparator' };

/** An L1 state and the names of the accounts in it. */
export interface BuiltL1 {
  readonly machine: Machine;
  readonly names: ReadonlyMap<Hex, string>;
}

/** L1 state of a chain with a system of withdrawals, with stand-ins for everything that differs between chains. */
export async function buildL1(system: WithdrawalSystem): Promise<BuiltL1> {
  const machine = await Machine.create();
  const names = new Map<Hex, string>();
  const owner = stand('owner');
  const admin = stand('l1.ProxyAdmin');
  const manager = stand('l1.AddressManager');
  for (const name of PREINSTALLS) {
    const { address, code } = await preinstall(name, PERMIT2_SLOTS);
    await machine.place(address, code, 1);
    names.set(address, name);
  }
  // An L1 client that makes Ethereum's system calls answers from these (EIP-4788, 2935, 7002 and 7251).
  for (const { name, sender, creation } of readManifest().flatMap(({ system = [], l1System = [] }) => [
    ...system,
    ...l1System,
  ])) {
    const address = lowerHex(getContractAddress({ from: sender, nonce: 0n }));
    await machine.deployAt(address, creation, sender);
    names.set(address, name);
  }
  await machine.deployAt(manager, creation(`${BEDROCK}:AddressManager`), owner);
  await machine.deployAt(admin, creation(`${BEDROCK}:ProxyAdmin`, ['$owner']), owner);
  names.set(manager, 'AddressManager').set(admin, 'ProxyAdmin');
  const setManager = calldata(`${BEDROCK}:ProxyAdmin`, 'setAddressManager', ['$l1.AddressManager']);
  await machine.call(owner, admin, setManager);

  const l1 = { machine, names };
  for (const proxy of l1Proxies(system)) await deployProxy(l1, proxy);
  await configure(machine, owner);
  await (system === 'dispute-games' ? deployGames(l1) : proposeGenesis(machine));
  const register = ['OVM_L1CrossDomainMessenger', '$l1.L1CrossDomainMessenger'];
  await machine.call(owner, manager, calldata(`${BEDROCK}:AddressManager`, 'setAddress', register));
  await machine.call(owner, manager, calldata(`${BEDROCK}:AddressManager`, 'transferOwnership', ['$l1.ProxyAdmin']));
  return l1;
}

interface L1 {
  readonly machine: Machine;
  readonly names: Map<Hex, string>;
}

async function deployProxy({ machine, names }: L1, { proxy, of, args, isOwn, initialize }: L1Proxy): Promise<void> {
  const name = of.slice(of.indexOf(':') + 1);
  const implementation = isOwn ? stand(`implementation.${name}`) : sharedAddress(name);
  await machine.deployAt(implementation, creation(of, args), stand('owner'));
  names.set(implementation, `${name}Implementation`);
  const address = stand(`l1.${proxy}`);
  await machine.deployAt(address, creation(`${BEDROCK}:Proxy`, ['$l1.ProxyAdmin']), stand('owner'));
  names.set(address, proxy);
  const upgrade = calldata(`${BEDROCK}:Proxy`, 'upgradeToAndCall', [
    implementation,
    calldata(of, 'initialize', initialize),
  ]);
  await machine.call(stand('l1.ProxyAdmin'), address, upgrade);
}

/** Depths of a game, as on public chains. */
const MAX_GAME_DEPTH = 73n;
const SPLIT_DEPTH = 30n;
/** A devnet has no fault proof program and no step can be proved, so the value is arbitrary. */
const ABSOLUTE_PRESTATE = keccak256(stringToHex('rollup-devnet absolute prestate'));
/** Smallest large preimage (bytes) and its challenge period (seconds), as on public chains. */
const PREIMAGE_ORACLE = [126_000n, 86_400n];

/** Registers the permissioned game at the factory and makes the portal respect it. */
async function deployGames({ machine, names }: L1): Promise<void> {
  const owner = stand('owner');
  const shared = async (name: string, args: readonly unknown[]) => {
    const address = sharedAddress(name);
    await machine.deployAt(address, creation(`${BEDROCK}:${name}`, args), owner);
    names.set(address, `${name}Implementation`);
    return address;
  };
  const vm = await shared('MIPS', [await shared('PreimageOracle', PREIMAGE_ORACLE)]);
  const published = stand('implementation.PermissionedDisputeGame');
  const game = creation(`${BEDROCK}:PermissionedDisputeGame`, [
    ...[GAME_TYPE, ABSOLUTE_PRESTATE, MAX_GAME_DEPTH, SPLIT_DEPTH, '$gameDuration', vm],
    ...['$l1.DelayedWETH', '$l1.AnchorStateRegistry', '$chainId', '$proposer', '$challenger'],
  ]);
  await machine.deployAt(published, game, owner);
  names.set(published, 'PermissionedDisputeGameImplementation');
  const registered = stand('l1.PermissionedDisputeGame');
  await machine.deployAt(registered, creation('own:DisputeGameGetters', [published]), owner);
  names.set(registered, 'PermissionedDisputeGame');
  const register = calldata(`${BEDROCK}:DisputeGameFactory`, 'setImplementation', [GAME_TYPE, registered]);
  await machine.call(owner, stand('l1.DisputeGameFactory'), register);
  const respect = calldata(`${BEDROCK}:OptimismPortal2`, 'setRespectedGameType', [GAME_TYPE]);
  await machine.call(owner, stand('l1.OptimismPortal'), respect);
}

/** Slot of `l2Outputs` in the L2OutputOracle. */
const OUTPUTS_SLOT = toHex(3, { size: 32 });

/**
 * Proposes the output of block 0 to the oracle.
 * Libraries read the latest output first, and the published contract reverts if there is none.
 */
async function proposeGenesis(machine: Machine): Promise<void> {
  const oracle = stand('l1.L2OutputOracle');
  const first = BigInt(keccak256(OUTPUTS_SLOT));
  await machine.store(oracle, OUTPUTS_SLOT, toHex(1));
  await machine.store(oracle, toHex(first), stand('startingRoot'));
  // Timestamp in the lower half, the block's number, zero, in the upper one.
  await machine.store(oracle, toHex(first + 1n), stand('startingTimestamp'));
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
