import { RPC_CODE, RpcError } from '../../../rpc/error.ts';
import type { GatewayCall, GatewayMethods } from '../../../rpc/gateway/methods.ts';
import type { StateChange } from '../chain/block.ts';

/** Methods of anvil that set a part of the state. A second call changes nothing more. */
const SETTING = [
  'anvil_setBalance',
  'hardhat_setBalance',
  'tenderly_setBalance',
  'anvil_setCode',
  'hardhat_setCode',
  'anvil_setNonce',
  'hardhat_setNonce',
  'evm_setAccountNonce',
  'anvil_setStorageAt',
  'hardhat_setStorageAt',
  'anvil_dealERC20',
  'hardhat_dealERC20',
  'anvil_setERC20Balance',
  'anvil_setERC20Allowance',
] as const;

/** Methods of anvil that add to a balance. */
const ADDING = ['anvil_addBalance', 'hardhat_addBalance', 'tenderly_addBalance'] as const;

/** Other methods of anvil that an execution client lacks. */
const OF_ANVIL = [
  'anvil_impersonateAccount',
  'hardhat_impersonateAccount',
  'anvil_stopImpersonatingAccount',
  'hardhat_stopImpersonatingAccount',
  'anvil_autoImpersonateAccount',
  'hardhat_autoImpersonateAccount',
  'anvil_loadState',
  'hardhat_loadState',
  'anvil_dumpState',
  'hardhat_dumpState',
  'anvil_dropTransaction',
  'hardhat_dropTransaction',
  'anvil_dropAllTransactions',
  'hardhat_dropAllTransactions',
  'anvil_setCoinbase',
  'hardhat_setCoinbase',
  'anvil_setNextBlockBaseFeePerGas',
  'hardhat_setNextBlockBaseFeePerGas',
  'anvil_setMinGasPrice',
  'hardhat_setMinGasPrice',
  'evm_setBlockGasLimit',
  'anvil_setBlockGasLimit',
  'anvil_setChainId',
  'anvil_reset',
  'hardhat_reset',
  'anvil_impersonateSignature',
  'anvil_nodeInfo',
  'anvil_metadata',
  'hardhat_metadata',
  'anvil_getAutomine',
  'hardhat_getAutomine',
  'anvil_getIntervalMining',
  'anvil_setLoggingEnabled',
  'hardhat_setLoggingEnabled',
  'anvil_setRpcUrl',
  'anvil_removePoolTransactions',
  'anvil_getBlobByHash',
  'anvil_getBlobsByTransactionHash',
  'anvil_getGenesisTime',
  'eth_sendUnsignedTransaction',
  'eth_sendTransactionSync',
  'eth_fillTransaction',
  'eth_sign',
  'personal_sign',
  'eth_signTransaction',
  'eth_signTypedData',
  'eth_signTypedData_v3',
  'eth_signTypedData_v4',
] as const;

/** Refuses what anvil does and an execution client does not, with the way that works. */
export function anvilOnly(): GatewayMethods {
  const refuse = ({ method }: GatewayCall): never => {
    throw new RpcError(
      RPC_CODE.methodNotFound,
      `${method} is not available: L1 is an execution client, whose blocks are those of a real L1; ` +
        'use `l1: { client: anvil }` in the spec',
    );
  };
  return Object.fromEntries([...SETTING, ...ADDING, ...OF_ANVIL].map((name) => [name, refuse]));
}

/**
 * Makes a call that changes L1 while no block is made, and journals what it returns as the change.
 * @throws RpcError of L1
 */
export type ChangeL1 = (
  call: () => Promise<{ readonly result: unknown; readonly change: StateChange }>,
) => Promise<unknown>;

/**
 * Creates the methods that change the state of L1 without a transaction. anvil makes the change. The journal has it
 * too, because an L1 that is made again without it has other blocks.
 */
export function stateChanges(changeL1: ChangeL1): GatewayMethods {
  const set = ({ method, params, pass }: GatewayCall) =>
    changeL1(async () => ({ result: await pass(method, params), change: { method, params } }));
  const add = ({ method, params, pass }: GatewayCall) =>
    changeL1(async () => {
      const [address] = params;
      if (typeof address !== 'string')
        throw new RpcError(RPC_CODE.invalidParams, `${method}: expected an address, found ${JSON.stringify(address)}`);
      const result = await pass(method, params);
      const balance = await pass('eth_getBalance', [address, 'latest']);
      return { result, change: { method: 'anvil_setBalance', params: [address, balance] } };
    });
  return Object.fromEntries([
    ...SETTING.map((name) => [name, set] as const),
    ...ADDING.map((name) => [name, add] as const),
  ]);
}
