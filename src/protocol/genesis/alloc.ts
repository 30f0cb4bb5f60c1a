import { findFork, isActive } from '../forks/index.ts';
import { lowerHex } from '../hex.ts';
import { present } from '../present.ts';
import type { Hex } from '../types.ts';
import { l1Addresses } from './addresses.ts';
import type { AccountTemplate, GenesisContracts, GenesisLayer, SlotValues } from './contracts.ts';
import { GenesisError } from './error.ts';
import { layAlloc } from './extra-alloc.ts';
import type { GenesisAccount, GenesisAlloc } from './file/account.ts';
import type { ChainGenesisInputs, FundedAccount, L1GenesisInputs } from './inputs.ts';
import { l1SlotValues, slotValues } from './slots.ts';
import { fill } from './template.ts';

/** 10,000 ether, for role accounts on L1. */
const ROLE_BALANCE = 10_000n * 10n ** 18n;
const ZERO_WORD = '0'.repeat(64);

/** Fills templates with a chain's values; code is filled once per distinct code. */
class Instance {
  readonly #contracts: GenesisContracts;
  readonly #values: SlotValues;
  readonly #codes = new Map<number, Hex>();

  constructor(contracts: GenesisContracts, values: SlotValues) {
    this.#contracts = contracts;
    this.#values = values;
  }

  code(index: number | undefined): Hex {
    if (index === undefined) return '0x';
    const entry = this.#codes.get(index);
    if (entry !== undefined) return entry;
    const template = present(this.#contracts.codes[index], `code ${index} of the genesis contracts`);
    const code: Hex = `0x${fill(template, this.#values, this.#contracts.slots)}`;
    this.#codes.set(index, code);
    return code;
  }

  entry(template: AccountTemplate): [Hex, GenesisAccount] {
    const { slots } = this.#contracts;
    const storage: Record<Hex, Hex> = {};
    for (const [key, value] of Object.entries(template.storage ?? {})) {
      const filled = fill(value, this.#values, slots);
      if (filled !== ZERO_WORD) storage[`0x${key}`] = `0x${filled}`;
    }
    const account = { balance: 0n, nonce: template.nonce ?? 0, code: this.code(template.code), storage };
    return [`0x${fill(template.address, this.#values, slots)}`, account];
  }
}

/**
 * Makes the L2 genesis state (op-chain-ops: the `ForgeAllocs` of `BuildL2Genesis`).
 * The genesis time matters only through the forks active at genesis.
 * @throws GenesisError
 */
export function l2Alloc(inputs: ChainGenesisInputs, contracts: GenesisContracts): GenesisAlloc {
  const instance = new Instance(contracts, slotValues(inputs, contracts));
  const { namespace, precompiles } = contracts.l2;
  const alloc = new Map<Hex, GenesisAccount>();
  for (let index = 0; index < precompiles; index++) alloc.set(addressAt('0'.repeat(40), index), funded(1n));
  const storage: Record<Hex, Hex> = {};
  for (const [key, value] of Object.entries(namespace.storage)) storage[`0x${key}`] = `0x${value}`;
  const proxy: GenesisAccount = { balance: 0n, nonce: 0, code: instance.code(namespace.code), storage };
  for (let index = 0; index < namespace.count; index++) alloc.set(addressAt(namespace.first, index), proxy);
  for (const layer of layersAt(inputs, contracts)) {
    for (const template of layer.accounts) alloc.set(...instance.entry(template));
  }
  fund(alloc, inputs.accounts);
  layAlloc(alloc, inputs.alloc ?? {});
  return alloc;
}

/**
 * Makes the L1 genesis state: contracts of all chains, and the funded accounts and roles of each.
 * Counterpart in op-chain-ops: the `ForgeAllocs` of `BuildL1DeveloperGenesis`.
 * @throws GenesisError
 */
export function l1Alloc(inputs: L1GenesisInputs, contracts: GenesisContracts): GenesisAlloc {
  const alloc = new Map<Hex, GenesisAccount>();
  const shared = new Instance(contracts, l1SlotValues(inputs.chainId));
  for (const template of contracts.l1.shared) alloc.set(...shared.entry(template));
  for (const chain of inputs.chains) {
    const instance = new Instance(contracts, slotValues(chain, contracts));
    const templates = [...contracts.l1.perChain, ...contracts.l1.systems[chain.withdrawals.system]];
    for (const template of templates) alloc.set(...instance.entry(template));
    const { owner, proposer, challenger } = chain.roles;
    const roles = [owner, proposer, challenger, chain.systemConfig.batcherAddr];
    fund(
      alloc,
      roles.map((address) => ({ address, balance: String(ROLE_BALANCE) })),
    );
    fund(alloc, chain.accounts);
    const portal = present(l1Addresses(chain.chainId, contracts)['OptimismPortal'], 'address of the portal');
    fund(alloc, [{ address: portal, balance: chain.withdrawals.portalBalance }]);
  }
  fund(alloc, inputs.accounts);
  layAlloc(alloc, inputs.alloc ?? {});
  return alloc;
}

/** Returns the layers of the forks that are active at genesis, oldest first. */
export function layersAt(
  { schedule, genesisTime }: ChainGenesisInputs,
  contracts: GenesisContracts,
): readonly GenesisLayer[] {
  return contracts.l2.layers.filter(({ fork }) => {
    const definition = findFork(fork);
    return definition !== undefined && isActive(schedule, definition.name, genesisTime);
  });
}

/** Returns the address (lower case) and the wei of a funded account. @throws GenesisError */
export function balanceOf({ address, balance }: FundedAccount): readonly [Hex, bigint] {
  if (/^0x[0-9a-fA-F]{40}$/.test(address) && /^\d+$/.test(balance)) return [lowerHex(address), BigInt(balance)];
  throw new GenesisError(
    'account',
    `cannot fund "${address}" with "${balance}": expected a 20-byte address and decimal wei`,
    { address, balance },
  );
}

function fund(alloc: Map<Hex, GenesisAccount>, accounts: readonly FundedAccount[]): void {
  for (const account of accounts) {
    const [at, balance] = balanceOf(account);
    alloc.set(at, { ...(alloc.get(at) ?? funded(0n)), balance });
  }
}

function funded(balance: bigint): GenesisAccount {
  return { balance, nonce: 0, code: '0x', storage: {} };
}

function addressAt(first: string, index: number): Hex {
  return `0x${first.slice(0, 36)}${index.toString(16).padStart(4, '0')}`;
}
