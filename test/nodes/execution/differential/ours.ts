import { BlockExecutor } from '../../../../src/nodes/execution/block/executor.ts';
import { prepareCrypto } from '../../../../src/nodes/execution/evm/crypto.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Rules } from '../../../../src/protocol/rules/rules.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { type Alloc, CHAIN_ID } from '../support/genesis.ts';
import { stateOf } from '../support/memory-state.ts';
import type { Implementation } from './block.ts';

/** The executor of our client. `deposits` are encoded deposits that open each block of a rollup. */
export async function ourExecutor(
  rules: Rules,
  alloc: Alloc,
  deposits: readonly Uint8Array[] = [],
): Promise<Implementation> {
  await prepareCrypto();
  const { source, reader } = stateOf(alloc);
  let parentState = reader;
  const hashes = new Map<number, Hex>();
  return {
    name: 'rollup-devnet',
    async run(environment, transactions) {
      hashes.set(environment.number - 1, environment.parentHash);
      const blockHash = (number: number) => (hashes.has(number) ? hexToBytes(hashes.get(number)!) : undefined);
      const parentContext = { chainId: CHAIN_ID, rules, parentState, forcedCode: [], blockHash };
      const executor = await BlockExecutor.open(parentContext, {
        parentHash: environment.parentHash,
        number: environment.number,
        timestamp: BigInt(environment.timestamp),
        feeRecipient: environment.coinbase,
        prevRandao: environment.prevRandao,
        gasLimit: BigInt(environment.gasLimit),
        baseFee: environment.baseFee,
        extraData: '0x',
        ...(rules.header.beaconRoot ? { parentBeaconBlockRoot: `0x${'00'.repeat(32)}` as const } : {}),
      });
      for (const raw of [...deposits, ...transactions]) await executor.run(raw);
      const { receipts, diff } = await executor.seal();
      parentState = source.write(diff);
      const outcomes = receipts.slice(deposits.length).map(({ gasUsed, cumulativeGasUsed, ...rest }) => ({
        ...rest,
        gasUsed: Number(gasUsed),
        cumulativeGasUsed: Number(cumulativeGasUsed),
      }));
      return { outcomes, stateRoot: bytesToHex(diff.root) };
    },
  };
}
