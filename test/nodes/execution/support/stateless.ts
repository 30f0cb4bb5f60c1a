import { BlockExecutor } from '../../../../src/nodes/execution/block/executor.ts';
import type { ExecutedBlock } from '../../../../src/nodes/execution/block/seal.ts';
import { decodeBlock } from '../../../../src/nodes/execution/chain/unexecuted-block.ts';
import { environmentOfBlock } from '../../../../src/nodes/execution/engine/validate.ts';
import { StateReader } from '../../../../src/nodes/execution/state/reader.ts';
import { decodeHeader, encodeHeader } from '../../../../src/protocol/codec/header.ts';
import { type ForkSchedule, forcedCodeAt, rulesAt } from '../../../../src/protocol/forks/index.ts';
import { keccak256 } from '../../../../src/protocol/hash.ts';
import { hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { CHAIN_ID } from './genesis.ts';
import { MemoryState } from './memory-state.ts';

/** A witness as JSON-RPC shows it: headers as RLP, or as objects with hashes. */
export interface ShownWitness {
  readonly state: readonly Hex[];
  readonly codes: readonly Hex[];
  readonly keys: readonly Hex[] | null;
  readonly headers: readonly (Hex | { readonly hash: Hex; readonly parentHash: Hex; readonly stateRoot: Hex })[];
}

/**
 * A state that is empty if the witness has no data.
 * An interpreter that reads less than ours omits what ours requests without effect.
 */
class SparseReader extends StateReader {
  override account(address: Uint8Array) {
    return orElse(() => super.account(address), undefined);
  }
  override storage(account: Parameters<StateReader['storage']>[0], slot: Uint8Array) {
    return orElse(() => super.storage(account, slot), new Uint8Array(0));
  }
}

function orElse<Value>(read: () => Value, otherwise: Value): Value {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/**
 * Executes a block with only a witness. Missing data is an error.
 * With `sparse` only missing code and missing written accounts are errors.
 */
export async function executeStateless(
  schedule: ForkSchedule,
  encoded: Hex,
  witness: ShownWitness,
  { sparse = false } = {},
): Promise<ExecutedBlock> {
  const block = decodeBlock(hexToBytes(encoded));
  const { header } = block;
  const headers = new Map(witness.headers.map((view) => [hashOfShown(view), view]));
  const parent = fieldsOf(headers.get(header.parentHash));
  const entries = (list: readonly Hex[]) => list.map((bytes) => [keccak256(bytes), bytes] as const);
  const nodes = entries(witness.state).map(([hash, rlp]) => ({ hash: hexToBytes(hash), rlp: hexToBytes(rlp) }));
  const codes = entries(witness.codes).map(([hash, code]) => ({ hash: hexToBytes(hash), code: hexToBytes(code) }));
  const source = new MemoryState();
  source.write({ root: hexToBytes(parent.stateRoot), nodes, codes });
  const executor = await BlockExecutor.open(
    {
      chainId: CHAIN_ID,
      rules: rulesAt(schedule, header.timestamp),
      parentState: new (sparse ? SparseReader : StateReader)(source, hexToBytes(parent.stateRoot)),
      forcedCode: forcedCodeAt(schedule, header.timestamp),
      blockHash(number) {
        if (number >= header.number || number < header.number - 256 || number < 0) return undefined;
        let hash = header.parentHash;
        for (let at = header.number - 1; at > number; at--) hash = fieldsOf(headers.get(hash)).parentHash;
        fieldsOf(headers.get(hash));
        return hexToBytes(hash);
      },
    },
    environmentOfBlock(block),
  );
  for (const raw of block.transactions) await executor.run(raw);
  return executor.seal();
}

function hashOfShown(view: ShownWitness['headers'][number]): Hex {
  return typeof view === 'string' ? keccak256(encodeHeader(decodeHeader(hexToBytes(view)))) : view.hash;
}

function fieldsOf(view: ShownWitness['headers'][number] | undefined) {
  if (view === undefined) throw new Error('a header is missing');
  return typeof view === 'string' ? decodeHeader(hexToBytes(view)) : view;
}
