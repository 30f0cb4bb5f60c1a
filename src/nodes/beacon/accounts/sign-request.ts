import { keccak256Bytes } from '../../../protocol/hash.ts';
import { bytesToHex, quantity } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type JsonObject, jsonField } from '../../../rpc/json-object.ts';
import { encodeTransaction, encodeUnsigned } from '../../rpc-types/transaction.ts';
import type { Account } from '../../txmgr/account.ts';

/** Calls L1. @throws RpcError of its answer, TransportError without one */
export type CallL1 = (method: string, params: readonly unknown[]) => Promise<unknown>;

/**
 * Completes the request of a transaction as a node with the sender's key does (geth: `setDefaults`), and signs it.
 * @throws RpcError of L1, or if the request has blobs or another chain id
 */
export async function signRequest(account: Account, request: JsonObject, call: CallL1): Promise<Hex> {
  if (request['blobVersionedHashes'] != null || request['blobs'] != null || Number(request['type'] ?? 0) === 3)
    throw invalid('a transaction with blobs is signed by its sender: send it by eth_sendRawTransaction');
  const from = account.address;
  const chainId = await call('eth_chainId', []);
  if (request['chainId'] != null && Number(request['chainId']) !== Number(chainId))
    throw invalid(`the chain id of L1 is ${Number(chainId)}, found ${Number(request['chainId'])}`);
  const present = Object.fromEntries(Object.entries(request).filter(([, value]) => value != null));
  const { input = present['data'] ?? '0x', value = '0x0' } = present;
  const fields: JsonObject = { ...present, ...(await feesOf(present, call)), from, chainId, input, value };
  const gas = present['gas'] ?? (await call('eth_estimateGas', [{ ...present, from }]));
  const nonce = present['nonce'] ?? (await call('eth_getTransactionCount', [from, 'pending']));
  return signFields(account, { ...fields, gas, nonce });
}

/** Signs a transaction whose fields are complete. @throws RpcError if a field is not what its type needs */
export function signFields(account: Account, fields: JsonObject): Hex {
  try {
    const { yParity, r, s } = account.sign(keccak256Bytes(encodeUnsigned(fields)));
    const v = Number(fields['type']) === 0 ? 35 + 2 * Number(fields['chainId']) + yParity : yParity;
    const signature = { yParity: quantity(yParity), v: quantity(v), r: quantity(r), s: quantity(s) };
    return bytesToHex(encodeTransaction({ ...fields, ...signature }));
  } catch (error) {
    throw invalid(error instanceof Error ? error.message : String(error));
  }
}

/** Returns the type of a transaction and its fees, by default twice the base fee and a tip. */
async function feesOf(request: JsonObject, call: CallL1): Promise<JsonObject> {
  if (request['gasPrice'] != null || Number(request['type'] ?? 2) < 2) {
    const gasPrice = request['gasPrice'] ?? (await call('eth_gasPrice', []));
    return { type: request['accessList'] == null ? (request['type'] ?? '0x0') : '0x1', gasPrice };
  }
  const tip = request['maxPriorityFeePerGas'] ?? (await call('eth_maxPriorityFeePerGas', []));
  const maxFeePerGas = request['maxFeePerGas'] ?? quantity(2n * (await baseFee(call)) + BigInt(String(tip)));
  const type = request['authorizationList'] == null ? '0x2' : '0x4';
  return { type, maxPriorityFeePerGas: tip, maxFeePerGas };
}

async function baseFee(call: CallL1): Promise<bigint> {
  const head = await call('eth_getBlockByNumber', ['latest', false]);
  return BigInt(String(jsonField(head, 'baseFeePerGas') ?? 0));
}

function invalid(message: string): RpcError {
  return new RpcError(RPC_CODE.invalidParams, `eth_sendTransaction: ${message}`);
}
