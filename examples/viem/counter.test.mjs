import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import solc from 'solc';
import { createWalletClient, getContract, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

const input = {
  language: 'Solidity',
  sources: { 'Counter.sol': { content: readFileSync('Counter.sol', 'utf8') } },
  settings: { outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } },
};
const { abi, evm } = JSON.parse(solc.compile(JSON.stringify(input))).contracts['Counter.sol'].Counter;

const client = createWalletClient({
  account: privateKeyToAccount(process.env.DEVNET_PRIVATE_KEY_0),
  transport: http(process.env.DEVNET_L2_RPC_URL),
  chain: null,
}).extend(publicActions);

test('a counter that is deployed on the rollup counts', async () => {
  const deployed = await client.deployContract({ abi, bytecode: `0x${evm.bytecode.object}` });
  const { contractAddress: address } = await client.waitForTransactionReceipt({ hash: deployed });
  const counter = getContract({ address, abi, client });
  await client.waitForTransactionReceipt({ hash: await counter.write.add([7n]) });
  assert.equal(await counter.read.number(), 7n);
});
