import { concat } from '../../../protocol/bytes.ts';
import { type RlpItem, rlpEncode, rlpUint } from '../../../protocol/codec/rlp.ts';
import { keccak256Bytes } from '../../../protocol/hash.ts';
import { bytesToHex } from '../../../protocol/hex.ts';
import type { SignedTransaction } from '../transaction/transaction.ts';
import type { CallArguments } from './call-arguments.ts';
import { messageOfCall } from './simulate.ts';

/**
 * Converts a call to a transaction with a zero signature, for simulated blocks.
 * Counterparts: `ToTransaction` of geth, `resolve_transaction` of reth.
 */
export function unsignedTransaction(call: CallArguments, chainId: number, gasLimit: bigint): SignedTransaction {
  const shape = messageOfCall(call, gasLimit);
  const type = shape.authorizationList.length > 0 ? 4 : call.gasPrice == null ? 2 : shape.accessList.length > 0 ? 1 : 0;
  const maxFeePerGas = call.gasPrice ?? call.maxFeePerGas ?? 0n;
  const maxPriorityFeePerGas = call.gasPrice ?? call.maxPriorityFeePerGas ?? 0n;
  const nonce = call.nonce ?? 0n;
  const numbers = (...values: bigint[]) => values.map((value) => rlpUint(value));
  const fields: RlpItem[] = [
    ...(type === 0 ? [] : numbers(BigInt(chainId))),
    ...numbers(nonce, ...(type >= 2 ? [maxPriorityFeePerGas] : []), maxFeePerGas, gasLimit),
    shape.to ?? new Uint8Array(0),
    rlpUint(shape.value),
    shape.data,
    ...(type === 0 ? [] : [shape.accessList.map(({ address, storageKeys }) => [address, [...storageKeys]])]),
    ...(type === 4
      ? [
          shape.authorizationList.map((entry) => [
            rlpUint(entry.chainId),
            entry.address,
            ...numbers(entry.nonce, entry.yParity, entry.r, entry.s),
          ]),
        ]
      : []),
    ...numbers(0n, 0n, 0n),
  ];
  const raw = type === 0 ? rlpEncode(fields) : concat(Uint8Array.of(type), rlpEncode(fields));
  return {
    ...shape,
    type,
    raw,
    hash: bytesToHex(keccak256Bytes(raw)),
    chainId: type === 0 ? undefined : BigInt(chainId),
    nonce,
    maxFeePerGas,
    maxPriorityFeePerGas,
  };
}
