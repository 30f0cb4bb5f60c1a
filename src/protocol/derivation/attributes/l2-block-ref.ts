import { decodeDeposit } from '../../codec/deposit.ts';
import { ProtocolError } from '../../errors.ts';
import { hexToBytes } from '../../hex.ts';
import { decodeL1Attributes } from '../../rules/l1-attributes/index.ts';
import type { L1BlockInfo } from '../../rules/rules.ts';
import type { ExecutionPayload, L2BlockRef, RollupConfig } from '../../types.ts';

/** The fields of a block from which its reference is made. */
export type BlockContent = Pick<
  ExecutionPayload,
  'blockHash' | 'blockNumber' | 'parentHash' | 'timestamp' | 'transactions'
>;

/**
 * Makes the reference to an L2 block (op-node: `L2BlockToBlockRef`, kona: `L2BlockInfo::from_block_and_genesis`).
 * L1 origin and sequence number come from its L1-attributes deposit, those of genesis from the rollup config.
 * @throws ProtocolError payload-invalid or l1-attributes-malformed on a block without them
 */
export function l2BlockRef(block: BlockContent, genesis: RollupConfig['genesis']): L2BlockRef {
  const { blockHash: hash, blockNumber: number, parentHash } = block;
  const timestamp = Number(block.timestamp);
  if (number <= genesis.l2.number) {
    if (number === genesis.l2.number && hash === genesis.l2.hash) {
      return { hash, number, parentHash, timestamp, l1origin: genesis.l1, sequenceNumber: 0 };
    }
    throw invalid(block, `is not the rollup's genesis block ${genesis.l2.number} (${genesis.l2.hash})`);
  }
  const info = l1BlockInfo(block);
  return {
    hash,
    number,
    parentHash,
    timestamp,
    l1origin: { hash: info.hash, number: info.number },
    sequenceNumber: info.sequenceNumber,
  };
}

/**
 * Decodes the L1 attributes of a block other than genesis (op-node: `L1BlockInfoFromBytes`).
 * @throws ProtocolError payload-invalid or l1-attributes-malformed
 */
export function l1BlockInfo(block: BlockContent): L1BlockInfo {
  const first = block.transactions[0];
  if (first === undefined) throw invalid(block, 'has no transactions, expected an L1-attributes deposit first');
  if (!first.toLowerCase().startsWith('0x7e')) throw invalid(block, 'does not begin with a deposit');
  return decodeL1Attributes(hexToBytes(decodeDeposit(hexToBytes(first)).data));
}

function invalid({ blockNumber, blockHash }: BlockContent, problem: string): ProtocolError {
  return new ProtocolError('payload-invalid', 'drop', `block ${blockNumber} (${blockHash}) ${problem}`, {
    field: 'transactions',
  });
}
