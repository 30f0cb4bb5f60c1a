import { ContractFactory, JsonRpcProvider, NonceManager, Wallet, WebSocketProvider } from 'ethers';
import { createPublicClient, createWalletClient, defineChain, http, parseAbi, webSocket } from 'viem';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Hex } from '../../../../src/protocol/types.ts';
import { foundry, run } from '../../../e2e/devnet.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { CHAIN_ID, genesisText, LOGGER, REVERTER, STORE, upTo } from '../support/genesis.ts';
import { produceBlocks } from '../support/miner.ts';
import { launch, type TestNode } from '../support/nodes.ts';

const schedule = upTo('jovian');
const TOPIC: Hex = `0x${'5e'.repeat(32)}`;
/** Logs TOPIC with the calldata and returns the calldata. */
const RUNTIME = `366000600037 7f${TOPIC.slice(2)} 366000a1 366000f3`.replaceAll(' ', '');
const size = (RUNTIME.length / 2).toString(16).padStart(2, '0');
const BYTECODE: Hex = `0x60${size}600c60003960${size}6000f3${RUNTIME}`;
const ABI = parseAbi(['event Anything()', 'function echo(uint256) view returns (uint256)', 'function poke(uint256)']);

let node: TestNode;
let miner: ReturnType<typeof produceBlocks>;

beforeAll(async () => {
  node = await launch(genesisText(schedule), { flavour: 'go' });
  miner = produceBlocks(node, schedule);
});
/** Ends of what polls or listens: the files of this worker that follow must not meet it. */
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(async () => {
  await miner.stop();
  await node[Symbol.asyncDispose]();
});

test.each(['http', 'websocket'] as const)(
  'viem deploys, calls, sends, waits and reads logs over %s',
  async (transport) => {
    const chain = defineChain({
      id: CHAIN_ID,
      name: 'test',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [node.url] } },
    });
    const carrier = transport === 'http' ? http(node.url) : webSocket(node.wsUrl);
    const reader = createPublicClient({ chain, transport: carrier, pollingInterval: 20 });
    const { transport: used } = reader;
    if ('getRpcClient' in used) ends.push(async () => (await used.getRpcClient()).close());
    const account = ACCOUNTS[transport === 'http' ? 0 : 1]!;
    const wallet = createWalletClient({ chain, transport: carrier, account });

    const deployed = await reader.waitForTransactionReceipt({
      hash: await wallet.deployContract({ abi: ABI, bytecode: BYTECODE }),
    });
    expect(deployed.status).toBe('success');
    const address = deployed.contractAddress!;
    expect(await reader.getCode({ address })).toBe(`0x${RUNTIME}`);
    const firstLogs = Promise.withResolvers<readonly { topics: readonly Hex[] }[]>();
    ends.push(reader.watchEvent({ address, onLogs: (logs) => firstLogs.resolve(logs as never) }));
    const heads = Promise.withResolvers<bigint>();
    const onBlockNumber = (number: bigint, previous?: bigint) => previous !== undefined && heads.resolve(number);
    ends.push(reader.watchBlockNumber({ onBlockNumber }));
    await reader.getBlockNumber();
    const poke = { address, abi: ABI, functionName: 'poke', args: [7n] } as const;
    const gas = await reader.estimateContractGas({ ...poke, account });
    const sent = await reader.waitForTransactionReceipt({ hash: await wallet.writeContract({ ...poke, gas }) });
    expect(sent).toMatchObject({ status: 'success', type: 'eip1559' });
    expect(sent.gasUsed <= gas && gas < (sent.gasUsed * 12n) / 10n).toBe(true);
    expect((await firstLogs.promise)[0]!.topics).toEqual([TOPIC]);
    expect(await heads.promise).toBeGreaterThan(0n);
    expect(await reader.getLogs({ address, fromBlock: 0n })).toHaveLength(1);
    const balance = await reader.getBalance({ address: STORE });
    await reader.waitForTransactionReceipt({ hash: await wallet.sendTransaction({ to: LOGGER, value: 3n }) });
    expect(await reader.getBalance({ address: STORE })).toBe(balance);
    await expect(
      reader.call({
        to: REVERTER,
        data: '0x08c379a000000000000000000000000000000000000000000000000000000000000000200000000000000000000000000000000000000000000000000000000000000002686900000000000000000000000000000000000000000000000000000000000000',
      }),
    ).rejects.toThrow(/hi/);
    expect((await reader.getFeeHistory({ blockCount: 3, rewardPercentiles: [50] })).reward).toHaveLength(3);
    expect(await reader.getTransactionCount({ address: account.address })).toBe(3);
    expect((await reader.getBlock({ includeTransactions: true })).transactions[0]).toMatchObject({ typeHex: '0x7e' });
    const overridden = await reader.call({
      to: STORE,
      stateOverride: [{ address: STORE, code: '0x602a60005260206000f3' }],
    });
    expect(BigInt(overridden.data!)).toBe(42n);
  },
);

test('ethers deploys, sends, waits and hears events', async () => {
  const provider = new JsonRpcProvider(node.url, CHAIN_ID, { polling: true, pollingInterval: 20, staticNetwork: true });
  const wallet = new NonceManager(new Wallet(`0x${'0'.repeat(63)}5`, provider));
  const factory = new ContractFactory(
    ['function poke(uint256)', 'function echo(uint256) view returns (uint256)'],
    BYTECODE,
    wallet,
  );
  const contract = await factory.deploy();
  await contract.waitForDeployment();
  const address = await contract.getAddress();
  const socket = new WebSocketProvider(node.wsUrl, CHAIN_ID);
  const event = new Promise<{ topics: readonly string[] }>((resolve) => void socket.on({ address }, resolve));
  await socket.getBlockNumber();
  const receipt = await (await contract.getFunction('poke')(5n)).wait();
  expect(receipt?.status).toBe(1);
  expect(receipt?.logs).toHaveLength(1);
  expect((await event).topics).toEqual([TOPIC]);
  expect((await provider.getFeeData()).maxPriorityFeePerGas).toBe(1_000_000n);
  await expect(provider.call({ to: REVERTER, data: '0x01' })).rejects.toMatchObject({ code: 'CALL_EXCEPTION' });
  await socket.destroy();
  provider.destroy();
});

test('viem simulates, proves, lists access and estimates with overrides', async () => {
  const chain = defineChain({
    id: CHAIN_ID,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [node.url] } },
  });
  const reader = createPublicClient({ chain, transport: http(node.url) });
  const account = ACCOUNTS[2]!.address;
  const simulated = await reader.simulateBlocks({
    blocks: [
      {
        calls: [{ account, to: LOGGER, value: 2n, data: TOPIC }],
        stateOverrides: [{ address: account, balance: 10n ** 20n }],
      },
      {
        blockOverrides: { baseFeePerGas: 5n },
        calls: [{ account, to: REVERTER, data: '0x01' }],
      },
    ],
    traceTransfers: true,
  });
  expect(simulated[0]!.calls[0]).toMatchObject({
    status: 'success',
    logs: [{ data: expect.any(String) }, { address: LOGGER }],
  });
  expect(simulated.at(-1)!.calls[0]).toMatchObject({ status: 'failure' });
  const proof = await reader.getProof({ address: STORE, storageKeys: [`0x${'0'.repeat(63)}1`] });
  expect(proof.accountProof.length).toBeGreaterThan(0);
  const { accessList } = await reader.createAccessList({ account, to: STORE, data: `0x${'0'.repeat(126)}0102` as Hex });
  expect(accessList).toEqual([{ address: STORE, storageKeys: [expect.any(String)] }]);
  const gas = await reader.estimateGas({
    account: '0x00000000000000000000000000000000000000ef',
    to: LOGGER,
    value: 1n,
    stateOverride: [{ address: '0x00000000000000000000000000000000000000ef', balance: 10n ** 18n }],
  });
  expect(gas).toBeGreaterThan(21_000n);
});

test('cast reads, proves, lists access and asks for traces', async () => {
  const cast = (...args: string[]) => run(foundry('cast'), [...args, '--rpc-url', node.url]);
  const [id, number, proof, access, trace] = await Promise.all([
    cast('chain-id'),
    cast('block', 'latest', '--json'),
    cast('proof', STORE, '0x1', '--json'),
    cast('access-list', STORE, '--json'),
    cast('rpc', 'debug_traceCall', JSON.stringify({ to: LOGGER, data: TOPIC }), 'latest', '{"tracer":"callTracer"}'),
  ]);
  expect(id).toBe(String(CHAIN_ID));
  expect(JSON.parse(number)).toHaveProperty('baseFeePerGas');
  expect(JSON.parse(proof)).toMatchObject({ address: expect.any(String), storageProof: [expect.anything()] });
  expect(access).toContain('gas');
  expect(JSON.parse(trace)).toMatchObject({ type: 'CALL', to: LOGGER });
});
