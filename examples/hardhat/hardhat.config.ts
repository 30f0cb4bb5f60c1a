import { createRequire } from 'node:module';
import testRunner from '@nomicfoundation/hardhat-node-test-runner';
import viem from '@nomicfoundation/hardhat-viem';
import { configVariable, defineConfig } from 'hardhat/config';

export default defineConfig({
  plugins: [viem, testRunner],
  // The compiler of the npm package solc: nothing is downloaded.
  solidity: { version: '0.8.15', path: createRequire(import.meta.url).resolve('solc/soljson.js') },
  networks: {
    devnet: {
      type: 'http',
      chainType: 'op',
      url: configVariable('DEVNET_L2_RPC_URL'),
      accounts: [configVariable('DEVNET_PRIVATE_KEY_0')],
    },
  },
});
