import { Failure } from '../../../system/failure.ts';
import type { JournalBlock } from '../chain/block.ts';
import type { ChainIdentity } from '../chain/journal.ts';
import type { L1Chain } from './l1-chain.ts';

/** The expected L1; an undefined field accepts any value. */
export interface ExpectedL1 {
  readonly l1: string;
  readonly chainId: number | undefined;
  readonly genesisHash: string | undefined;
  /** Unix seconds */
  readonly genesisTime: number | undefined;
  readonly datadir: string;
}

/** Reads chain id and block 0 of L1. @throws Failure `l1-stranger` if they are not the expected ones */
export async function checkL1Identity(
  l1: L1Chain,
  config: ExpectedL1,
  journalled: ChainIdentity | undefined,
): Promise<{ readonly chainId: number; readonly genesis: JournalBlock }> {
  const chainId = await l1.chainId();
  const expected = config.chainId ?? journalled?.chainId;
  if (expected !== undefined && chainId !== expected) throw stranger(config, 'chain id', expected, chainId);
  const genesis = (await l1.block(0))?.block;
  if (genesis === undefined) throw stranger(config, 'block 0', 'a block', 'none');
  const hash = config.genesisHash?.toLowerCase() ?? journalled?.genesisHash;
  if (hash !== undefined && genesis.hash !== hash) throw stranger(config, 'genesis hash', hash, genesis.hash);
  if (config.genesisTime !== undefined && genesis.timestamp !== config.genesisTime)
    throw stranger(config, 'genesis time', config.genesisTime, genesis.timestamp);
  return { chainId, genesis };
}

function stranger(config: ExpectedL1, what: string, expected: unknown, actual: unknown): Failure {
  return new Failure(
    'l1-stranger',
    `${config.l1} is not the L1 of this network: its ${what} is ${actual}, expected ${expected}`,
    {
      data: { url: config.l1, what, expected, found: actual },
      hint: `another process answers there, or ${config.datadir} holds the journal of another chain`,
    },
  );
}
