import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { inspectorOf } from '../../../src/orchestrator/inspect/inspector.ts';
import type { Layer } from '../../../src/orchestrator/inspect/layer.ts';
import type { Plan } from '../../../src/orchestrator/plan/plan.ts';
import { decodeDeposit } from '../../../src/protocol/codec/deposit.ts';
import { rollupConfigTimes } from '../../../src/protocol/forks/index.ts';
import { hexToBytes } from '../../../src/protocol/hex.ts';
import { createNetwork } from '../../protocol/derivation/scripted/network.ts';
import { BATCHER, forksUpTo, GENESIS_TIME, INBOX, testRollup } from '../../protocol/derivation/scripted/rollup.ts';
import { type AnsweringNode, answeringNode } from '../dashboard/rpc-answers.ts';
import { address, word } from './inspected.ts';
import { servedL1 } from './served-l1.ts';

const folder = mkdtempSync(join(tmpdir(), 'devnet-inspector-'));
afterAll(() => rmSync(folder, { recursive: true }));
let open: AnsweringNode | undefined;
afterEach(() => open?.close());

const ROLLUP = testRollup('granite');
const rollupFile = join(folder, 'rollup.json');
writeFileSync(rollupFile, JSON.stringify({ ...ROLLUP.config, ...rollupConfigTimes(forksUpTo('granite')) }));

/** A network of one chain, with other parts. */
function planWith(more: object = {}): Plan {
  const contracts = { l1: { Portal: address('C') }, l2: { L1Block: address('D') } };
  const node = { name: 's', overrides: {}, el: { http: '' } };
  const chain = { name: 'main', blockTime: 2, rollupFile, contracts, accounts: [], nodes: [node] };
  const network = { l1: { contracts: {}, rpc: '' }, chains: [{ ...chain, forks: forksUpTo('granite') }] };
  return { network, ...more } as unknown as Plan;
}

const onL1: Layer = { kind: 'l1', label: 'l1', url: '' };
const onL2 = (plan: Plan, url = '') => {
  const [chain] = plan.network.chains;
  return { kind: 'l2', label: 'main/s', url, chain: chain!, node: chain!.nodes[0]! } as const;
};

/** Block 2 of a scripted chain, as a client answers it. */
async function blockOf(l1 = createNetwork(ROLLUP)) {
  await l1.advance({}, () => ['0x02c0']);
  const payload = l1.sequencer.chain()[2]!;
  const [first, ...users] = payload.transactions;
  const deposit = { sourceHash: word('5'), input: decodeDeposit(hexToBytes(first!)).data, hash: word('0') };
  const transactions = [deposit, ...users.map((_, at) => ({ hash: word(String(at + 1)), input: '0x' }))];
  const [number, timestamp] = [payload.blockNumber, Number(payload.timestamp)];
  return {
    block: { number: `0x${number.toString(16)}`, timestamp: `0x${timestamp.toString(16)}`, transactions },
    network: l1,
    number,
    timestamp,
  };
}

describe('the inspector of a network', () => {
  it('names the addresses of each layer, and the batch inbox on L1', () => {
    const plan = planWith();
    const inspector = inspectorOf(plan);
    expect([...inspector.names(onL1)]).toEqual([
      [address('c'), 'Portal'],
      [INBOX, 'batch inbox'],
    ]);
    expect([...inspector.names(onL2(plan))]).toEqual([[address('d'), 'L1Block']]);
    expect(inspector.names(onL1)).toBe(inspector.names({ ...onL1 }));
    expect(inspector.plan).toBe(plan);
  });

  it('has the rules of a node with its own fork times', () => {
    const plan = planWith();
    const layer = onL2(plan);
    const timeoutOf = (overrides: object) => {
      const rollup = inspectorOf(plan).rollup({ ...layer, node: { ...layer.node, overrides: overrides as never } });
      return rollup.rulesAt(GENESIS_TIME).channels.timeout(rollup.config);
    };
    expect(timeoutOf({})).toBe(50);
    expect(timeoutOf({ granite: null })).toBe(6);
  });

  it('decodes calls with the signatures of the package', () => {
    const { abi } = inspectorOf(planWith());
    expect(abi.call(`0xa9059cbb${'0'.repeat(128)}`)?.name).toBe('transfer');
  });

  it('reads the L1 attributes of a block, and its transactions without deposits', async () => {
    const plan = planWith();
    const { block, network, number, timestamp } = await blockOf();
    const origin = network.l1.head();
    const result = inspectorOf(plan).attributes(onL2(plan), block);
    expect(result?.carried).toEqual({
      ...{ number, timestamp, batcher: BATCHER, transactions: [word('1')] },
      origin: expect.objectContaining({ number: expect.any(Number) }),
    });
    expect(result?.carried.origin.number).toBeLessThanOrEqual(origin.number);
    expect(result?.info).toMatchObject({ batcherAddr: BATCHER, number: result?.carried.origin.number });
    expect(result?.info.hash).toBe(result?.carried.origin.hash);
  });

  it('reads no attributes of a block without any', async () => {
    const plan = planWith();
    const { attributes, carrier } = inspectorOf(plan);
    const bare = { number: '0x0', timestamp: '0x64', transactions: [] as object[] };
    expect(attributes(onL2(plan), bare)).toBeNull();
    expect(attributes(onL2(plan), { ...bare, transactions: [{ hash: word('1') }] })).toBeNull();
    expect(await carrier(onL2(plan), bare)).toEqual({ kind: 'none', because: 'it is the genesis block' });
    expect(() => attributes(onL2(plan), { ...bare, transactions: [5] })).toThrow('transaction');
    expect(() => attributes(onL2(plan), {})).toThrow('block.');
  });

  it('looks for the batch of a block up to the head of L1', async () => {
    const { block, network } = await blockOf();
    const served = await servedL1(network.l1);
    open = served;
    const plan = planWith();
    const inspector = inspectorOf({
      ...plan,
      network: { ...plan.network, l1: { ...plan.network.l1, rpc: served.url } },
    });
    const because = `no batch for it in L1 blocks 100 to ${network.l1.head().number}`;
    expect(await inspector.carrier(onL2(plan), block)).toEqual({ kind: 'none', because });
  });
});

describe('an address whose code is that of a contract of the user', () => {
  const CODE = `0x60${'11'.repeat(40)}`;
  const abi = join(folder, 'abi');
  mkdirSync(abi);
  const artifact = { contractName: 'Robot', abi: [], deployedBytecode: { object: CODE } };
  writeFileSync(join(abi, 'Robot.json'), JSON.stringify(artifact));

  it('is named from then on, and its code is read once', async () => {
    const requests: unknown[] = [];
    open = await answeringNode((method, params) => {
      requests.push([method, ...params]);
      if (params[0] === address('2')) throw new Error('pruned');
      return params[0] === address('a') ? CODE : '0x';
    });
    const plan = planWith({ abi });
    const inspector = inspectorOf(plan);
    const layer = onL2(plan, open.url);
    await inspector.identify(layer, [address('A'), address('a'), address('D'), address('2'), address('3')]);
    expect([...inspector.names(layer)]).toEqual([
      [address('d'), 'L1Block'],
      [address('a'), 'Robot'],
    ]);
    expect(requests.toSorted()).toEqual(['2', '3', 'a'].map((digit) => ['eth_getCode', address(digit), 'latest']));
    await inspector.identify(layer, [address('a')]);
    expect(requests).toHaveLength(3);
  });

  it('is named of 50 at once, and of none without a folder of ABIs', async () => {
    const requests: unknown[] = [];
    open = await answeringNode((_, params) => {
      requests.push(params[0]);
      return CODE;
    });
    const plan = planWith({ abi });
    const inspector = inspectorOf(plan);
    const many = Array.from({ length: 60 }, (_, at) => `0x${at.toString(16).padStart(40, '0')}`);
    await inspector.identify(onL2(plan, open.url), many);
    expect(requests.toSorted()).toEqual(many.slice(0, 50));
    const bare = planWith();
    await inspectorOf(bare).identify(onL2(bare, open.url), many);
    expect(requests).toHaveLength(50);
  });
});
