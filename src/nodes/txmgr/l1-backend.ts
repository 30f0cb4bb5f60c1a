import { quantity } from '../../protocol/hex.ts';
import type { Hex } from '../../protocol/types.ts';
import type { Outcome, Request, RpcClient } from '../../rpc/client/client.ts';
import { RpcError } from '../../rpc/error.ts';
import { jsonField } from '../../rpc/json-object.ts';
import type { GasPrices } from './fees.ts';

interface L1Head {
  readonly number: number;
  readonly hash: Hex;
  /** Unix seconds */
  readonly timestamp: number;
}

interface RpcHead {
  readonly number: Hex;
  readonly hash: Hex;
  readonly timestamp: Hex;
  readonly baseFeePerGas?: Hex;
}

interface RpcReceipt {
  readonly transactionHash: Hex;
  readonly blockHash: Hex;
  readonly blockNumber: Hex;
  readonly status: Hex;
}

/** The block that includes a transaction, and the outcome. */
export interface Inclusion {
  readonly hash: Hex;
  readonly blockHash: Hex;
  readonly blockNumber: number;
  readonly success: boolean;
}

/** The nonce of an account at the head, and the prices there. */
export interface Terms {
  readonly nonce: number;
  readonly prices: GasPrices;
}

/** L1 as the transaction manager reads it (op-service: `ETHBackend`). */
export interface L1Backend {
  chainId(): Promise<number>;
  head(): Promise<L1Head>;
  /** Returns the hash of the chain's block of a number; undefined if the chain is shorter. */
  blockHash(number: number): Promise<Hex | undefined>;
  gasPrices(): Promise<GasPrices>;
  /** Returns nonce and prices for a new transaction of an account, with one request. */
  terms(address: Hex): Promise<Terms>;
  /** Returns the account's nonce at the head, or at a block number. */
  nonce(address: Hex, at?: number): Promise<number>;
  balance(address: Hex): Promise<bigint>;
  estimateGas(from: Hex, to: Hex, data: Hex, value?: bigint): Promise<number>;
  send(raw: Hex): Promise<void>;
  /** Returns the inclusion of the first included one of these; undefined for none. */
  inclusion(hashes: readonly Hex[]): Promise<Inclusion | undefined>;
  /** Tells whether L1's pool or chain has the transaction. */
  knows(hash: Hex): Promise<boolean>;
}

/** Timeout of a send, ms: blobs and their verification take longer than other calls. */
const SEND_TIMEOUT_MS = 60_000;

const PRICE_REQUESTS: readonly Request[] = [
  { method: 'eth_getBlockByNumber', params: ['latest', false] },
  { method: 'eth_maxPriorityFeePerGas' },
  { method: 'eth_blobBaseFee' },
];

/**
 * Reads the answers to `PRICES` (op-service: `DefaultGasPriceEstimatorFn`).
 * An L1 without tips or blobs answers errors to the last two.
 */
function pricesIn([block, tip, blobFee]: readonly Outcome[]): GasPrices {
  return {
    baseFee: BigInt(String(jsonField(resultOf(block), 'baseFeePerGas') ?? 0)),
    tip: tip?.ok ? BigInt(String(tip.result)) : 0n,
    blobBaseFee: blobFee?.ok ? BigInt(String(blobFee.result)) : 0n,
  };
}

function resultOf(outcome: Outcome | undefined): unknown {
  if (!outcome?.ok) throw outcome?.error ?? new Error('L1 answered fewer results than requests');
  return outcome.result;
}

/** Creates the backend over JSON-RPC. Methods throw RpcError and TransportError. */
export function l1Backend(rpc: RpcClient): L1Backend {
  return {
    chainId: async () => Number(await rpc.call<Hex>('eth_chainId')),
    async head() {
      const { number, hash, timestamp } = await rpc.call<RpcHead>('eth_getBlockByNumber', ['latest', false]);
      return { number: Number(number), hash, timestamp: Number(timestamp) };
    },
    blockHash: async (number) =>
      (await rpc.call<RpcHead | null>('eth_getBlockByNumber', [quantity(number), false]))?.hash,
    gasPrices: async () => pricesIn(await rpc.batch(PRICE_REQUESTS)),
    async terms(address) {
      const count = { method: 'eth_getTransactionCount', params: [address, 'latest'] };
      const [nonce, ...prices] = await rpc.batch([count, ...PRICE_REQUESTS]);
      return { nonce: Number(resultOf(nonce)), prices: pricesIn(prices) };
    },
    nonce: async (address, at) =>
      Number(await rpc.call<Hex>('eth_getTransactionCount', [address, at === undefined ? 'latest' : quantity(at)])),
    balance: async (address) => BigInt(await rpc.call<Hex>('eth_getBalance', [address, 'latest'])),
    estimateGas: async (from, to, data, value = 0n) =>
      Number(await rpc.call<Hex>('eth_estimateGas', [{ from, to, data, value: quantity(value) }, 'pending'])),
    async send(raw) {
      await rpc.call('eth_sendRawTransaction', [raw], { timeoutMs: SEND_TIMEOUT_MS });
    },
    async inclusion(hashes) {
      const outcomes = await rpc.batch<RpcReceipt | null>(
        hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
      );
      for (const outcome of outcomes) {
        if (!outcome.ok) {
          if (outcome.error instanceof RpcError) continue;
          throw outcome.error;
        }
        const receipt = outcome.result;
        if (receipt === null) continue;
        return {
          hash: receipt.transactionHash,
          blockHash: receipt.blockHash,
          blockNumber: Number(receipt.blockNumber),
          success: BigInt(receipt.status) === 1n,
        };
      }
      return undefined;
    },
    knows: async (hash) => (await rpc.call('eth_getTransactionByHash', [hash])) !== null,
  };
}
