interface Account {
  readonly code?: string;
  readonly storage?: Readonly<object>;
}

/** Addresses of predeploys and their implementations. Their storage at genesis has no balances. */
const PREDEPLOY = /^0x(42000{33}[0-9a-f]{3}|(c0d3){9}[0-9a-f]{4})$/;
/** PUSH4 of `balanceOf(address)` (ERC-20, ERC-721) and `balanceOf(address,uint256)` (ERC-1155). */
const BALANCE_OF = /63(70a08231|00fdd58e)/;
/** Slot of the implementation's address (ERC-1967). */
const IMPLEMENTATION = '360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
/** Code of a minimal proxy (ERC-1167). */
const CLONE = /^0x363d3d373d3d3d363d73([0-9a-f]{40})5af4/;

/** Returns the accounts of a genesis state that are tokens with storage, proxies of tokens included. */
export function tokensOf(accounts: Readonly<Record<string, Account>>): readonly string[] {
  const byAddress = new Map(Object.entries(accounts).map(([address, account]) => [address.toLowerCase(), account]));
  const isToken = (account: Account): boolean => {
    const code = account.code?.toLowerCase() ?? '0x';
    const target = CLONE.exec(code)?.[1] ?? implementationOf(account);
    const behind = target === undefined ? undefined : byAddress.get(`0x${target}`);
    return BALANCE_OF.test(code) || BALANCE_OF.test(behind?.code?.toLowerCase() ?? '');
  };
  const hasBalances = ({ storage = {} }: Account) => Object.keys(storage).length > 0;
  return Object.entries(accounts)
    .filter(([address, account]) => !PREDEPLOY.test(address) && hasBalances(account) && isToken(account))
    .map(([address]) => address);
}

function implementationOf({ storage = {} }: Account): string | undefined {
  const slot = Object.entries(storage).find(([key]) => key.toLowerCase().endsWith(IMPLEMENTATION));
  return slot === undefined ? undefined : String(slot[1]).toLowerCase().slice(-40);
}
