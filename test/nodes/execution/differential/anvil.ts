import { gunzipSync } from 'node:zlib';
import { genesisState } from '../../../../src/nodes/execution/chain/genesis.ts';
import { bytesToHex, hexToBytes, quantity } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import type { RpcClient } from '../../../../src/rpc/client/client.ts';
import { httpClient } from '../../../../src/rpc/client/http-client.ts';
import { Anvil } from '../../../protocol/genesis/anvil.ts';
import { type Alloc, CHAIN_ID } from '../support/genesis.ts';
import type { BlockEnvironment, BlockOutcome, Outcome } from './block.ts';
import { BASE_FEE } from './transactions.ts';

const GENESIS_TIME = 1_700_000_000;
const GAS_LIMIT = 1_000_000_000;

interface AnvilBlock {
  readonly environment: BlockEnvironment;
  readonly transactions: readonly Uint8Array[];
  readonly outcome: BlockOutcome;
}

/** Lets anvil mine the transactions block by block. Returns the blocks and their outcomes. */
export async function mineWithAnvil(
  hardfork: string,
  alloc: Alloc,
  blocks: readonly (readonly Uint8Array[])[],
  options: { readonly extra?: readonly string[]; readonly deposits?: readonly Uint8Array[] } = {},
): Promise<AnvilBlock[]> {
  const genesis = {
    config: { chainId: CHAIN_ID },
    timestamp: quantity(GENESIS_TIME),
    gasLimit: quantity(GAS_LIMIT),
    difficulty: '0x0',
    alloc: complete(alloc),
  };
  await using anvil = await Anvil.start(
    CHAIN_ID,
    genesis,
    ['--accounts', '1', '--balance', '0', '--disable-default-create2-deployer', ...(options.extra ?? [])],
    hardfork as never,
  );
  const rpc = httpClient({ url: anvil.url, timeoutMs: 60_000 });
  try {
    const mined: AnvilBlock[] = [];
    for (const [at, transactions] of blocks.entries())
      mined.push(await mine(rpc, at + 1, options.deposits ?? [], transactions));
    const last = mined.at(-1);
    if (last === undefined) return mined;
    return [...mined.slice(0, -1), { ...last, outcome: { ...last.outcome, stateRoot: await rootOf(rpc) } }];
  } finally {
    rpc.close();
  }
}

/** anvil requires a balance for every account. */
const complete = (alloc: Alloc) =>
  Object.fromEntries(Object.entries(alloc).map(([address, account]) => [address, { balance: '0x0', ...account }]));

async function mine(
  rpc: RpcClient,
  number: number,
  deposits: readonly Uint8Array[],
  transactions: readonly Uint8Array[],
): Promise<AnvilBlock> {
  const timestamp = GENESIS_TIME + number;
  await rpc.call('anvil_setNextBlockBaseFeePerGas', [quantity(BASE_FEE)]);
  await rpc.call('evm_setNextBlockTimestamp', [quantity(timestamp)]);
  const sent: Hex[] = [];
  for (const raw of [...deposits, ...transactions])
    sent.push(await rpc.call<Hex>('eth_sendRawTransaction', [bytesToHex(raw)]));
  await rpc.call('evm_mine', []);
  const block = await rpc.call<Record<string, Hex> & { transactions: Hex[] }>('eth_getBlockByNumber', [
    quantity(number),
    false,
  ]);
  if (block.transactions.length !== sent.length)
    throw new Error(`anvil mined ${block.transactions.length} of ${sent.length} transactions of block ${number}`);
  const receipts = await rpc.call<AnvilReceipt[]>('eth_getBlockReceipts', [quantity(number)]);
  return {
    environment: {
      number,
      timestamp: Number(block['timestamp']),
      coinbase: block['miner']!,
      prevRandao: block['mixHash']!,
      gasLimit: Number(block['gasLimit']),
      baseFee: BigInt(block['baseFeePerGas']!),
      parentHash: block['parentHash']!,
      hash: block['hash']!,
    },
    // In block order, which may differ from the order of submission.
    transactions: inOrder(transactions, sent.slice(deposits.length), block.transactions.slice(deposits.length)),
    outcome: { outcomes: receipts.slice(deposits.length).map(outcomeOf), stateRoot: undefined },
  };
}

/**
 * Computes the root of anvil's state from its dump.
 * The root in its header counts empty accounts, which clients remove since EIP-161.
 */
async function rootOf(rpc: RpcClient): Promise<Hex> {
  const dump = gunzipSync(hexToBytes(await rpc.call<Hex>('anvil_dumpState', []))).toString('utf8');
  const { accounts } = JSON.parse(dump) as { accounts: Record<Hex, DumpedAccount> };
  const alive = Object.entries(accounts).filter(
    ([, { nonce, balance, code }]) => BigInt(nonce) !== 0n || BigInt(balance) !== 0n || code.length > 2,
  );
  const alloc = Object.fromEntries(
    alive.map(([address, { nonce, balance, code, storage }]) => [
      address,
      { nonce: String(nonce), balance, code, storage },
    ]),
  );
  return bytesToHex(genesisState(alloc).root);
}

interface DumpedAccount {
  readonly nonce: number;
  readonly balance: Hex;
  readonly code: Hex;
  readonly storage: Record<Hex, Hex>;
}

interface AnvilReceipt {
  readonly status: Hex;
  readonly gasUsed: Hex;
  readonly cumulativeGasUsed: Hex;
  readonly contractAddress: Hex | null;
  readonly logs: readonly { readonly address: Hex; readonly topics: readonly Hex[]; readonly data: Hex }[];
}

function outcomeOf({ status, gasUsed, cumulativeGasUsed, contractAddress, logs }: AnvilReceipt): Outcome {
  return {
    status: status === '0x1',
    gasUsed: Number(gasUsed),
    cumulativeGasUsed: Number(cumulativeGasUsed),
    contractAddress: contractAddress ?? null,
    logs: logs.map(({ address, topics, data }) => ({ address, topics, data: bytesToHex(hexToBytes(data)) })),
  };
}

function inOrder(raw: readonly Uint8Array[], sent: readonly Hex[], mined: readonly Hex[]): Uint8Array[] {
  const byHash = new Map(sent.map((hash, at) => [hash, raw[at]!]));
  return mined.map((hash) => byHash.get(hash)!);
}
