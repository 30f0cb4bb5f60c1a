import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Machine } from '../../src/build/contracts/machine.ts';
import { type ChainGenesisInputs, type GenesisAlloc, l1Alloc, l2Alloc } from '../../src/protocol/genesis/index.ts';
import type { Hex, UpgradeBundle } from '../../src/protocol/types.ts';
import { contracts, GENESIS_TIME } from '../protocol/genesis/inputs.ts';

export const DEPOSITOR: Hex = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001';
export const L1_BLOCK: Hex = '0x4200000000000000000000000000000000000015';
export const GAS_PRICE_ORACLE: Hex = '0x420000000000000000000000000000000000000f';

/** Creates an EVM over the L2 genesis state of a chain. */
export async function l2Machine(inputs: ChainGenesisInputs): Promise<Machine> {
  return machineOf(l2Alloc(inputs, contracts));
}

/** Creates an EVM over the L1 genesis state with one chain's contracts. */
export async function l1Machine(inputs: ChainGenesisInputs): Promise<Machine> {
  return machineOf(
    l1Alloc({ chainId: 900, hardfork: 'prague', genesisTime: GENESIS_TIME, accounts: [], chains: [inputs] }, contracts),
  );
}

/**
 * Leaves out the proxies beyond the known predeploys.
 * Nothing calls them, and the plain state would copy them at every call.
 */
async function machineOf(alloc: GenesisAlloc): Promise<Machine> {
  const machine = await Machine.create();
  for (const [address, { code, nonce, storage }] of alloc) {
    if (code === '0x' || (address.startsWith('0x4200') && Number(`0x${address.slice(-4)}`) > 0x42)) continue;
    await machine.place(address, code, nonce);
    for (const [key, value] of Object.entries(storage)) await machine.store(address, key as Hex, value);
  }
  return machine;
}

/** Reads an upgrade bundle that the build wrote. */
export function bundle(fork: string): UpgradeBundle {
  const path = join(import.meta.dirname, '..', '..', 'dist', 'bundles', `${fork}.json`);
  return JSON.parse(readFileSync(path, 'utf8')) as UpgradeBundle;
}

/** Runs a bundle's transactions, each with the gas that its deposit brings. */
export async function upgrade(machine: Machine, fork: string): Promise<void> {
  for (const { from, to, data, gasLimit } of bundle(fork).transactions) {
    await machine.call(from, to, data, BigInt(gasLimit - intrinsicGas(data, to === null)));
  }
}

function intrinsicGas(data: Hex, create: boolean): number {
  const bytes = Buffer.from(data.slice(2), 'hex');
  const calldata = bytes.reduce((gas, byte) => gas + (byte === 0 ? 4 : 16), 0);
  return 21_000 + calldata + (create ? 32_000 + 2 * Math.ceil(bytes.length / 32) : 0);
}
