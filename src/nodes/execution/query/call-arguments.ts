import * as z from 'zod';
import type { Hex } from '../../../protocol/types.ts';
import { param } from '../../../rpc/method.ts';

/** Gas of a call that names none, and the most that one may have. */
export const CALL_GAS_CAP = 50_000_000n;

const lower = (value: string): Hex => value.toLowerCase() as Hex;
const data = param.data.transform(lower);

/** Call object of eth_call, eth_estimateGas and eth_createAccessList. */
export const callParam = z
  .object({
    from: param.address.transform(lower).nullish(),
    to: param.address.transform(lower).nullish(),
    gas: param.quantity.nullish(),
    gasPrice: param.quantity.nullish(),
    maxFeePerGas: param.quantity.nullish(),
    maxPriorityFeePerGas: param.quantity.nullish(),
    value: param.quantity.nullish(),
    nonce: param.quantity.nullish(),
    data: data.nullish(),
    input: data.nullish(),
    accessList: z.array(z.object({ address: param.address, storageKeys: z.array(param.hash) })).nullish(),
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
  });

export type CallArguments = z.output<typeof callParam>;

const words = z.record(z.string().regex(/^0x[0-9a-fA-F]{64}$/), param.hash);

/** State that a call sees in place of the chain's. */
export const overridesParam = z.record(
  z.string().regex(/^0x[0-9a-fA-F]{40}$/),
  z.object({
    balance: param.quantity.nullish(),
    nonce: param.quantity.nullish(),
    code: data.nullish(),
    state: words.nullish(),
    stateDiff: words.nullish(),
  }),
);

export type StateOverrides = z.output<typeof overridesParam>;
