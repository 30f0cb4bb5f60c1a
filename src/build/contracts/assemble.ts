import type { Hex } from 'viem';
import type { AccountTemplate, GenesisContracts, Template } from '../../protocol/genesis/contracts.ts';
import type { WithdrawalSystem } from '../../protocol/genesis/inputs.ts';
import type { BuiltL1 } from './l1.ts';
import { addressWord, type BuiltLayer, type LayeredL2, PROXY_ADMIN } from './l2.ts';
import type { MachineAccount } from './machine.ts';
import { SLOTS, Templater } from './slots.ts';

/** ERC-1967. */
const ADMIN_SLOT = 'b53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103';
/** Predeploy proxies stand at 0x4200…0000 to 0x4200…07ff. */
const NAMESPACE = { first: `4200${'0'.repeat(36)}`, count: 2048 };
/** Addresses 0x00 to 0xff hold 1 wei on public chains, so that touching one never creates an account. */
const PRECOMPILES = 256;

/** The contents of `dist/contracts.json`. */
export function assemble(
  l1: Readonly<Record<WithdrawalSystem, BuiltL1>>,
  l2: LayeredL2,
  layers: readonly BuiltLayer[],
  accounts: GenesisContracts['accounts'],
): GenesisContracts {
  const templater = new Templater();
  const codes: Template[] = [];
  const codeIndex = new Map<Hex, number>();
  const codeOf = (code: Hex): number => {
    const index = codeIndex.get(code);
    if (index !== undefined) return index;
    codeIndex.set(code, codes.length);
    return codes.push(templater.template(code.slice(2), 'code')) - 1;
  };
  const toTemplate = (names: ReadonlyMap<Hex, string>, address: Hex, account: MachineAccount): AccountTemplate => {
    const words = [...account.storage].sort(([a], [b]) => (a < b ? -1 : 1));
    const storage = Object.fromEntries(words.map(([key, value]) => [key, templater.template(value, 'word')]));
    return {
      name: names.get(address) ?? address,
      address: templater.template(address.slice(2), 'address'),
      ...(account.nonce === 0 ? {} : { nonce: account.nonce }),
      code: codeOf(account.code),
      ...(words.length === 0 ? {} : { storage }),
    };
  };
  const all = (names: ReadonlyMap<Hex, string>, dump: ReadonlyMap<Hex, MachineAccount>): AccountTemplate[] =>
    [...dump].map(([address, account]) => toTemplate(names, address, account));

  const accountsOf = ({ names, machine }: BuiltL1) => all(names, machine.dump());
  const onL1 = {
    'output-oracle': accountsOf(l1['output-oracle']),
    'dispute-games': accountsOf(l1['dispute-games']),
  } satisfies Record<WithdrawalSystem, AccountTemplate[]>;
  const inAll = common(Object.values(onL1));
  const withoutCommon = (accounts: readonly AccountTemplate[]) => accounts.filter((account) => !inAll.has(account));
  const contracts: GenesisContracts = {
    version: 1,
    slots: SLOTS,
    codes,
    l1: {
      shared: inAll.accounts.filter(({ address }) => typeof address === 'string'),
      perChain: inAll.accounts.filter(({ address }) => typeof address !== 'string'),
      systems: {
        'output-oracle': withoutCommon(onL1['output-oracle']),
        'dispute-games': withoutCommon(onL1['dispute-games']),
      },
    },
    l2: {
      namespace: { code: codeOf(l2.proxyCode), ...NAMESPACE, storage: { [ADMIN_SLOT]: addressWord(PROXY_ADMIN) } },
      precompiles: PRECOMPILES,
      roots: {},
      layers: layers.map(({ fork, accounts }) => ({ fork, accounts: all(l2.names, accounts) })),
    },
    accounts,
  };
  templater.check();
  return contracts;
}

/** The accounts that every list has, alike in each. */
function common(lists: readonly (readonly AccountTemplate[])[]) {
  const texts = lists.map((list) => new Set(list.map((account) => JSON.stringify(account))));
  const has = (account: AccountTemplate) => texts.every((set) => set.has(JSON.stringify(account)));
  return { accounts: (lists[0] ?? []).filter(has), has };
}
