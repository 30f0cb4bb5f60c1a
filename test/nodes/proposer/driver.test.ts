import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Interface } from 'ethers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { main } from '../../../src/nodes/proposer/main.ts';
import { PROPOSER_OPTIONS } from '../../../src/nodes/proposer/options.ts';
import { type ProposerValues, type RunningProposer, startProposer } from '../../../src/nodes/proposer/service.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import type { RunningServer } from '../../../src/rpc/server/server.ts';
import { parseOptions } from '../../../src/system/program/options.ts';
import { patientClient } from '../../rpc/patient-client.ts';
import { memoryLog, until } from '../batcher/helpers.ts';
import { ACCOUNTS, GENESIS_TIME, startAnvil, type TestAnvil } from '../beacon/anvil.ts';
import { startProxy } from '../rollup/support/proxy.ts';
import { type Heads, rootOf, serveNode } from './rollup-node.ts';

const ORACLE: Hex = `0x${'0a'.repeat(20)}`;
const PROPOSAL_INTERVAL_BLOCKS = 5;
const artifact = createRequire(import.meta.url).resolve(
  '@eth-optimism/contracts-bedrock/forge-artifacts/L2OutputOracle.sol/L2OutputOracle.json',
);
const { abi, deployedBytecode } = JSON.parse(readFileSync(artifact, 'utf8'));
const oracle = new Interface(abi);
const [PROPOSER, OTHER] = ACCOUNTS;

describe('proposer', () => {
  let anvil: TestAnvil;
  let node: RunningServer;
  let heads: Heads;
  let time = GENESIS_TIME;
  const lines: string[] = [];
  const running: RunningProposer[] = [];

  async function mine(): Promise<void> {
    time += 2;
    await anvil.rpc.call('evm_mine', [{ timestamp: time }]);
  }

  async function call(name: string, ...args: unknown[]) {
    const data = await anvil.rpc.call<Hex>('eth_call', [
      { to: ORACLE, data: oracle.encodeFunctionData(name, args) },
      'latest',
    ]);
    return oracle.decodeFunctionResult(name, data);
  }

  async function start(changes: Partial<ProposerValues> = {}, account = PROPOSER!): Promise<RunningProposer> {
    const { log } = memoryLog(lines);
    const values: ProposerValues = {
      ...parseOptions({ name: 'proposer', version: 'test', summary: '', envPrefixes: [] }, PROPOSER_OPTIONS, [], {})
        .values,
      l1: anvil.url,
      rollup: `http://127.0.0.1:${node.port}`,
      oracle: ORACLE,
      allowNonFinalized: true,
      pollInterval: 50,
      receiptQueryInterval: 50,
      resubmissionTimeout: 60_000,
      rpcPort: 0,
      enableAdmin: true,
      ...changes,
    };
    const proposer = await startProposer(values, account, 'test', log);
    proposer.failed.catch(() => {});
    running.push(proposer);
    return proposer;
  }

  /** Mines until the oracle has an output of this block. */
  const proposed = (block: number) =>
    until(`output of block ${block}`, async () => {
      const latest = Number((await call('latestBlockNumber'))[0]);
      if (latest >= block) return true;
      const { pending } = await anvil.rpc.call<{ pending: object }>('txpool_content');
      if (Object.keys(pending).length > 0) await mine();
      return false;
    });

  beforeEach(async () => {
    time = GENESIS_TIME;
    lines.length = 0;
    anvil = await startAnvil({ alloc: { [ORACLE]: { balance: '0x0', code: deployedBytecode.object } } });
    const settings = [PROPOSAL_INTERVAL_BLOCKS, 2, 0, GENESIS_TIME, PROPOSER!.address, OTHER!.address, 100];
    await anvil.rpc.call('eth_sendTransaction', [
      { from: OTHER!.address, to: ORACLE, data: oracle.encodeFunctionData('initialize', settings), gas: '0x100000' },
    ]);
    for (let block = 0; block < 20; block++) await mine();
    const { hash } = await anvil.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0xa', false]);
    heads = { safe: 0, finalized: 0, currentL1: { hash, number: 10 } };
    node = await serveNode(heads);
  });
  afterEach(async () => {
    for (const proposer of running.splice(0)) await proposer.stop();
    await node.close();
    await anvil.kill();
  });

  it('proposes the output of every interval as soon as its block is safe', async () => {
    await start();
    heads.safe = PROPOSAL_INTERVAL_BLOCKS - 1;
    heads.safe = 2 * PROPOSAL_INTERVAL_BLOCKS + 1;
    await proposed(2 * PROPOSAL_INTERVAL_BLOCKS);
    const outputs = await Promise.all([0, 1].map(async (index) => (await call('getL2Output', index))[0]));
    expect(outputs.map((output) => [Number(output.l2BlockNumber), output.outputRoot])).toEqual([
      [PROPOSAL_INTERVAL_BLOCKS, rootOf(PROPOSAL_INTERVAL_BLOCKS)],
      [2 * PROPOSAL_INTERVAL_BLOCKS, rootOf(2 * PROPOSAL_INTERVAL_BLOCKS)],
    ]);
    expect(Number((await call('nextBlockNumber'))[0])).toBe(3 * PROPOSAL_INTERVAL_BLOCKS);
  });

  it('proposes up to 16 outputs in one L1 block when it is behind', async () => {
    time += 1000;
    await mine();
    heads.safe = 20 * PROPOSAL_INTERVAL_BLOCKS;
    await start();
    const waiting = async (count: number) => {
      const { pending } = await anvil.rpc.call<{ pending: Record<string, object> }>('txpool_content');
      return Object.values(pending).flatMap((byNonce) => Object.values(byNonce)).length === count;
    };
    await until('a batch of outputs waits', () => waiting(16));
    await mine();
    expect(Number((await call('latestBlockNumber'))[0])).toBe(16 * PROPOSAL_INTERVAL_BLOCKS);
    await until('the rest waits', () => waiting(4));
    await mine();
    expect(Number((await call('latestBlockNumber'))[0])).toBe(20 * PROPOSAL_INTERVAL_BLOCKS);
  });

  it('waits for finalized blocks unless it may propose safe ones', async () => {
    await start({ allowNonFinalized: false });
    heads.safe = 3 * PROPOSAL_INTERVAL_BLOCKS;
    heads.finalized = PROPOSAL_INTERVAL_BLOCKS;
    await proposed(PROPOSAL_INTERVAL_BLOCKS);
    heads.finalized = 2 * PROPOSAL_INTERVAL_BLOCKS;
    await proposed(2 * PROPOSAL_INTERVAL_BLOCKS);
    expect(Number((await call('latestBlockNumber'))[0])).toBe(2 * PROPOSAL_INTERVAL_BLOCKS);
  });

  it('sends no proposal that the oracle would revert, logs the reason, and continues later', async () => {
    const good = heads.currentL1;
    heads.currentL1 = { hash: rootOf(1), number: 10 };
    heads.safe = PROPOSAL_INTERVAL_BLOCKS;
    await start();
    await until('the reason', () => lines.find((line) => line.includes('block hash does not match')));
    expect(await anvil.rpc.call('eth_getTransactionCount', [PROPOSER!.address, 'pending'])).toBe('0x0');
    heads.currentL1 = good;
    await proposed(PROPOSAL_INTERVAL_BLOCKS);
  });

  it('stops and starts by its admin methods', async () => {
    const proposer = await start();
    const rpc = patientClient({ url: `http://127.0.0.1:${proposer.port}` });
    await expect(rpc.call('admin_startProposer')).rejects.toThrow('proposer is already running');
    expect(await rpc.call('admin_stopProposer')).toBeNull();
    await expect(rpc.call('admin_stopProposer')).rejects.toThrow('proposer is not running');
    heads.safe = PROPOSAL_INTERVAL_BLOCKS;
    expect(await rpc.call('admin_startProposer')).toBeNull();
    await proposed(PROPOSAL_INTERVAL_BLOCKS);
    rpc.close();
    const closed = patientClient({ url: `http://127.0.0.1:${(await start({ enableAdmin: false })).port}` });
    await expect(closed.call('admin_stopProposer')).rejects.toThrow('does not exist');
    closed.close();
  });

  it('--wait-node-sync: waits until the rollup node has derived up to the head of L1', async () => {
    heads.safe = PROPOSAL_INTERVAL_BLOCKS;
    await start({ waitNodeSync: true });
    await until('it waits', () => lines.some((line) => line.includes('Waits for the rollup node')));
    expect(lines.some((line) => line.includes('Proposer runs'))).toBe(false);
    const { hash, number } = await anvil.rpc.call<{ hash: Hex; number: Hex }>('eth_getBlockByNumber', [
      'latest',
      false,
    ]);
    heads.currentL1 = { hash, number: Number(number) };
    await proposed(PROPOSAL_INTERVAL_BLOCKS);
  });

  it('continues when L1 answers again', async () => {
    const proxy = await startProxy(anvil.port);
    try {
      await start({ l1: `ws://127.0.0.1:${proxy.port}` });
      heads.safe = PROPOSAL_INTERVAL_BLOCKS;
      await proposed(PROPOSAL_INTERVAL_BLOCKS);
      proxy.pointTo(undefined);
      heads.safe = 2 * PROPOSAL_INTERVAL_BLOCKS;
      await until('it says so', () => lines.some((line) => /Cannot propose now|L1 does not answer/.test(line)));
      proxy.pointTo(anvil.port);
      await proposed(2 * PROPOSAL_INTERVAL_BLOCKS);
    } finally {
      await proxy[Symbol.asyncDispose]();
    }
  });

  it.each([2, 3, 4])('continues when a reorganisation removes %i blocks while it catches up', async (depth) => {
    // The oracle refuses outputs of the future.
    time += 1000;
    await mine();
    await start();
    heads.safe = 30 * PROPOSAL_INTERVAL_BLOCKS;
    await proposed(6 * PROPOSAL_INTERVAL_BLOCKS);
    await until('the next proposal waits', async () => {
      const { pending } = await anvil.rpc.call<{ pending: object }>('txpool_content');
      return Object.keys(pending).length > 0;
    });
    await anvil.rpc.call('anvil_reorg', [depth, []]);
    expect(Number((await call('latestBlockNumber'))[0])).toBeLessThan(6 * PROPOSAL_INTERVAL_BLOCKS);
    await proposed(30 * PROPOSAL_INTERVAL_BLOCKS);
  });

  it('warns when its key is not the oracle’s proposer', async () => {
    await start({}, OTHER!);
    const warning = await until('the warning', () => lines.find((line) => line.includes('not the proposer')));
    expect(warning).toContain(PROPOSER!.address);
  });

  it('fails when the address has no contract, and on invalid options', async () => {
    const proposer = await start({ oracle: `0x${'11'.repeat(20)}` });
    await expect(proposer.failed).rejects.toMatchObject({ code: 'no-contract', exit: 1 });
    expect(await main([], {})).toBe(2);
    for (const problem of [
      '--l2oo-address=0x12',
      '--poll-interval=0',
      '--game-type=x',
      '--proposal-interval=4s',
      `--game-factory-address=${ORACLE}`,
      '--private-key=0x1',
      'now',
    ])
      expect(await main(['--private-key-file=/nowhere', `--l2oo-address=${ORACLE}`, problem], {})).toBe(2);
    expect(await main(['--private-key-file=/nowhere', `--l2oo-address=${ORACLE}`], {})).toBe(2);
  });
});
