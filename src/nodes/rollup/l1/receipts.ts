import { asBytes, asList, rlpDecode } from '../../../protocol/codec/rlp.ts';
import { bytesToHex, hexToBytes, lowerHex } from '../../../protocol/hex.ts';
import type { Hex, L1Receipt } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { jsonField, jsonObjects } from '../../../rpc/json-object.ts';
import { encodeReceipt } from '../../rpc-types/receipt.ts';
import { readReceipt } from './block.ts';
import { L1Error } from './error.ts';
import type { Requester } from './requests.ts';

type Json = Readonly<Record<string, unknown>>;

/** The block to fetch receipts of. */
export interface ReceiptsBlock {
  readonly header: { readonly number: number };
  readonly transactionHashes: readonly Hex[];
}

/** A receipt as L1 returned it, and its encoding for the receipts root. */
export interface FetchedReceipt {
  encode(): Uint8Array;
  /** `firstLog`: index of its first log in the block. @throws Error on a field that is missing or malformed */
  read(firstLog: number): L1Receipt;
}

/** A method that returns all receipts of a block (op-service: `ReceiptsFetchingMethod`). */
interface Method {
  /** `block`: resolves when the block is read. A method that needs its hash alone is sent beside that request. */
  params(hash: Hex, block: Promise<ReceiptsBlock>): readonly unknown[] | Promise<readonly unknown[]>;
  /** Extracts the list from the answer. */
  list?(answer: unknown): unknown;
  readonly isRaw?: boolean;
}

const byHash = { params: (hash: Hex) => [hash] };
const METHODS = {
  eth_getBlockReceipts: byHash,
  erigon_getBlockReceiptsByBlockHash: byHash,
  debug_getRawReceipts: { ...byHash, isRaw: true },
  parity_getBlockReceipts: { params: async (_, block) => [`0x${(await block).header.number.toString(16)}`] },
  alchemy_getTransactionReceipts: {
    params: (hash) => [{ blockHash: hash }],
    list: (answer) => jsonField(answer, 'receipts'),
  },
} as const satisfies Record<string, Method>;
type MethodName = keyof typeof METHODS;

/**
 * Methods to try by kind of provider (`l1.rpckind`), best first (op-service: `AvailableReceiptsFetchingMethods`).
 * After them, receipts are fetched one by one.
 */
export const RECEIPT_KINDS = {
  standard: ['eth_getBlockReceipts'],
  any: [
    'alchemy_getTransactionReceipts',
    'debug_getRawReceipts',
    'erigon_getBlockReceiptsByBlockHash',
    'eth_getBlockReceipts',
    'parity_getBlockReceipts',
  ],
  basic: [],
  alchemy: ['alchemy_getTransactionReceipts', 'eth_getBlockReceipts'],
  quicknode: ['debug_getRawReceipts', 'eth_getBlockReceipts'],
  infura: [],
  parity: ['parity_getBlockReceipts'],
  nethermind: ['parity_getBlockReceipts'],
  debug_geth: ['debug_getRawReceipts'],
  erigon: ['erigon_getBlockReceiptsByBlockHash'],
} as const satisfies Record<string, readonly MethodName[]>;
/** A kind of provider (op-service: `RPCProviderKind`). */
export type ReceiptKind = keyof typeof RECEIPT_KINDS;

/** Milliseconds until a method that the endpoint did not support is tried again. */
const METHOD_RETRY_MS = 60_000;

/**
 * Creates a fetcher of all receipts of a block (op-service: `RPCReceiptsFetcher`, `PickReceiptsMethod`).
 * @throws L1Error not-found if L1 has none (any more)
 */
export function receiptFetcher(request: Requester, kind: ReceiptKind) {
  const lackedUntil = new Map<MethodName, number>();

  return async (hash: Hex, reading: Promise<ReceiptsBlock>): Promise<readonly FetchedReceipt[]> => {
    for (const name of RECEIPT_KINDS[kind]) {
      if ((lackedUntil.get(name) ?? 0) > performance.now()) continue;
      const method: Method = METHODS[name];
      try {
        const answer = await request(name, await method.params(hash, reading));
        if (answer === null) throw new L1Error('not-found', `L1 has no receipts of block ${hash}`);
        const list = method.list?.(answer) ?? answer;
        if (!method.isRaw) return jsonObjects(list, `answer to ${name}`).map(jsonReceipt);
        if (!Array.isArray(list)) throw new Error(`answer to ${name}: expected a list`);
        const block = await reading;
        return list.map((item, at) => rawReceipt(lowerHex(String(item)), block, at));
      } catch (error) {
        if (!(error instanceof RpcError && error.code === RPC_CODE.methodNotFound)) throw error;
        lackedUntil.set(name, performance.now() + METHOD_RETRY_MS);
      }
    }
    const block = await reading;
    const receipts = await Promise.all(
      block.transactionHashes.map((hash) => request('eth_getTransactionReceipt', [hash])),
    );
    if (receipts.some((receipt) => receipt === null))
      throw new L1Error('not-found', `L1 lacks receipts of block ${hash}`);
    return jsonObjects(receipts, 'receipts').map(jsonReceipt);
  };
}

function jsonReceipt(json: Json): FetchedReceipt {
  return { encode: () => encodeReceipt(json), read: () => readReceipt(json) };
}

/**
 * Reads a receipt in its consensus encoding (EIP-2718; op-service: `DecodeRawReceipts`).
 * It holds neither the transaction hash nor log indices.
 */
function rawReceipt(hex: Hex, { transactionHashes }: ReceiptsBlock, at: number): FetchedReceipt {
  const bytes = hexToBytes(hex);
  const transactionHash: Hex = transactionHashes[at] ?? `0x${'0'.repeat(64)}`;
  return {
    encode: () => bytes,
    read(firstLog) {
      const body = (bytes[0] ?? 0) < 0xc0 ? bytes.subarray(1) : bytes;
      const [status, , , logs] = asList(rlpDecode(body), 'receipt', 4);
      return {
        transactionHash,
        status: asBytes(status, 'status')[0] === 1,
        logs: asList(logs, 'logs').map((log, index) => {
          const [address, topics, data] = asList(log, 'log', 3);
          return {
            address: bytesToHex(asBytes(address, 'address')),
            topics: asList(topics, 'topics').map((topic) => bytesToHex(asBytes(topic, 'topic'))),
            data: bytesToHex(asBytes(data, 'data')),
            logIndex: firstLog + index,
            transactionHash,
          };
        }),
      };
    },
  };
}
