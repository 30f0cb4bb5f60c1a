import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Hex, keccak256, numberToHex, parseTransaction } from 'viem';
import { scriptedClient } from './scripted-run.ts';

/** A transaction that a ledger has taken. */
export interface Taken {
  readonly hash: Hex;
  readonly to: Hex | null;
  readonly value: bigint;
  readonly data: Hex;
  readonly gas: bigint;
  readonly nonce: number;
}

/** What a ledger does, which a test may replace. */
interface Behaviour {
  /** How transactions end. */
  status: 'success' | 'reverted';
  /** Whether blocks include what it took. */
  includes: boolean;
  /** Whether it has receipts of transactions that it did not take, as L2 has those of deposits. */
  knowsAll: boolean;
  /** Balances by address in lower case, wei. */
  readonly balances: Map<string, bigint>;
  /** What a call returns. Undefined: it reverts; a message: it fails for this reason. */
  call: (to: string, data: Hex) => Hex | undefined | { readonly message: string };
  /** Whether it refuses a transaction, and to estimate its gas, as of one that reverts. A text: for this reason. */
  refuses: boolean | string;
  /** Number of the newest block. Each after the first has the receipts of all that it took. */
  newest: number;
  /** Logs of a transaction. */
  logs: (taken: Taken) => readonly object[];
  /** Logs of its blocks. */
  events: readonly object[];
  /** Sender of all transactions, as their receipts name it. */
  sender: Hex;
}

/** An execution client that takes transactions and includes them at once, without executing them. */
export interface Ledger extends Behaviour, Disposable {
  readonly url: string;
  readonly port: number;
  readonly taken: Taken[];
}

/** Number of the block that has all transactions. */
export const LEDGER_BLOCK = 7;
const BLOCK_HASH: Hex = `0x${'cd'.repeat(32)}`;
const ZERO: Hex = `0x${'00'.repeat(20)}`;
const UNKNOWN = { error: { code: -32_601, message: 'the method does not exist' } };

/** Serves a ledger. */
export async function servedLedger(): Promise<Ledger> {
  const taken: Taken[] = [];
  const behaviour: Behaviour = {
    ...{ status: 'success', includes: true, knowsAll: false, refuses: false, balances: new Map() },
    newest: LEDGER_BLOCK,
    call: () => '0x',
    logs: () => [],
    events: [],
    sender: ZERO,
  };
  const receiptOf = (hash: Hex) => {
    const own = taken.find((each) => each.hash === hash);
    if (!behaviour.includes || (own === undefined && !behaviour.knowsAll)) return null;
    return {
      ...{ transactionHash: hash, transactionIndex: '0x0', blockHash: BLOCK_HASH, type: '0x2', to: own?.to ?? null },
      ...{ blockNumber: numberToHex(LEDGER_BLOCK), from: behaviour.sender, gasUsed: '0x5208' },
      ...{ cumulativeGasUsed: '0x5208', effectiveGasPrice: '0x1', logsBloom: `0x${'00'.repeat(256)}` },
      ...{ contractAddress: own?.to === null ? `0x${'99'.repeat(20)}` : null, logs: own ? behaviour.logs(own) : [] },
      status: behaviour.status === 'success' ? '0x1' : '0x0',
    };
  };
  const take = (raw: Hex) => {
    const hash = keccak256(raw);
    const { to = null, value = 0n, data = '0x', gas = 0n, nonce = 0 } = parseTransaction(raw);
    taken.push({ hash, to, value, data, gas, nonce });
    return hash;
  };
  const block = {
    ...{ number: numberToHex(LEDGER_BLOCK), hash: BLOCK_HASH, baseFeePerGas: '0x1', timestamp: '0x64' },
    ...{ gasLimit: '0x1c9c380', transactions: [], stateRoot: `0x${'ee'.repeat(32)}` },
  };
  // A proof that says nothing: L1 does not read it.
  const proof = {
    ...{ address: ZERO, balance: '0x0', codeHash: ZERO, nonce: '0x0', storageHash: `0x${'ff'.repeat(32)}` },
    ...{ accountProof: [], storageProof: [{ key: '0x0', value: '0x1', proof: ['0xc180'] }] },
  };
  const server: Server = await scriptedClient((method, params) => {
    const [first] = params as [never];
    const answers: Readonly<Record<string, () => unknown>> = {
      eth_chainId: () => '0x385',
      eth_blockNumber: () => numberToHex(behaviour.newest),
      eth_getBlockReceipts: () => taken.flatMap(({ hash }) => receiptOf(hash) ?? []),
      eth_getTransactionCount: () => numberToHex(taken.length),
      eth_estimateGas: () => '0x5208',
      eth_maxPriorityFeePerGas: () => '0x1',
      eth_getBlockByNumber: () => block,
      eth_sendRawTransaction: () => take(first),
      eth_getTransactionReceipt: () => receiptOf(first),
      eth_getTransactionByHash: () => taken.find(({ hash }) => hash === first) && { hash: first },
      eth_getLogs: () => behaviour.events,
      eth_getProof: () => proof,
      eth_getBalance: () => numberToHex(behaviour.balances.get(String(first).toLowerCase()) ?? 0n),
      eth_call: () => behaviour.call(first['to'], first['data'] ?? '0x'),
    };
    const result = answers[method]?.();
    const isRefused = behaviour.refuses !== false && ['eth_estimateGas', 'eth_sendRawTransaction'].includes(method);
    if (method === 'eth_call' && typeof result === 'object' && result !== null && 'message' in result)
      return { error: { code: -32_000, message: String(result.message) } };
    if (isRefused && typeof behaviour.refuses === 'string')
      return { error: { code: -32_000, message: behaviour.refuses } };
    if ((method === 'eth_call' && result === undefined) || isRefused)
      return { error: { code: 3, message: 'execution reverted' } };
    return method in answers ? { result: result ?? null } : UNKNOWN;
  });
  const { port } = server.address() as AddressInfo;
  return Object.assign(behaviour, {
    ...{ taken, port, url: `http://127.0.0.1:${port}` },
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  });
}
