import { getContractAddress, type Hex, pad } from 'viem';
import { lowerHex } from '../../protocol/hex.ts';
import { artefact, calldata, creation } from './artefacts.ts';
import { hexOf } from './hex.ts';
import { Machine, type MachineAccount } from './machine.ts';
import type { ManifestFork, ManifestImplementation } from './manifest.ts';
import { preinstall } from './preinstalls.ts';
import { resolve, stand } from './slots.ts';

export const PROXY_ADMIN: Hex = '0x4200000000000000000000000000000000000018';
/** ERC-1967. */
const IMPLEMENTATION_SLOT: Hex = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const PROXY = 'bedrock-0.17.2:Proxy';

/** The accounts that a fork's genesis layer changed, and their names. */
export interface BuiltLayer {
  readonly fork: string;
  readonly accounts: ReadonlyMap<Hex, MachineAccount>;
}

/** L2 state after the layers up to a fork. The next fork's upgrade bundle runs on it. */
export interface LayeredL2 {
  readonly machine: Machine;
  readonly names: Map<Hex, string>;
  /** Code of a predeploy's proxy. */
  readonly proxyCode: Hex;
}

export async function startL2(): Promise<LayeredL2> {
  const machine = await Machine.create();
  const namespace: Hex = '0x42000000000000000000000000000000000007ff';
  await machine.deployAt(namespace, creation(PROXY, [PROXY_ADMIN]), PROXY_ADMIN);
  const proxyCode = machine.codeAt(namespace);
  return { machine: await Machine.create(), names: new Map(), proxyCode };
}

/** Applies a fork's genesis layer and returns the accounts that it changed. */
export async function applyLayer(l2: LayeredL2, fork: ManifestFork): Promise<BuiltLayer> {
  const before = l2.machine.dump();
  const { machine, names } = l2;
  for (const implementation of fork.implementations ?? []) await implement(l2, implementation);
  for (const { address, name, artefact } of fork.unproxied ?? []) {
    await machine.deployAt(address, creation(artefact), stand('owner'));
    await machine.place(address, machine.codeAt(address), 0);
    names.set(address, name);
  }
  for (const name of fork.preinstalls ?? []) {
    const { address, code } = await preinstall(name);
    await machine.place(address, code, 1);
    names.set(address, name);
  }
  for (const { name, sender, creation } of fork.system ?? []) {
    const address = lowerHex(getContractAddress({ from: sender, nonce: 0n }));
    await machine.deployAt(address, creation, sender);
    names.set(address, name);
  }
  for (const call of fork.calls ?? []) await machine.call(call.from, call.to, calldata(call.artefact, call.call));
  return { fork: fork.fork, accounts: changed(before, machine.dump()) };
}

/** Puts an implementation at its code-namespace address behind the predeploy's proxy. */
async function implement({ machine, names, proxyCode }: LayeredL2, contract: ManifestImplementation): Promise<void> {
  const { predeploy, name } = contract;
  const at = codeAddress(predeploy);
  await machine.clear(at);
  await machine.deployAt(at, creation(contract.artefact, contract.args), stand('owner'));
  await machine.place(at, machine.codeAt(at), 0);
  names.set(at, `${name}Implementation`);
  names.set(predeploy, name);
  if (machine.dump().get(predeploy) === undefined) {
    await machine.deployAt(predeploy, creation(PROXY, [PROXY_ADMIN]), PROXY_ADMIN);
    await machine.place(predeploy, proxyCode, 0);
  }
  await machine.store(predeploy, IMPLEMENTATION_SLOT, at);
  for (const [key, value] of Object.entries(contract.storage ?? {}))
    await machine.store(predeploy, hexOf(key), hexOf(resolve(value)));
  if (contract.initialize !== undefined && hasInitializer(contract.artefact)) {
    await machine.call(stand('owner'), predeploy, calldata(contract.artefact, 'initialize', contract.initialize));
  }
}

function hasInitializer(name: string): boolean {
  return artefact(name).abi.some((entry) => entry.type === 'function' && entry.name === 'initialize');
}

/** 0xc0d3…XXXX for 0x4200…XXXX. */
function codeAddress(predeploy: Hex): Hex {
  return `0xc0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3c0d3${predeploy.slice(-4)}`;
}

function changed(
  before: ReadonlyMap<Hex, MachineAccount>,
  after: ReadonlyMap<Hex, MachineAccount>,
): Map<Hex, MachineAccount> {
  const out = new Map<Hex, MachineAccount>();
  for (const [address, account] of after) {
    const was = before.get(address);
    if (was === undefined || JSON.stringify(plain(was)) !== JSON.stringify(plain(account))) out.set(address, account);
  }
  return out;
}

function plain(account: MachineAccount) {
  return [account.nonce, account.code, [...account.storage].sort()];
}

/** 32-byte word of an address, without `0x`. */
export function addressWord(address: Hex): string {
  return pad(address).slice(2);
}
