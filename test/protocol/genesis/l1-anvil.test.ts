import { createTestClient, http, type PrivateKeyAccount, parseAbi, publicActions, toHex, walletActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BEACON_ROOTS_ADDRESS, HISTORY_STORAGE_ADDRESS } from '../../../src/protocol/execution/predeploys.ts';
import {
  devAccounts,
  l1Addresses,
  l1Genesis,
  predictAnvilGenesis,
  roleAccounts,
} from '../../../src/protocol/genesis/index.ts';
import { L1_HARDFORKS, type L1Hardfork } from '../../../src/protocol/genesis/inputs.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { Anvil } from './anvil.ts';
import { chainInputs, contracts, GENESIS_TIME } from './inputs.ts';

const chains = [chainInputs({ chainId: 901 }), chainInputs({ chainId: 902, blockTime: 1 })];
const inputs = { chainId: 900, hardfork: 'prague', genesisTime: GENESIS_TIME, accounts: [], chains } as const;
const addresses = l1Addresses(901, contracts);
const TRANSACTION_DEPOSITED = '0xb3813568d9991fc951961fcb4c784893574240a28925604d09fc577c55bb7c32';

const portal = parseAbi(['function depositTransaction(address,uint256,uint64,bool,bytes) payable']);
const bridge = parseAbi(['function depositETH(uint32,bytes) payable']);
const oracle = parseAbi([
  'function proposeL2Output(bytes32,uint256,bytes32,uint256) payable',
  'function nextBlockNumber() view returns (uint256)',
  'function latestOutputIndex() view returns (uint256)',
  'function l2BlockTime() view returns (uint256)',
]);
const admin = parseAbi([
  'function getProxyImplementation(address) view returns (address)',
  'function owner() view returns (address)',
]);

const [user] = devAccounts(1, contracts).map(({ privateKey }) => privateKeyToAccount(privateKey));

function connect(url: string) {
  const chain = {
    id: 900,
    name: 'l1',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  };
  return createTestClient({ mode: 'anvil', chain, transport: http(url), pollingInterval: 20 })
    .extend(publicActions)
    .extend(walletActions);
}

describe('L1 genesis under anvil', () => {
  let anvil: Anvil;
  let client: ReturnType<typeof connect>;
  let now = GENESIS_TIME;

  async function mine(seconds: number): Promise<void> {
    now += seconds;
    await client.setNextBlockTimestamp({ timestamp: BigInt(now) });
    await client.mine({ blocks: 1 });
  }

  async function send(
    account: PrivateKeyAccount,
    request: { address: Hex; abi: unknown; functionName: string; args: readonly unknown[]; value?: bigint },
  ) {
    const hash = await client.writeContract({ account, gas: 3_000_000n, ...request } as never);
    await mine(2);
    return client.getTransactionReceipt({ hash });
  }

  beforeAll(async () => {
    anvil = await Anvil.start(900, l1Genesis(inputs, contracts));
    client = connect(anvil.url);
  });
  afterAll(async () => {
    await anvil[Symbol.asyncDispose]();
  });

  it('has the predicted block 0', async () => {
    const { hash, header } = predictAnvilGenesis(inputs);
    const block = await client.getBlock({ blockNumber: 0n });
    expect(block.hash).toBe(hash);
    expect(Number(block.gasLimit)).toBe(header.gasLimit);
    expect(Number(block.timestamp)).toBe(GENESIS_TIME);
  });

  it('funds accounts and roles', async () => {
    for (const { address } of [
      ...devAccounts(10, contracts),
      roleAccounts(902, contracts).batcher,
      roleAccounts(901, contracts).proposer,
    ])
      expect(await client.getBalance({ address })).toBe(10_000n * 10n ** 18n);
  });

  it('turns a portal deposit into TransactionDeposited of version 0', async () => {
    const to: Hex = `0x${'42'.repeat(20)}`;
    const receipt = await send(user!, {
      address: addresses.OptimismPortal!,
      abi: portal,
      functionName: 'depositTransaction',
      args: [to, 5n, 100_000n, false, '0xabcd'],
      value: 5n,
    });
    expect(receipt.status).toBe('success');
    const [log] = receipt.logs;
    const topic = (address: string) => `0x${address.slice(2).toLowerCase().padStart(64, '0')}`;
    expect(log!.topics).toEqual([TRANSACTION_DEPOSITED, topic(user!.address), topic(to), topic('0x0')]);
    const opaque = [
      '5'.padStart(64, '0'),
      '5'.padStart(64, '0'),
      (100_000).toString(16).padStart(16, '0'),
      '00',
      'abcd',
    ].join('');
    expect(log!.data.slice(2 + 128, 2 + 128 + opaque.length)).toBe(opaque);
  });

  it('bridges ether through the standard bridge and the messenger', async () => {
    const receipt = await send(user!, {
      address: addresses.L1StandardBridge!,
      abi: bridge,
      functionName: 'depositETH',
      args: [200_000, '0x'],
      value: 7n,
    });
    expect(receipt.status).toBe('success');
    const deposited = receipt.logs.find(({ topics }) => topics[0] === TRANSACTION_DEPOSITED)!;
    // The L2 messenger is called by the alias of the L1 messenger.
    const alias = BigInt(addresses.L1CrossDomainMessenger!) + 0x1111000000000000000000000000000000001111n;
    expect(BigInt(deposited.topics[1]!)).toBe(alias % 2n ** 160n);
    expect(BigInt(deposited.topics[2]!)).toBe(BigInt('0x4200000000000000000000000000000000000007'));
    expect(await client.getBalance({ address: addresses.OptimismPortal! })).toBeGreaterThanOrEqual(7n);
  });

  it('has the output of block 0, and accepts the next one from the proposer', async () => {
    const proposer = privateKeyToAccount(roleAccounts(901, contracts).proposer.privateKey);
    const address = addresses.L2OutputOracle!;
    expect(await client.readContract({ address, abi: oracle, functionName: 'latestOutputIndex' })).toBe(0n);
    expect(await client.readContract({ address, abi: oracle, functionName: 'nextBlockNumber' })).toBe(10n);
    const args = [`0x${'77'.repeat(32)}`, 10n, `0x${'0'.repeat(64)}`, 0n] as const;
    await mine(30);
    expect((await send(user!, { address, abi: oracle, functionName: 'proposeL2Output', args })).status).toBe(
      'reverted',
    );
    expect((await send(proposer, { address, abi: oracle, functionName: 'proposeL2Output', args })).status).toBe(
      'success',
    );
    expect(await client.readContract({ address, abi: oracle, functionName: 'latestOutputIndex' })).toBe(1n);
    expect(await client.readContract({ address, abi: oracle, functionName: 'nextBlockNumber' })).toBe(20n);
  });

  it('serves the parent hash by EIP-2935 and no beacon root by EIP-4788, as docs/contracts.md says', async () => {
    await mine(2);
    const { hash, number, timestamp, parentBeaconBlockRoot } = await client.getBlock();
    await mine(2);
    const ask = (to: Hex, argument: bigint) => client.call({ to, data: toHex(argument, { size: 32 }) });
    expect((await ask(HISTORY_STORAGE_ADDRESS, number)).data).toBe(hash);
    expect(await client.getCode({ address: BEACON_ROOTS_ADDRESS })).toBeDefined();
    await expect(ask(BEACON_ROOTS_ADDRESS, timestamp)).rejects.toThrow(/revert/);
    expect(BigInt(parentBeaconBlockRoot ?? 0)).toBe(0n);
  });

  it('has separate contracts for each chain', async () => {
    const other = l1Addresses(902, contracts);
    expect(Object.values(other).filter((address) => Object.values(addresses).includes(address))).toEqual([]);
    const blockTime = (address: Hex) => client.readContract({ address, abi: oracle, functionName: 'l2BlockTime' });
    expect([await blockTime(addresses.L2OutputOracle!), await blockTime(other.L2OutputOracle!)]).toEqual([2n, 1n]);
  });

  it('has the admin of its chain for every proxy', async () => {
    const address = addresses.ProxyAdmin!;
    expect((await client.readContract({ address, abi: admin, functionName: 'owner' })).toLowerCase()).toBe(
      chains[0]!.roles.owner,
    );
    for (const [name, proxy] of Object.entries(addresses)) {
      if (name === 'ProxyAdmin' || name === 'AddressManager') continue;
      const implementation = await client.readContract({
        address,
        abi: admin,
        functionName: 'getProxyImplementation',
        args: [proxy],
      });
      expect([name, (await client.getCode({ address: implementation }))?.length]).toEqual([name, expect.any(Number)]);
    }
  });
});

it.each(L1_HARDFORKS)(
  'the L1 genesis predicts the block 0 of an L1 at %s, with the config of that fork',
  async (hardfork) => {
    const at = { ...inputs, hardfork };
    const { config } = l1Genesis(at, contracts) as { config: Record<string, unknown> };
    expect(['cancunTime', 'pragueTime', 'osakaTime'].filter((time) => config[time] === 0).length).toBe(
      L1_HARDFORKS.indexOf(hardfork) + 1,
    );
    await using anvil = await Anvil.start(900, l1Genesis(at, contracts), [], hardfork);
    const block = await createTestClient({ mode: 'anvil', transport: http(anvil.url) })
      .extend(publicActions)
      .getBlock({ blockNumber: 0n });
    expect(block.hash).toBe(predictAnvilGenesis(at).hash);
  },
);

describe('the limits of gas on anvil', () => {
  const LIMIT = 30_000_000;
  const send = async (gas: number, hardfork: L1Hardfork) => {
    const at = { ...inputs, hardfork, gasLimit: LIMIT };
    const options = ['--gas-limit', String(LIMIT), '--enable-tx-gas-limit'];
    await using anvil = await Anvil.start(900, l1Genesis(at, contracts), options, hardfork);
    const client = connect(anvil.url);
    expect((await client.getBlock({ blockNumber: 0n })).hash).toBe(predictAnvilGenesis(at).hash);
    return await client.sendTransaction({ account: user!, to: user!.address, gas: BigInt(gas) });
  };

  it.each([
    ['prague', 2 ** 24 + 1],
    ['osaka', 2 ** 24],
  ] as const)('are kept at %s by a transaction of %i gas', async (hardfork, gas) => {
    expect(await send(gas, hardfork)).toMatch(/^0x/);
  });

  it.each([
    ['prague', LIMIT + 1, /block\.gas_limit/],
    ['osaka', 2 ** 24 + 1, /tx_gas_limit_cap/],
  ] as const)('refuse at %s a transaction of %i gas', async (hardfork, gas, reason) => {
    await expect(send(gas, hardfork)).rejects.toThrow(reason);
  });
});
