import type { ChainView, Plan } from '../plan/plan.ts';

/** What a wallet or a program needs to reach a chain. */
export interface ConnectPlace {
  /** `L1`, or the chain's name. */
  readonly name: string;
  readonly chainId: number;
  readonly endpoints: readonly { readonly what: string; readonly url: string }[];
  readonly contracts: Readonly<Record<string, string>>;
  /** Funded accounts and roles of a rollup, with the index that `devnet tx` and `devnet deposit` take. */
  readonly accounts: readonly {
    readonly index: number | null;
    readonly address: string;
    readonly role: string | null;
    readonly hasKey: boolean;
  }[];
}

/** Lists L1 and every chain with its addresses. Keys are not among them: the action `keys` gives them. */
export function placesOf({ network: { l1, chains } }: Plan): readonly ConnectPlace[] {
  return [
    {
      ...{ name: 'L1', chainId: l1.chainId, contracts: l1.contracts, accounts: [] },
      endpoints: [
        { what: 'RPC', url: l1.rpc },
        { what: 'WebSocket', url: l1.ws },
        { what: 'beacon API', url: l1.beacon },
      ],
    },
    ...chains.map((chain) => ({
      ...{ name: chain.name, chainId: chain.chainId, accounts: accountsOf(chain) },
      contracts: {
        ...chain.contracts.l2,
        ...Object.fromEntries(
          Object.entries(chain.contracts.l1).map(([name, address]) => [`${name} (on L1)`, address]),
        ),
      },
      endpoints: chain.nodes.flatMap(({ name, el, cl }) => [
        { what: `${name} RPC`, url: el.http },
        { what: `${name} WebSocket`, url: el.ws },
        { what: `${name} rollup node`, url: cl.rpc },
      ]),
    })),
  ];
}

/** Returns the private keys of a chain's funded accounts by address. Those of roles are left out. */
export function keysOf({ accounts }: ChainView): Readonly<Record<string, string>> {
  return Object.fromEntries(
    accounts.flatMap(({ address, privateKey, role }) =>
      privateKey === undefined || role !== undefined ? [] : [[address, privateKey]],
    ),
  );
}

function accountsOf({ accounts }: ChainView): ConnectPlace['accounts'] {
  let next = 0;
  return accounts.map(({ address, role, privateKey }) => {
    const hasKey = privateKey !== undefined && role === undefined;
    return { address, role: role ?? null, hasKey, index: hasKey ? next++ : null };
  });
}
