import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Contract, ContractFactory, JsonRpcProvider, Wallet } from 'ethers';
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  http,
  parseEther,
  publicActions,
  webSocket,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { chainConfig, getL2TransactionHashes, publicActionsL1, publicActionsL2, walletActionsL1 } from 'viem/op-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlockView } from '../../src/orchestrator/inspect/block.ts';
import type { TransactionView } from '../../src/orchestrator/inspect/transaction.ts';
import { sumOf } from '../../src/orchestrator/scenario/metrics-text.ts';
import { LOAD_KINDS } from '../../src/orchestrator/traffic/load/kinds.ts';
import type { LoadResult } from '../../src/orchestrator/traffic/load/load.ts';
import { foundry, Home, node, root, rpc, run, type Status } from './devnet.ts';
import { forgeProject } from './support/forge.ts';

const artifact = JSON.parse(
  readFileSync(join(root, 'node_modules/@eth-optimism/contracts-bedrock/forge-artifacts/WETH9.sol/WETH9.json'), 'utf8'),
) as { abi: never[]; bytecode: { object: `0x${string}` } };

interface Place {
  readonly hash: string;
  readonly block: number;
}

/** The keys of `tx --json` and `block --json` that are looked at. */
interface Inspected extends Partial<TransactionView>, Pick<Partial<BlockView>, 'transactions'> {
  readonly carrier?: Extract<TransactionView['carrier'], { kind: 'batch' }>;
}

/** A foundry project for all networks, so that it is compiled once. */
const forge = mkdtempSync(join(tmpdir(), 'devnet-forge-'));
beforeAll(() => forgeProject(forge));
afterAll(() => rmSync(forge, { recursive: true }));

/** Other projects' programs against the default devnet, with each flavour as sequencer. */
describe.each([
  { sequencer: 'execution-go', verifier: 'execution-rust', hardfork: 'osaka' },
  { sequencer: 'execution-rust', verifier: 'execution-go', hardfork: 'prague' },
])('with $sequencer as sequencer', ({ sequencer, verifier, hardfork }) => {
  let home: Home;
  let status: Status;
  const key = () => status.chains[0]!.accounts[0]!.privateKey;
  const l2Chain = () =>
    defineChain({
      ...chainConfig,
      id: status.chains[0]!.chainId,
      name: 'devnet',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [node(status, 'sequencer').el.http] } },
      contracts: {
        ...chainConfig.contracts,
        portal: { [status.l1.chainId]: { address: status.chains[0]!.contracts.l1['OptimismPortal']! } },
      },
      sourceId: status.l1.chainId,
    });
  const l1Chain = () =>
    defineChain({
      id: status.l1.chainId,
      name: 'l1',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [status.l1.rpc] } },
    });

  beforeAll(async () => {
    home = new Home();
    const spec = home.spec('tools', {
      version: 1,
      name: `tools-${sequencer}`,
      ports: 'auto',
      l1: { hardfork },
      chains: {
        main: {
          blockTime: 1,
          nodes: { sequencer: { role: 'sequencer', el: sequencer }, verifier: { el: verifier } },
        },
      },
    });
    status = await home.up(spec);
  });
  afterAll(async () => home[Symbol.asyncDispose]());

  it.runIf(sequencer === 'execution-go')(
    'tx and block decode what carried a deposit to L2 and a block to L1',
    async () => {
      const deposit = await home.json<{ l1: Place; l2: Place }>('deposit', `0x${'12'.repeat(20)}`, '2ether');
      const { code, stderr } = await home.devnet('wait', `safe:${deposit.l2.block}`);
      expect(code, stderr).toBe(0);
      const onL2 = await home.json<Inspected>('tx', deposit.l2.hash, '--trace', '--node', 'verifier');
      const { l1, l2 } = deposit;
      expect(onL2).toMatchObject({
        kind: 'deposit',
        place: 'main/verifier',
        status: 'success',
        block: { number: l2.block },
      });
      expect(onL2.deposit).toMatchObject({ kind: 'user', mint: `${2n * 10n ** 18n}`, l1: { transaction: l1.hash } });
      expect(onL2.trace).toMatchObject({ kind: 'CALL', value: `${2n * 10n ** 18n}` });
      const onL1 = await home.json<Inspected>('tx', l1.hash);
      expect(onL1).toMatchObject({ place: 'l1', to: { name: 'OptimismPortal' }, call: { name: 'depositTransaction' } });
      expect(onL1.deposits).toEqual([{ chain: 'main', hash: l2.hash }]);
      const block = await home.json<Inspected>('block', String(l2.block));
      expect(block.transactions?.[0]).toMatchObject({ kind: 'deposit', to: { name: 'l1Block' } });
      const [frame] = block.carrier?.channel.frames ?? [];
      const batch = await home.json<Inspected>('tx', frame?.transaction ?? '');
      expect(batch).toMatchObject({ place: 'l1', from: { name: 'batcher' }, inbox: { chain: 'main', problem: null } });
      const ranges = batch.inbox?.batches ?? [];
      expect(ranges.some(({ firstBlock, lastBlock }) => firstBlock <= l2.block && l2.block <= lastBlock)).toBe(true);
      expect((await home.devnet('tx', `0x${'ab'.repeat(32)}`)).code).toBe(1);
      expect((await home.devnet('block', 'newest')).code).toBe(2);
    },
  );

  it('devnet metrics prints those of a network that runs and agrees', async () => {
    const { code, stdout: text } = await home.devnet('metrics');
    expect(code).toBe(0);
    expect(sumOf(text, 'devnet_up', { devnet: status.name })).toBe(1);
    expect(sumOf(text, 'devnet_chain_agrees', { chain: 'main' })).toBe(1);
    expect(sumOf(text, 'devnet_node_answers', {})).toBe(2);
    expect(sumOf(text, 'devnet_head_block', { node: 'verifier', head: 'unsafe' })).toBeGreaterThan(0);
    expect(sumOf(text, 'devnet_process_resident_memory_bytes', { task: 'main/sequencer/el' })).toBeGreaterThan(1e7);
    expect((await home.devnet('metrics', '--targets')).stdout).toBe('[]\n');
  });

  it('cast sends value and reads balances', async () => {
    const { http: url } = node(status, 'sequencer').el;
    const to = '0x00000000000000000000000000000000000cafe1';
    const receipt = JSON.parse(
      await run(foundry('cast'), [
        'send',
        to,
        '--value',
        '1ether',
        '--private-key',
        key(),
        '--rpc-url',
        url,
        '--json',
        '--timeout',
        '30',
      ]),
    );
    expect(receipt.status).toBe('0x1');
    expect(await run(foundry('cast'), ['balance', to, '--rpc-url', url])).toBe(parseEther('1').toString());
    await expect
      .poll(() => run(foundry('cast'), ['balance', to, '--rpc-url', node(status, 'verifier').el.http]), {
        timeout: 120_000,
      })
      .toBe(parseEther('1').toString());
  });

  it.runIf(hardfork === 'osaka')('devnet fund mints on L2 by deposits from L1, two at once too', async () => {
    const to = '0x00000000000000000000000000000000000cafe3';
    const sequencer = ['--rpc-url', node(status, 'sequencer').el.http];
    const fund = () => home.json<Record<'l1' | 'l2', { hash: string }>>('fund', to, '1.5 ether');
    const [first, second] = await Promise.all([fund(), fund()]);
    expect(await run(foundry('cast'), ['balance', to, ...sequencer])).toBe(parseEther('3').toString());
    expect(first.l1.hash).not.toBe(second.l1.hash);
    const receipt = (url: string, { hash }: { hash: string }) => rpc(url, 'eth_getTransactionReceipt', hash);
    const onL1 = await receipt(status.l1.rpc, first.l1);
    expect(onL1).toMatchObject({ status: '0x1', type: '0x2' });
    // The portal burns more gas if another deposit comes first.
    const sent = await rpc<{ gas: string }>(status.l1.rpc, 'eth_getTransactionByHash', first.l1.hash);
    expect(Number(sent.gas)).toBeGreaterThan(1.2 * Number((onL1 as { gasUsed: string }).gasUsed));
    expect(await receipt(node(status, 'sequencer').el.http, first.l2)).toMatchObject({ status: '0x1', type: '0x7e' });
    const refused = await home.devnet('fund', to, '1000000ether');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(
      'no account of main has 1,000,000 ether on L1: the largest balance is 10,000 ether',
    );
    const contract = '0x4200000000000000000000000000000000000015';
    expect((await home.devnet('fund', contract, '1wei')).stderr).toContain(`${contract} on main refused the amount`);
  });

  it.runIf(hardfork === 'prague')('devnet deposit calls a contract of L2, and says where the call failed', async () => {
    const WETH = '0x4200000000000000000000000000000000000006';
    const call = (...args: string[]) => home.devnet('deposit', WETH, ...args, '--json');
    const deposit = await call('7wei', '--function', 'deposit()', '--from', '4');
    const { from, l2 } = JSON.parse(deposit.stdout) as { from: string; l2: { status: string } };
    expect([deposit.code, l2.status]).toEqual([0, 'success']);
    const rpcUrl = ['--rpc-url', node(status, 'sequencer').el.http];
    expect(await run(foundry('cast'), ['call', WETH, 'balanceOf(address)(uint256)', from, ...rpcUrl])).toBe('7');
    const failed = await call('--function', 'withdraw(uint256)', '--arg', '9', '--from', '4');
    expect([failed.code, JSON.parse(failed.stdout)]).toMatchObject([1, { l2: { status: 'reverted' } }]);
    expect(await call('--arg', '1')).toMatchObject({ code: 2, stderr: expect.stringContaining('--function') });
    expect(await call('--from', '4000')).toMatchObject({ code: 2 });
  });

  it.runIf(hardfork === 'prague')('devnet load sends each kind; Ctrl-C ends it with what was included', async () => {
    for (const kind of LOAD_KINDS) {
      const result = await home.json<LoadResult>('load', '--kind', kind, '--count', '3', '--seed', '5');
      expect(result, kind).toMatchObject({ kind, sent: 3, included: 3, failed: 0, missing: 0 });
    }
    const url = node(status, 'sequencer').el.http;
    const latest = () => rpc<{ number: string; transactions: string[] }>(url, 'eth_getBlockByNumber', 'latest', false);
    const from = Number((await latest()).number);
    const load = home.start('load', '--tps', '5', '--for', '10m', '--json');
    let printed = '';
    load.stdout?.setEncoding('utf8').on('data', (text: string) => (printed += text));
    const exit = new Promise<number | null>((done) => load.on('close', done));
    // Every block has the transaction of L1 attributes.
    const isSending = ({ number, transactions }: Awaited<ReturnType<typeof latest>>) =>
      Number(number) > from && transactions.length > 1;
    await expect.poll(async () => isSending(await latest())).toBe(true);
    load.kill('SIGINT');
    expect(await exit).toBe(130);
    const { sent, included, failed } = JSON.parse(printed) as LoadResult;
    expect([included + failed, failed]).toEqual([sent, 0]);
  });

  it.runIf(hardfork === 'prague')('devnet load --kind mixed sends on L2 while its deposits arrive there', async () => {
    const result = await home.json<LoadResult>('load', '--kind', 'mixed', '--count', '80', '--seed', '6');
    expect(result).toMatchObject({ sent: 80, included: 80, failed: 0, missing: 0 });
  });

  it('viem deploys a published contract and watches its events over WebSocket', async () => {
    const account = privateKeyToAccount(status.chains[0]!.accounts[1]!.privateKey);
    const client = createWalletClient({
      account,
      chain: l2Chain(),
      transport: http(node(status, 'sequencer').el.http),
      pollingInterval: 100,
    }).extend(publicActions);
    const deployed = await client.waitForTransactionReceipt({
      hash: await client.deployContract({ abi: artifact.abi, bytecode: artifact.bytecode.object }),
    });
    const address = deployed.contractAddress!;
    const watcher = createPublicClient({
      chain: l2Chain(),
      transport: webSocket(node(status, 'verifier').el.ws, { reconnect: false }),
    });
    await expect.poll(() => watcher.getCode({ address })).toBeTruthy();
    const events: { eventName: string; args: Record<string, unknown> }[] = [];
    const stop = watcher.watchContractEvent({
      address,
      abi: artifact.abi,
      onLogs: (logs) => events.push(...(logs as never[])),
    });
    const hash = await client.writeContract({
      address,
      abi: artifact.abi,
      functionName: 'deposit',
      value: 7n,
    } as never);
    await client.waitForTransactionReceipt({ hash });
    await expect
      .poll(() => events.map(({ eventName, args }) => [eventName, args['dst'], args['wad']]))
      .toEqual([['Deposit', account.address, 7n]]);
    stop();
    (await watcher.transport.getRpcClient()).close();
  });

  it('viem/op-stack deposits from L1, and estimates the L1 fee of the receipt', async () => {
    const account = privateKeyToAccount(status.chains[0]!.accounts[2]!.privateKey);
    const l1 = createWalletClient({ account, chain: l1Chain(), transport: http(status.l1.rpc), pollingInterval: 100 })
      .extend(publicActions)
      .extend(walletActionsL1())
      .extend(publicActionsL1());
    const l2 = createWalletClient({
      account,
      chain: l2Chain(),
      transport: http(node(status, 'sequencer').el.http),
      pollingInterval: 100,
    })
      .extend(publicActions)
      .extend(publicActionsL2());
    const before = await l2.getBalance({ address: account.address });
    const args = await l2.buildDepositTransaction({ mint: parseEther('3'), to: account.address });
    const l1Receipt = await l1.waitForTransactionReceipt({
      hash: await l1.depositTransaction({ ...args, account, targetChain: l2Chain() } as never),
    });
    const [l2Hash] = getL2TransactionHashes({ logs: l1Receipt.logs });
    const l2Receipt = await l2.waitForTransactionReceipt({ hash: l2Hash!, timeout: 120_000 });
    expect(l2Receipt.status).toBe('success');
    expect((await l2.getBalance({ address: account.address })) - before).toBe(parseEther('3'));

    const request = await l2.prepareTransactionRequest({
      to: '0x00000000000000000000000000000000000cafe2',
      value: 5n,
      data: '0x1234567890',
    });
    const estimate = await l2.estimateL1Fee(request as never);
    const { blockNumber, ...receipt } = await l2.waitForTransactionReceipt({
      hash: await l2.sendRawTransaction({ serializedTransaction: await l2.signTransaction(request as never) }),
    });
    const atBlock = (await l2.estimateL1Fee({ ...(request as object), blockNumber } as never)) as bigint;
    expect((receipt as unknown as { l1Fee: bigint }).l1Fee).toBeGreaterThan(0n);
    expect(estimate).toBeGreaterThan(0n);
    expect((receipt as unknown as { l1Fee: bigint }).l1Fee).toBe(atBlock);
  });

  it('ethers deploys, calls and reads logs', async () => {
    const provider = new JsonRpcProvider(node(status, 'sequencer').el.http, undefined, { pollingInterval: 100 });
    try {
      const wallet = new Wallet(status.chains[0]!.accounts[3]!.privateKey, provider);
      const contract = (await (
        await new ContractFactory(artifact.abi, artifact.bytecode.object, wallet).deploy()
      ).waitForDeployment()) as Contract;
      const sent = await contract.getFunction('deposit')({ value: 9n });
      await sent.wait();
      expect(await contract.getFunction('balanceOf')(wallet.address)).toBe(9n);
      expect(await contract.queryFilter('Deposit', 0)).toHaveLength(1);
    } finally {
      provider.destroy();
    }
  });

  it('cast creates a contract and calls it', async () => {
    const url = node(status, 'sequencer').el.http;
    const { privateKey } = status.chains[0]!.accounts[4]!;
    const created = JSON.parse(
      await run(foundry('cast'), [
        'send',
        '--rpc-url',
        url,
        '--private-key',
        privateKey,
        '--json',
        '--create',
        artifact.bytecode.object,
      ]),
    );
    expect(await run(foundry('cast'), ['call', created.contractAddress, 'name()(string)', '--rpc-url', url])).toBe(
      '"Wrapped Ether"',
    );
  });

  it('indexers and block explorers find what they read, with no option given', async () => {
    const nodes = [...status.chains[0]!.nodes].map(({ el }) => el);
    const ask = async (url: string, method: string, ...params: string[]) =>
      JSON.parse(await run(foundry('cast'), ['rpc', '--rpc-url', url, method, ...params]));
    for (const { http: url, client } of nodes) {
      expect(await ask(url, 'debug_traceBlockByNumber', '0x1', '{"tracer":"callTracer"}')).toHaveLength(1);
      if (client !== 'execution-rust') continue;
      expect(await ask(url, 'trace_block', '0x1')).toMatchObject([
        { blockNumber: 1, subtraces: 1 },
        { traceAddress: [0] },
      ]);
      // Otterscan's calls before it attaches.
      expect(await ask(url, 'erigon_getHeaderByNumber', 'latest')).toMatchObject({ hash: expect.any(String) });
      expect(await ask(url, 'ots_getApiLevel')).toBe(8);
      expect(await ask(url, 'ots_getBlockDetails', '0x1')).toMatchObject({ block: { number: '0x1' } });
    }
  });

  it('forge broadcasts a script, and tests on a fork of what it deployed', async () => {
    const url = node(status, 'sequencer').el.http;
    const { privateKey } = status.chains[0]!.accounts[6]!;
    const env = { ...home.env, HOME: forge, FOUNDRY_DISABLE_NIGHTLY_WARNING: '1' };
    const project = ['--root', forge, '--offline'];
    await run(
      foundry('forge'),
      ['script', 'Deploy', ...project, '--broadcast', '--rpc-url', url, '--private-key', privateKey],
      env,
    );
    const broadcast = join(forge, 'broadcast', 'Deploy.s.sol', String(status.chains[0]!.chainId), 'run-latest.json');
    const { receipts } = JSON.parse(readFileSync(broadcast, 'utf8')) as {
      receipts: { status: string; contractAddress: string | null; logs: unknown[] }[];
    };
    expect(receipts.map((receipt) => [receipt.status, receipt.logs.length])).toEqual([
      ['0x1', 0],
      ['0x1', 1],
    ]);
    const COUNTER = receipts[0]!.contractAddress!;
    expect(await run(foundry('cast'), ['call', COUNTER, 'number()(uint256)', '--rpc-url', url])).toBe('7');
    const tested = await run(foundry('forge'), ['test', ...project, '--fork-url', url], { ...env, COUNTER });
    expect(tested).toContain('[PASS] test_adds_to_what_the_chain_holds()');
  });

  it('a withdrawal contract call through the bridge predeploy leaves its message in the passer', async () => {
    const account = privateKeyToAccount(status.chains[0]!.accounts[5]!.privateKey);
    const l2 = createWalletClient({
      account,
      chain: l2Chain(),
      transport: http(node(status, 'sequencer').el.http),
      pollingInterval: 100,
    }).extend(publicActions);
    const data = encodeFunctionData({
      abi: [
        {
          type: 'function',
          name: 'initiateWithdrawal',
          stateMutability: 'payable',
          inputs: [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }],
          outputs: [],
        },
      ],
      args: [account.address, 100_000n, '0x'],
    });
    const receipt = await l2.waitForTransactionReceipt({
      hash: await l2.sendTransaction({ to: '0x4200000000000000000000000000000000000016', value: 11n, data }),
    });
    expect(receipt.logs[0]?.topics[0]).toBe('0x02a52367d10742d8032712c1bb8e0144ff1ec5ffda1ed7d70bb05a2744955054');
  });
});
