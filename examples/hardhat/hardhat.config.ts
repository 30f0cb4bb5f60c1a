import { fileURLToPath } from 'node:url';
import hardhatTestRunner from '@nomicfoundation/hardhat-node-test-runner';
import hardhatViem from '@nomicfoundation/hardhat-viem';
import { configVariable, defineConfig } from 'hardhat/config';

const accounts = [configVariable('DEVNET_PRIVATE_KEY_0'), configVariable('DEVNET_PRIVATE_KEY_1')];

export default defineConfig({
  plugins: [hardhatTestRunner, hardhatViem],
  // The compiler of npm, so that a run downloads nothing.
  solidity: { version: '0.8.15', path: fileURLToPath(import.meta.resolve('solc/soljson.js')) },
  // `devnet exec` sets these variables. `devnet env --format hardhat` prints the same networks with their values.
  networks: {
    l1: { type: 'http', chainType: 'l1', url: configVariable('DEVNET_L1_RPC_URL'), accounts },
    l2: { type: 'http', chainType: 'op', url: configVariable('DEVNET_L2_RPC_URL'), accounts },
  },
});
