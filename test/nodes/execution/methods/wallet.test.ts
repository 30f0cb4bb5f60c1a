import { BrowserProvider, ContractFactory, parseEther } from 'ethers';
import { createPublicClient, createWalletClient, custom, defineChain } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACCOUNTS } from '../support/accounts.ts';
import { CHAIN_ID, genesisText, REVERTER, STORE, upTo } from '../support/genesis.ts';
import { produceBlocks } from '../support/miner.ts';
import { launch, type TestNode } from '../support/nodes.ts';
import { BrowserWallet } from '../support/wallet.ts';

const schedule = upTo('jovian');
const PAGE = 'http://localhost:5173';
/** Code that returns 42. */
const BYTECODE = '0x600a600c600039600a6000f3602a60005260206000f3';
const ABI = ['function answer() view returns (uint256)'];

/** Pages and wallets of browsers: EIP-1193 over fetch, with preflights, origins and batches. */
describe.each(['go', 'rust'] as const)('on the %s flavour', (flavour) => {
  let node: TestNode;
  let miner: ReturnType<typeof produceBlocks>;
  beforeAll(async () => {
    node = await launch(genesisText(schedule), { flavour, api: { http: ['eth', 'net', 'web3'], websocket: [] } });
    miner = produceBlocks(node, schedule);
  });
  afterAll(async () => {
    await miner.stop();
    await node[Symbol.asyncDispose]();
  });

  test('a page with ethers connects, sends, deploys and calls', async () => {
    const provider = new BrowserProvider(new BrowserWallet(node.url, PAGE, ACCOUNTS[0]!), CHAIN_ID);
    provider.pollingInterval = 20;
    await provider.send('wallet_switchEthereumChain', [{ chainId: `0x${CHAIN_ID.toString(16)}` }]);
    const signer = await provider.getSigner();
    expect(await signer.getAddress()).toBe(ACCOUNTS[0]!.address);
    const to = '0x00000000000000000000000000000000000cafe1';
    const sent = await signer.sendTransaction({ to, value: parseEther('1') });
    expect(await sent.wait()).toMatchObject({ status: 1, from: ACCOUNTS[0]!.address });
    expect(await provider.getBalance(to)).toBe(parseEther('1'));
    const contract = await new ContractFactory(ABI, BYTECODE, signer).deploy();
    await contract.waitForDeployment();
    expect(await contract.getFunction('answer')()).toBe(42n);
    await expect(signer.sendTransaction({ to: REVERTER, data: '0x01' })).rejects.toThrow(/execution reverted/);
    await expect(provider.send('wallet_switchEthereumChain', [{ chainId: '0x1' }])).rejects.toThrow(/Unrecognized/);
    provider.destroy();
  });

  test('a page with viem connects, signs, sends and waits', async () => {
    const chain = defineChain({
      id: CHAIN_ID,
      name: 'test',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [node.url] } },
    });
    const transport = custom(new BrowserWallet(node.url, PAGE, ACCOUNTS[1]!));
    const wallet = createWalletClient({ chain, transport });
    const reader = createPublicClient({ chain, transport, pollingInterval: 20 });
    const [account] = await wallet.requestAddresses();
    expect(account).toBe(ACCOUNTS[1]!.address);
    expect(await wallet.signMessage({ account: account!, message: 'hello' })).toMatch(/^0x[0-9a-f]{130}$/);
    const hash = await wallet.sendTransaction({ account: account!, to: STORE, value: 3n });
    expect(await reader.waitForTransactionReceipt({ hash })).toMatchObject({ from: account!.toLowerCase() });
  });

  test('a page of another origin gets no answer, unless the options name it', async () => {
    const elsewhere = new BrowserWallet(node.url, 'https://app.example', ACCOUNTS[2]!);
    await expect(elsewhere.request({ method: 'eth_chainId' })).rejects.toThrow('Failed to fetch');
  });
});
