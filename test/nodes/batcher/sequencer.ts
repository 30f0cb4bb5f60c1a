import * as z from 'zod';
import { decodeDeposit, isDeposit } from '../../../src/protocol/codec/deposit.ts';
import { decodeTransaction, type TransactionField } from '../../../src/protocol/codec/transaction.ts';
import type { Rollup } from '../../../src/protocol/derivation/ports.ts';
import { keccak256 } from '../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes, quantity } from '../../../src/protocol/hex.ts';
import type { ExecutionPayload, Hex, L1BlockRef, L2BlockRef } from '../../../src/protocol/types.ts';
import { method, param } from '../../../src/rpc/method.ts';
import { type RunningServer, serve } from '../../../src/rpc/server/server.ts';

/** Answers of the scripted sequencer, which the test changes. */
export interface SequencerState {
  readonly rollup: Rollup;
  /** Fork times as rollup.json spells them. */
  forkTimes: Readonly<Record<string, number>>;
  chain: readonly ExecutionPayload[];
  unsafe: L2BlockRef;
  safe: L2BlockRef;
  headL1: L1BlockRef;
  currentL1: L1BlockRef;
  /** Count of sync status requests. */
  statusAsked: number;
  /** Limits that the execution client received; undefined: it does not serve the method. */
  limits: (readonly [Hex, Hex])[] | undefined;
}

/** Rollup node and execution client of a sequencer on one port. */
export async function serveSequencer(state: SequencerState): Promise<RunningServer & { readonly url: string }> {
  const methods = {
    eth_chainId: method('', z.tuple([]), () => quantity(state.rollup.config.l2_chain_id)),
    eth_getBlockByNumber: method('', z.tuple([z.string(), z.boolean()]), (_: undefined, [number]) => {
      const payload = state.chain[Number(number)];
      return payload === undefined ? null : blockJson(payload);
    }),
    optimism_rollupConfig: method('', z.tuple([]), () => ({ ...state.rollup.config, ...state.forkTimes })),
    optimism_syncStatus: method('', z.tuple([]), () => {
      state.statusAsked++;
      return { current_l1: state.currentL1, head_l1: state.headL1, unsafe_l2: state.unsafe, safe_l2: state.safe };
    }),
    ...(state.limits && {
      miner_setMaxDASize: method('', z.tuple([param.quantity, param.quantity]), (_: undefined, [tx, block]) => {
        state.limits?.push([quantity(tx), quantity(block)]);
        return true;
      }),
    }),
  };
  const server = await serve({ host: '127.0.0.1', port: 0, http: true, websocket: false, methods, context: undefined });
  return { ...server, url: `http://127.0.0.1:${server.port}` };
}

/** Returns a block as `eth_getBlockByNumber` does, with full transactions. */
export function blockJson(payload: ExecutionPayload): object {
  return {
    blobGasUsed: '0x0',
    excessBlobGas: '0x0',
    withdrawalsRoot: `0x${'00'.repeat(32)}`,
    ...payload,
    hash: payload.blockHash,
    number: quantity(payload.blockNumber),
    timestamp: quantity(payload.timestamp),
    miner: payload.feeRecipient,
    mixHash: payload.prevRandao,
    gasLimit: quantity(payload.gasLimit),
    gasUsed: quantity(payload.gasUsed),
    baseFeePerGas: quantity(payload.baseFeePerGas),
    transactions: payload.transactions.map(transactionJson),
  };
}

const QUANTITIES: readonly TransactionField[] = [
  'chainId',
  'nonce',
  'maxPriorityFeePerGas',
  'maxFeePerGas',
  'gas',
  'value',
  'v',
  'r',
  's',
];

function transactionJson(encoded: Hex): object {
  const hash = keccak256(encoded);
  if (isDeposit(encoded)) {
    const { isSystemTransaction, data, mint, value, gas, ...rest } = decodeDeposit(hexToBytes(encoded));
    return {
      ...rest,
      type: '0x7e',
      hash,
      input: data,
      isSystemTx: isSystemTransaction,
      mint: quantity(mint),
      value: quantity(value),
      gas: quantity(gas),
    };
  }
  const { type, fields } = decodeTransaction(hexToBytes(encoded));
  const json = Object.fromEntries(
    Object.entries(fields).map(([name, item]) => {
      const hex = item instanceof Uint8Array ? bytesToHex(item) : [];
      const isQuantity = QUANTITIES.includes(name as TransactionField);
      return [name, isQuantity ? quantity(BigInt(hex === '0x' ? 0 : (hex as Hex))) : hex];
    }),
  );
  return { ...json, input: json['data'], type: quantity(type), hash };
}
