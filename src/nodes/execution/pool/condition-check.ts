import { bytesToHex, hexToBytes } from '../../../protocol/hex.ts';
import type { Hex } from '../../../protocol/types.ts';
import { RpcError } from '../../../rpc/error.ts';
import type { Chain } from '../chain/chain.ts';
import type { StateReader } from '../state/reader.ts';
import { EMPTY_ROOT } from '../trie/trie.ts';
import {
  brokenByHeader,
  brokenByState,
  type ConditionState,
  conditionCost,
  contradiction,
  type StateProblem,
  type TransactionCondition,
} from './condition.ts';

const REJECTED = -32003;
const LIMIT_EXCEEDED = -32005;
const INVALID_PARAMS = -32602;

/** Look-ups that a condition may take. */
const MOST = { go: 1000, rust: 5000 } as const;

/**
 * Whether a transaction under a condition is worth taking: what op-geth checks before it forwards or pools one. State is held against the head
 * and its parent, so that nobody gains from knowing the head first. @throws RpcError
 */
export function checkConditionAsGo(condition: TransactionCondition, chain: Chain): void {
  const cost = conditionCost(condition);
  if (cost > MOST.go) throw new RpcError(LIMIT_EXCEEDED, `conditional cost, ${cost}, exceeded max: ${MOST.go}`);
  const wrong = contradiction(condition);
  if (wrong !== undefined) throw new RpcError(REJECTED, `failed conditional validation: ${wrong}`);
  const { header } = chain.head;
  const broken = brokenByHeader(condition, BigInt(header.number), header.timestamp);
  if (broken !== undefined) throw new RpcError(REJECTED, `failed header check: ${broken}`);
  const found = brokenByState(condition, stateFor(chain.stateOf(header)));
  if (found !== undefined) throw new RpcError(REJECTED, `failed state check: ${goWords(found)}`);
  const parent = header.number === 0 ? undefined : chain.header(header.parentHash);
  const before = parent === undefined ? undefined : brokenByState(condition, stateFor(chain.stateOf(parent)));
  if (before !== undefined)
    throw new RpcError(REJECTED, `failed parent block ${header.parentHash} state check: ${goWords(before)}`);
}

/** The same as op-reth does it: against the head, and no block in the future may be too late already. @throws RpcError */
export function checkConditionAsRust(condition: TransactionCondition, chain: Chain): void {
  if (conditionCost(condition) > MOST.rust)
    throw new RpcError(INVALID_PARAMS, 'conditional cost exceeded maximum allowed');
  const { header } = chain.head;
  const { blockNumberMax, timestampMax } = condition;
  if (
    (blockNumberMax !== undefined && BigInt(header.number) >= blockNumberMax) ||
    (timestampMax !== undefined && header.timestamp >= timestampMax)
  )
    throw new RpcError(INVALID_PARAMS, 'invalid conditional parameters');
  const found = brokenByState(condition, stateFor(chain.stateOf(header)));
  if (found !== undefined)
    throw new RpcError(INVALID_PARAMS, found.kind === 'root' ? 'storage root mismatch' : 'storage value mismatch');
}

/** A block's state as a condition sees it. */
export function stateFor(state: StateReader): ConditionState {
  const account = (address: Hex) => state.account(hexToBytes(address));
  return {
    storageRoot: (address) => bytesToHex(account(address)?.storageRoot ?? EMPTY_ROOT),
    word: (address, slot) => toWord(state.storage(account(address), hexToBytes(slot))),
  };
}

/** A storage word without leading zeros as 32 bytes of hex. */
export function toWord(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex').padStart(64, '0')}`;
}

function goWords(problem: StateProblem): string {
  const { found, expected } = problem;
  return problem.kind === 'root'
    ? `failed account storage root constraint. Got ${found}, Expected ${expected}`
    : `failed account storage slot key ${problem.slot} constraint. Got ${found}, Expected ${expected}`;
}
