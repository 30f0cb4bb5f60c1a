import * as z from 'zod';
import { toBigInt } from '../../../protocol/bytes.ts';
import { bytesToHex, hexToBytes, quantity } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import { type MethodTable, method, param } from '../../../rpc/method.ts';
import { addressKey } from '../call/call-arguments.ts';
import { type BlockTag, blockParam, headerOf } from '../query/block-tag.ts';
import { EMPTY_ACCOUNT } from '../state/account.ts';
import type { ReadContext } from './context.ts';

/** Block whose state a request reads. Default: the head. */
export const tag = blockParam.nullish();

/** Returns the state after a block. @throws RpcError if the block is unknown or its state pruned */
export function stateAt(context: ReadContext, at: BlockTag | null | undefined) {
  return context.chain.stateOf(headerOf(context, at ?? 'latest').header);
}

function word(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex').padStart(64, '0')}`;
}

/** Maximum slots of one query. */
const MAX_QUERY_SLOTS = 1024;

/**
 * A slot as a quantity or as 32 bytes.
 * `name` is the key of the proof: 32 bytes as given, shorter ones as a quantity.
 */
const slotParam = z
  .string()
  .regex(/^0x[0-9a-fA-F]{0,64}$/, 'expected a storage slot of at most 32 bytes')
  .transform((text) => {
    const slot = hexToBytes(`0x${text.slice(2).padStart(64, '0')}`);
    return { slot, name: text.length === 66 ? bytesToHex(slot) : quantity(toBigInt(slot)) };
  });

/** Methods that read the state of a block (geth: `GetBalance`, `GetProof`; reth: `EthState`). */
export const ethState: MethodTable<ReadContext> = {
  eth_getBalance: method('Balance in wei', z.tuple([param.address, tag]), (context, [address, at]) =>
    quantity(stateAt(context, at).account(hexToBytes(address))?.balance ?? 0n),
  ),
  eth_getCode: method('Code of an account', z.tuple([param.address, tag]), (context, [address, at]) => {
    const state = stateAt(context, at);
    return bytesToHex(state.code(state.account(hexToBytes(address))));
  }),
  eth_getStorageAt: method(
    'Storage word',
    z.tuple([param.address, slotParam, tag]),
    (context, [address, { slot }, at]) => {
      const state = stateAt(context, at);
      return word(state.storage(state.account(hexToBytes(address)), slot));
    },
  ),
  eth_getStorageValues: method(
    'Storage words of several accounts',
    z.tuple([z.record(addressKey, z.array(slotParam)), tag]),
    (context, [query, at]) => {
      const { errors } = context.flavour;
      const accounts = Object.entries(query);
      const count = accounts.reduce((sum, [, slots]) => sum + slots.length, 0);
      if (count > MAX_QUERY_SLOTS) throw errors.tooManySlots(count, MAX_QUERY_SLOTS);
      if (errors.isEmptyStorageQuery(accounts.length, count))
        throw new RpcError(RPC_CODE.invalidParams, 'empty request');
      const state = stateAt(context, at);
      return Object.fromEntries(
        accounts.map(([address, slots]) => {
          const account = state.account(hexToBytes(address.toLowerCase()));
          return [address.toLowerCase(), slots.map(({ slot }) => word(state.storage(account, slot)))];
        }),
      );
    },
  ),
  eth_getProof: method(
    'Account and storage with Merkle proofs (EIP-1186)',
    z.tuple([param.address, z.array(slotParam).max(MAX_QUERY_SLOTS), tag]),
    (context, [address, slots, at]) => {
      const state = stateAt(context, at);
      const key = hexToBytes(address);
      const account = state.account(key);
      const fields = account ?? { ...EMPTY_ACCOUNT, ...context.flavour.views.absentHashes };
      return {
        address: address.toLowerCase(),
        accountProof: state.proveAccount(key).map(bytesToHex),
        balance: quantity(fields.balance),
        codeHash: bytesToHex(fields.codeHash),
        nonce: quantity(fields.nonce),
        storageHash: bytesToHex(fields.storageRoot),
        storageProof: slots.map(({ slot, name }) => ({
          key: name,
          value: quantity(BigInt(word(state.storage(account, slot)))),
          proof: state.proveStorage(account, slot).map(bytesToHex),
        })),
      };
    },
  ),
};
