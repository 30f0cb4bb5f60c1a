import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Abi, erc20Abi, type Hex, parseAbi, parseEther, parseEventLogs, toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { getL2TransactionHashes } from 'viem/op-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Home, root, rpc, run, type Status } from './devnet.ts';
import { etherOfAll } from './support/ether.ts';
import { snippetOf, type ViemChain, viemChains, wallets } from './support/viem-chains.ts';

const WETH = JSON.parse(
  readFileSync(join(root, 'node_modules/@eth-optimism/contracts-bedrock/forge-artifacts/WETH9.sol/WETH9.json'), 'utf8'),
) as { abi: Abi; bytecode: { object: Hex } };

const BRIDGES = parseAbi([
  'function depositERC20(address l1Token, address l2Token, uint256 amount, uint32 gas, bytes data)',
  'function withdraw(address l2Token, uint256 amount, uint32 gas, bytes data) payable',
  'function createOptimismMintableERC20(address remote, string name, string symbol) returns (address)',
  'event OptimismMintableERC20Created(address indexed localToken, address indexed remoteToken, address deployer)',
]);

const PASSER = '0x4200000000000000000000000000000000000016';
const MNEMONIC = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const OWN = {
  address: `0x${'ab'.repeat(20)}`,
  // Returns 42.
  account: { code: '0x602a60005260206000f3', nonce: '0x1', storage: { '0x1': '0x7' } },
  funded: `0x${'cd'.repeat(20)}`,
} as const;

/**
 * One network whose chains have one withdrawal system each.
 * viem's actions and `env --format viem` do all the rest.
 */
describe('withdrawals', () => {
  let home: Home;
  let status: Status;
  let chains: Readonly<Record<string, ViemChain>>;

  beforeAll(async () => {
    home = new Home();
    const nodes = { sequencer: { role: 'sequencer' } };
    const proposer = { system: 'dispute-games' };
    const alloc = home.spec('alloc', JSON.stringify({ [OWN.address]: OWN.account }));
    const accounts = { mnemonic: MNEMONIC, count: 6, addresses: [OWN.funded] };
    const main = { nodes, alloc, accounts, blockTime: 1 };
    const spec = {
      version: 1,
      name: 'both',
      ports: 'auto',
      l1: { alloc, blockTime: 1 },
      chains: { main, games: { proposer, nodes, blockTime: 1 } },
    };
    status = await home.up(home.spec('both', spec));
    chains = await viemChains(home, 'both');
  });
  afterAll(async () => home[Symbol.asyncDispose]());

  /** First account of a chain's tests: both chains pay into one L1, where a nonce belongs to one sender. */
  const firstOf = (chain: string) => (chain === 'main' ? 0 : 3);
  const keyOf = (chain: string, index: number) =>
    status.chains.find(({ name }) => name === chain)!.accounts[index]!.privateKey;

  it('run on accounts of the user: code and storage on both layers, a mnemonic, an address', async () => {
    const { onL1, onL2 } = wallets(keyOf('main', 0), chains['l1']!, chains['main']!);
    for (const client of [onL1, onL2]) {
      expect((await client.call({ to: OWN.address })).data).toBe(toHex(42, { size: 32 }));
      expect(await client.getStorageAt({ address: OWN.address, slot: '0x1' })).toBe(toHex(7, { size: 32 }));
      expect(await client.getBalance({ address: OWN.funded })).toBe(parseEther('10000'));
    }
    const { address } = mnemonicToAccount(MNEMONIC);
    expect(status.chains[0]!.accounts[0]!.address).toBe(address.toLowerCase());
  });

  describe.concurrent.each(['main', 'games'])('on %s', (name) => {
    it('a withdrawal of ether arrives as the how-to shows', async () => {
      const file = join(home.folder, `${name}.mjs`);
      // Both chains pay into one L1.
      const receiver = `0x${(name === 'main' ? '4a' : '4b').repeat(20)}`;
      writeFileSync(
        file,
        snippetOf('withdraw.md')
          .replaceAll('main', name)
          .replace(/0x2{40}/, receiver),
      );
      const env = { ...home.env, DEVNET_PRIVATE_KEY_0: keyOf(name, firstOf(name)) };
      expect(await run(process.execPath, [file], env)).toBe('1 ether arrived');
    });

    it('a withdrawal by the command arrives, and fails when the receiver refuses the amount', async () => {
      const withdraw = (to: string) =>
        home.devnet('withdraw', to, '1ether', '--chain', name, '--from', `${firstOf(name) + 1}`, '--json');
      const receiver = `0x${(name === 'main' ? '5a' : '5b').repeat(20)}`;
      const done = await withdraw(receiver);
      expect(done).toMatchObject({ code: 0 });
      expect(JSON.parse(done.stdout)).toMatchObject({ to: receiver, balance: String(parseEther('1')) });
      // MultiCall3 takes no ether.
      const refused = await withdraw('0xca11bde05977b3631167028862be2a173976ca11');
      expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('did not arrive')]);
    });

    it('a withdrawal whose time was over goes on by its transaction', async () => {
      const receiver = `0x${(name === 'main' ? '6a' : '6b').repeat(20)}`;
      const options = ['--chain', name, '--from', `${firstOf(name) + 1}`];
      const late = await home.devnet('withdraw', receiver, '1ether', ...options, '--timeout', '2s');
      const [, initiated = ''] = /withdraw --continue (0x[0-9a-f]{64})/.exec(late.stderr) ?? [];
      expect([late.code, late.stderr]).toEqual([3, expect.stringContaining(initiated)]);
      const done = await home.devnet('withdraw', '--continue', initiated, ...options, '--json');
      expect(done).toMatchObject({ code: 0 });
      expect(JSON.parse(done.stdout)).toMatchObject({ to: receiver, balance: String(parseEther('1')) });
    });

    it('ether and a token are deposited, and the token withdrawn', async () => {
      const l2Chain = chains[name]!;
      const { account, onL1, onL2 } = wallets(keyOf(name, firstOf(name) + 2), chains['l1']!, l2Chain);
      const done = async (client: { waitForTransactionReceipt: typeof onL1.waitForTransactionReceipt }, hash: Hex) => {
        const receipt = await client.waitForTransactionReceipt({ hash });
        expect(receipt.status).toBe('success');
        return receipt;
      };
      const before = await onL2.getBalance({ address: account.address });
      const mint = parseEther('3');
      const args = await onL2.buildDepositTransaction({ mint, to: account.address, gas: 100_000n });
      const deposit = await done(onL1, await onL1.depositTransaction(args as never));
      await done(onL2, getL2TransactionHashes(deposit)[0]!);
      expect(await onL2.getBalance({ address: account.address })).toBe(before + mint);

      const contracts = l2Chain.contracts as unknown as Record<string, { address: Hex }>;
      const contract = (key: string) => contracts[key]!.address;
      const l1Bridge = (contracts['l1StandardBridge'] as unknown as Record<number, { address: Hex }>)[900]!;
      const deployed = await onL1.deployContract({ abi: WETH.abi, bytecode: WETH.bytecode.object } as never);
      const token = (await done(onL1, deployed)).contractAddress!;
      const created = await onL2.writeContract({
        address: contract('optimismMintableErc20Factory'),
        abi: BRIDGES,
        functionName: 'createOptimismMintableERC20',
        args: [token, 'Token', 'TOK'],
      } as never);
      const [event] = parseEventLogs({
        abi: BRIDGES,
        eventName: 'OptimismMintableERC20Created',
        logs: (await done(onL2, created)).logs,
      });
      const l2Token = event!.args.localToken;
      const write = (address: Hex, abi: Abi, functionName: string, args: unknown[], value = 0n) =>
        onL1.writeContract({ address, abi, functionName, args, value } as never);
      await done(onL1, await write(token, WETH.abi, 'deposit', [], 100n));
      await done(onL1, await write(token, WETH.abi, 'approve', [l1Bridge.address, 100n]));
      const bridged = await done(
        onL1,
        await write(l1Bridge.address, BRIDGES, 'depositERC20', [token, l2Token, 100n, 200_000, '0x']),
      );
      await done(onL2, getL2TransactionHashes(bridged)[0]!);
      const balanceCall = { abi: erc20Abi, functionName: 'balanceOf', args: [account.address] } as const;
      expect(await onL2.readContract({ ...balanceCall, address: l2Token })).toBe(100n);

      const withdrawn = await onL2.writeContract({
        address: contract('l2StandardBridge'),
        abi: BRIDGES,
        functionName: 'withdraw',
        args: [l2Token, 40n, 200_000, '0x'],
      } as never);
      const receipt = await done(onL2, withdrawn);
      const targetChain = l2Chain as never;
      const state = () => onL1.getWithdrawalStatus({ receipt, targetChain });
      const { output, withdrawal } = await onL1.waitToProve({ receipt, targetChain });
      expect(await state()).toBe('ready-to-prove');
      await done(onL1, await onL1.proveWithdrawal((await onL2.buildProveWithdrawal({ output, withdrawal })) as never));
      expect(await state()).toMatch(/-to-finalize$/);
      await onL1.waitToFinalize({ targetChain, withdrawalHash: withdrawal.withdrawalHash });
      expect(await state()).toBe('ready-to-finalize');
      await done(onL1, await onL1.finalizeWithdrawal({ targetChain, withdrawal }));
      expect(await state()).toBe('finalized');
      expect(await onL1.readContract({ ...balanceCall, address: token })).toBe(40n);
    });
  });

  // After the deposits and withdrawals above. The message passer holds what has been withdrawn.
  it.each(['main', 'games'])('leave in the portal of %s what L2 can withdraw, and what was refused', async (name) => {
    const { contracts, nodes } = status.chains.find((chain) => chain.name === name)!;
    const { http } = nodes[0]!.el;
    const balanceOf = async (url: string, address: Hex, block: string) =>
      BigInt(await rpc<Hex>(url, 'eth_getBalance', address, block));
    const block = await rpc<Hex>(http, 'eth_blockNumber');
    const [all, withdrawn] = await Promise.all([etherOfAll(http, block), balanceOf(http, PASSER, block)]);
    const portal = await balanceOf(status.l1.rpc, contracts.l1['OptimismPortal']!, 'latest');
    expect(all).toBeGreaterThan(parseEther('10000'));
    // What the receiver above refused stays in the portal.
    expect(portal).toBe(all - withdrawn + parseEther('1'));
  });
});
