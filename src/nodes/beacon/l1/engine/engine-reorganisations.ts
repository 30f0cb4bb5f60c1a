import { bytesToHex, hexToBytes, quantity } from '../../../../protocol/hex.ts';
import type { Hex } from '../../../../protocol/types.ts';
import { RPC_CODE, RpcError } from '../../../../rpc/error.ts';
import type { GatewayCall, GatewayMethods } from '../../../../rpc/gateway/methods.ts';
import { jsonField } from '../../../../rpc/json-object.ts';
import { senderOf } from '../../accounts/account-methods.ts';
import type { L1Keys } from '../../accounts/l1-keys.ts';
import { signRequest } from '../../accounts/sign-request.ts';
import type { ReorganiseL1 } from '../reorganisations.ts';
import type { EngineL1 } from './engine-l1.ts';

/**
 * Creates the methods of anvil that reorganise L1, for an execution client: `anvil_rollback` takes the newest blocks
 * back, and `anvil_reorg` makes others in their slots. The journal has the reorganisation before they answer.
 */
export function engineReorganisations(l1: EngineL1, reorganise: ReorganiseL1, keys: L1Keys): GatewayMethods {
  return {
    async anvil_rollback(call) {
      const depth = call.params[0] == null ? 1 : numberOf(call, call.params[0], 'a number of blocks');
      await reorganise(atLeastOne(call, depth), () => l1.rollBack(depth));
      return null;
    },
    async anvil_reorg(call) {
      const [options] = call.params;
      const depth = numberOf(call, jsonField(options, 'depth') ?? options, 'a number of blocks');
      const pairs = jsonField(options, 'tx_block_pairs') ?? jsonField(options, 'txBlockPairs') ?? call.params[1] ?? [];
      atLeastOne(call, depth);
      await reorganise(depth, async () => {
        const common = (await l1.head()) - depth;
        await l1.replaceBy(await transactionsOf(call, pairs, { depth, common, keys }));
      });
      return null;
    },
  };
}

interface Placing {
  readonly depth: number;
  /** Number of the newest block that stays. */
  readonly common: number;
  readonly keys: L1Keys;
}

/** Reads `[transaction, block]` pairs: which transactions in their network form each new block has. @throws RpcError */
async function transactionsOf(call: GatewayCall, pairs: unknown, { depth, common, keys }: Placing) {
  const blocks: Hex[][] = Array.from({ length: depth }, () => []);
  if (!Array.isArray(pairs)) throw invalid(call, 'expected a list of pairs of a transaction and its block');
  const nonces = new Map<string, number>();
  for (const pair of pairs) {
    const [transaction, at] = Array.isArray(pair) ? pair : [];
    const block = blocks[numberOf(call, at, 'the place of a block')];
    if (block === undefined) throw invalid(call, `a transaction is for block ${String(at)} of ${depth}, from 0 on`);
    if (typeof transaction === 'string') {
      block.push(bytesToHex(hexToBytes(transaction)));
      continue;
    }
    const { account, fields } = senderOf(keys, transaction);
    const { address } = account;
    const nonce =
      nonces.get(address) ?? Number(await call.pass('eth_getTransactionCount', [address, quantity(common)]));
    nonces.set(address, nonce + 1);
    block.push(await signRequest(account, { nonce: quantity(nonce), ...fields }, call.pass));
  }
  return blocks;
}

function atLeastOne(call: GatewayCall, depth: number): number {
  if (depth < 1) throw invalid(call, 'expected at least one block');
  return depth;
}

/** Reads a number, or a decimal or hex text. @throws RpcError */
function numberOf(call: GatewayCall, value: unknown, what: string): number {
  if (/^(0x[\da-f]{1,12}|\d{1,12})$/i.test(String(value))) return Number(value);
  throw invalid(call, `expected ${what}, found ${JSON.stringify(value)}`);
}

function invalid({ method }: GatewayCall, message: string): RpcError {
  return new RpcError(RPC_CODE.invalidParams, `${method}: ${message}`);
}
