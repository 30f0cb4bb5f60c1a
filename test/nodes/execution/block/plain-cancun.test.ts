import { expect, test } from 'vitest';
import { FLAVOURS } from '../../../../src/nodes/execution/flavours/index.ts';
import type { FlavourName } from '../../../../src/nodes/execution/flavours/interface/flavour.ts';
import { BEACON_ROOTS_ADDRESS } from '../../../../src/protocol/execution/predeploys.ts';
import { quantity } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { CHAIN_ID, GENESIS_TIME, systemContracts } from '../support/genesis.ts';
import { launch, type TestNode } from '../support/nodes.ts';

const NAMES = Object.keys(FLAVOURS) as FlavourName[];
const word = (value: number): Hex => `0x${value.toString(16).padStart(64, '0')}`;
const rootOf = (block: number): Hex => `0x${String(block).repeat(64)}`;
const timeOf = (block: number) => GENESIS_TIME + 12 * block;

/** Genesis of a plain Ethereum chain on which cancun is active. */
function genesisOf(fields: Record<string, unknown> = {}): string {
  return JSON.stringify({
    config: { chainId: CHAIN_ID, terminalTotalDifficulty: 0, shanghaiTime: 0, cancunTime: 0 },
    timestamp: quantity(GENESIS_TIME),
    gasLimit: quantity(30_000_000),
    difficulty: '0x0',
    alloc: systemContracts(),
    ...fields,
  });
}

/** Builds the next block through the Engine API, as a consensus client does. */
async function advance({ engine, rpc }: TestNode, block: number): Promise<void> {
  const { hash } = await rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['latest', false]);
  const heads = (head: Hex) => ({ headBlockHash: head, safeBlockHash: head, finalizedBlockHash: head });
  const { payloadId } = await engine.call<{ payloadId: Hex }>('engine_forkchoiceUpdatedV3', [
    heads(hash),
    {
      timestamp: quantity(timeOf(block)),
      prevRandao: rootOf(9),
      suggestedFeeRecipient: `0x${'cb'.repeat(20)}`,
      withdrawals: [],
      parentBeaconBlockRoot: rootOf(block),
    },
  ]);
  const { executionPayload } = await engine.call<{ executionPayload: { blockHash: Hex } }>('engine_getPayloadV3', [
    payloadId,
  ]);
  const verdict = await engine.call('engine_newPayloadV3', [executionPayload, [], rootOf(block)]);
  expect(verdict).toMatchObject({ status: 'VALID' });
  await engine.call('engine_forkchoiceUpdatedV3', [heads(executionPayload.blockHash), null]);
}

test.each(NAMES)('the beacon roots contract answers the root of each recent block (EIP-4788, %s)', async (flavour) => {
  await using node = await launch(genesisOf(), { flavour });
  for (let block = 1; block <= 3; block++) await advance(node, block);
  const ask = (time: number) =>
    node.rpc.call<Hex>('eth_call', [{ to: BEACON_ROOTS_ADDRESS, data: word(time) }, 'latest']);
  for (let block = 1; block <= 3; block++) expect(await ask(timeOf(block))).toBe(rootOf(block));
  await expect(ask(timeOf(1) + 1)).rejects.toThrow(/revert/);
  await expect(ask(timeOf(4))).rejects.toThrow(/revert/);
});

test.each(NAMES)(
  'a genesis with the largest excess of blob gas has child blocks, at the highest fee (%s)',
  async (flavour) => {
    await using node = await launch(genesisOf({ excessBlobGas: quantity(2n ** 64n - 1n) }), { flavour });
    await advance(node, 1);
    expect(await node.rpc.call('eth_getBlockByNumber', ['latest', false])).toMatchObject({
      number: '0x1',
      excessBlobGas: quantity(2n ** 64n - 1n - 393_216n),
    });
    expect(await node.rpc.call('eth_blobBaseFee', [])).toBe(quantity(2n ** 256n - 1n));
  },
);
