import { rpc } from '../devnet.ts';

interface Range {
  readonly accounts: Readonly<Record<string, { readonly balance: string }>>;
  /** Where the next range begins, in base64; absent at the end. */
  readonly next?: string;
}

/** Accounts of one answer: the most that an execution client gives. */
const MAX_ACCOUNTS = 256;

/** Returns the ether (wei) of all accounts of a state, by `debug_accountRange`. */
export async function etherOfAll(url: string, block: string): Promise<bigint> {
  let sum = 0n;
  let start: string | undefined = '0x';
  while (start !== undefined) {
    const { accounts, next }: Range = await rpc(url, 'debug_accountRange', block, start, MAX_ACCOUNTS, true, true);
    for (const { balance } of Object.values(accounts)) sum += BigInt(balance);
    start = next === undefined ? undefined : `0x${Buffer.from(next, 'base64').toString('hex')}`;
  }
  return sum;
}
