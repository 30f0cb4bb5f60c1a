import type { Plan } from '../plan/plan.ts';
import type { Layer } from './layer.ts';

/** Returns the names of a layer's known addresses, in lower case: contracts, roles and funded accounts. */
export function namesAt(
  plan: Plan,
  layer: Layer,
  inboxes: readonly (readonly [string, string])[],
): ReadonlyMap<string, string> {
  const { l1, chains } = plan.network;
  const names = new Map<string, string>();
  const add = (address: string, name: string) => {
    if (!names.has(address.toLowerCase())) names.set(address.toLowerCase(), name);
  };
  const accounts = (prefix: string, list: (typeof chains)[number]['accounts']) => {
    let index = 0;
    for (const { address, role } of list) add(address, `${prefix}${role ?? `account ${index++}`}`);
  };
  if (layer.kind === 'l2') {
    for (const [name, address] of Object.entries(layer.chain.contracts.l2)) add(address, name);
    accounts('', layer.chain.accounts);
    return names;
  }
  for (const [name, address] of Object.entries(l1.contracts)) add(address, name);
  for (const { name: chain, contracts, accounts: list } of chains) {
    const prefix = chains.length > 1 ? `${chain} ` : '';
    for (const [name, address] of Object.entries(contracts.l1)) add(address, `${prefix}${name}`);
    accounts(prefix, list);
  }
  for (const [chain, address] of inboxes) add(address, chains.length > 1 ? `${chain} batch inbox` : 'batch inbox');
  return names;
}
