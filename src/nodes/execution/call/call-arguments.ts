import * as z from 'zod';
import { lowerHex } from '../../../protocol/hex.ts';
import { param } from '../../../rpc/method.ts';

const data = param.data.transform(lowerHex);
const number = param.quantity.transform(Number);

/** Call object of eth_call, eth_estimateGas and similar methods (geth: `TransactionArgs`). */
export const callParam = z
  .object({
    type: param.quantity.nullish(),
    from: param.address.transform(lowerHex).nullish(),
    to: param.address.transform(lowerHex).nullish(),
    gas: param.quantity.nullish(),
    gasPrice: param.quantity.nullish(),
    maxFeePerGas: param.quantity.nullish(),
    maxPriorityFeePerGas: param.quantity.nullish(),
    value: param.quantity.nullish(),
    nonce: param.quantity.nullish(),
    chainId: param.quantity.nullish(),
    data: data.nullish(),
    input: data.nullish(),
    accessList: z
      .array(
        z.object({ address: param.address.transform(lowerHex), storageKeys: z.array(param.hash.transform(lowerHex)) }),
      )
      .nullish(),
    authorizationList: z
      .array(
        z.object({
          chainId: param.quantity,
          address: param.address,
          nonce: param.quantity,
          yParity: param.quantity,
          r: param.quantity,
          s: param.quantity,
        }),
      )
      .nullish(),
  })
  .refine(({ data, input }) => data == null || input == null || data === input, {
    error: 'both "data" and "input" are set and not equal',
  })
  .refine(
    ({ gasPrice, maxFeePerGas, maxPriorityFeePerGas }) =>
      gasPrice == null || (maxFeePerGas == null && maxPriorityFeePerGas == null),
    { error: 'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified' },
  );

/** A decoded call object. */
export type CallArguments = z.output<typeof callParam>;

const words = z.record(z.string().regex(/^0x[0-9a-fA-F]{64}$/), param.hash);
/** An address as the key of an object. */
export const addressKey = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'expected a 20-byte address');

/** State overrides of a call (geth: `StateOverride`). */
export const overridesParam = z.record(
  addressKey,
  z
    .object({
      balance: param.quantity.nullish(),
      nonce: param.quantity.nullish(),
      code: data.nullish(),
      state: words.nullish(),
      stateDiff: words.nullish(),
      movePrecompileToAddress: param.address.transform(lowerHex).nullish(),
    })
    .refine(({ state, stateDiff }) => state == null || stateDiff == null, {
      error: "an account has both 'state' and 'stateDiff'",
    }),
);

/** Decoded state overrides. */
export type StateOverrides = z.output<typeof overridesParam>;

/** Block overrides of a call, in either client's spelling (geth: `BlockOverrides`). */
export const blockOverridesParam = z
  .object({
    number: number.nullish(),
    time: param.quantity.nullish(),
    timestamp: param.quantity.nullish(),
    gasLimit: param.quantity.nullish(),
    feeRecipient: param.address.transform(lowerHex).nullish(),
    coinbase: param.address.transform(lowerHex).nullish(),
    prevRandao: param.hash.transform(lowerHex).nullish(),
    random: param.hash.transform(lowerHex).nullish(),
    baseFeePerGas: param.quantity.nullish(),
    baseFee: param.quantity.nullish(),
    blobBaseFee: param.quantity.nullish(),
    difficulty: param.quantity.nullish(),
    blockHash: z.record(z.string().regex(/^(0x[0-9a-f]+|\d+)$/), param.hash).nullish(),
  })
  .transform((input) => ({
    ...(input.number == null ? {} : { number: input.number }),
    ...definedAs('timestamp', input.time ?? input.timestamp),
    ...definedAs('gasLimit', input.gasLimit),
    ...definedAs('coinbase', input.feeRecipient ?? input.coinbase),
    ...definedAs('prevRandao', input.prevRandao ?? input.random),
    ...definedAs('baseFee', input.baseFeePerGas ?? input.baseFee),
    ...definedAs('blobBaseFee', input.blobBaseFee),
    hashes: new Map(Object.entries(input.blockHash ?? {}).map(([at, hash]) => [Number(at), lowerHex(hash)])),
  }));

/** Decoded block overrides. */
export type BlockOverrides = z.output<typeof blockOverridesParam>;

function definedAs<Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): { readonly [Key in Name]?: Value } {
  return value == null ? {} : ({ [name]: value } as { [Key in Name]: Value });
}
