import type { EngineClient } from '../../../src/nodes/rollup/engine/client.ts';
import { connectL1 } from '../../../src/nodes/rollup/l1/connect.ts';
import { prepareAttributes } from '../../../src/protocol/derivation/attributes/attributes.ts';
import { blockRefOf } from '../../../src/protocol/derivation/attributes/block-ref.ts';
import { rollupOf } from '../../../src/protocol/derivation/rollup.ts';
import type { ExecutionPayloadEnvelope, Hex, L1Header, L2BlockRef } from '../../../src/protocol/types.ts';
import { createLogger } from '../../../src/system/program/log.ts';
import { devAccount } from '../../nodes/rollup/support/accounts.ts';
import type { TestDevnet } from '../../nodes/rollup/support/devnet.ts';

/** Seconds between L1 blocks. L2 has a block each second. */
const L1_TIME = 6;
/** Blocks of one channel. */
export const CHANNEL = 100;
/** Transactions of each block after the L1 attributes, each of another account. */
export const TRANSFERS = 8;

/**
 * Makes a history on L1 and its payloads.
 * An engine builds the blocks, with one transfer of each account in every block. Then all are posted in span batches as
 * calldata, one channel in each further L1 block.
 */
export async function makeHistory(
  devnet: TestDevnet,
  engine: EngineClient,
  count: number,
): Promise<readonly ExecutionPayloadEnvelope[]> {
  const genesis = devnet.config.genesis.l2_time;
  for (let time = L1_TIME; time <= count; time += L1_TIME) await mine(devnet, genesis + time);
  const payloads = await sequence(devnet, engine, count);
  const last = genesis + count + L1_TIME;
  for (let from = 0, block = 0; from < count; from += CHANNEL, block++) {
    await devnet.postPayloads(payloads.slice(from, from + CHANNEL));
    await mine(devnet, last + block);
  }
  for (let block = 0; block < 4; block++) await mine(devnet, last + Math.ceil(count / CHANNEL) + 1 + block);
  return payloads;
}

async function mine(devnet: TestDevnet, time: number): Promise<void> {
  await devnet.l1.call('evm_setNextBlockTimestamp', [`0x${time.toString(16)}`]);
  await devnet.l1.call('evm_mine', []);
}

async function sequence(devnet: TestDevnet, engine: EngineClient, count: number): Promise<ExecutionPayloadEnvelope[]> {
  const { config } = devnet;
  const rollup = rollupOf(config);
  const l1 = connectL1({
    url: devnet.l1Url,
    maxBatch: 1,
    maxConcurrency: 1,
    rateLimit: 0,
    cacheSize: 16,
    trusted: true,
    kind: 'standard',
    beacons: [],
    beaconHeader: undefined,
    log: createLogger({ level: 'silent', format: 'text', color: false, pid: false }),
  });
  const reader = l1.client;
  const accounts = Array.from({ length: TRANSFERS }, (_, index) => devAccount(index));
  const sign = (nonce: number) => Promise.all(accounts.map((one) => one.transfer(config.l2_chain_id, nonce)));

  let head = (await engine.payloadByNumber(0)) as ExecutionPayloadEnvelope;
  let origin = (await reader.headerByNumber(0)) as L1Header;
  let signed = await sign(0);
  const payloads: ExecutionPayloadEnvelope[] = [];
  const l2 = { payloadByHash: async () => head, payloadByNumber: async () => head };
  while (payloads.length < count) {
    const parent: L2BlockRef = blockRefOf(rollup, head.executionPayload);
    const next = await reader.headerByNumber(origin.number + 1);
    if (next && next.timestamp <= parent.timestamp + config.block_time) origin = next;
    const forced = await prepareAttributes(rollup, reader, l2, parent, origin);
    const attributes = { ...forced, transactions: [...forced.transactions, ...signed] };
    // Signs the next block's transactions while the engine runs these.
    const [id, more] = await Promise.all([
      engine.startBuild(headAt(parent.hash, config.genesis.l2.hash), attributes),
      sign(payloads.length + 1),
    ]);
    signed = more;
    head = await engine.getPayload(id, attributes.timestamp);
    await engine.newPayload(head);
    payloads.push(head);
  }
  l1.close();
  return payloads;
}

/** Returns the forkchoice of a head that is safe too. */
export function headAt(head: Hex, genesis: Hex) {
  return { headBlockHash: head, safeBlockHash: head, finalizedBlockHash: genesis };
}
