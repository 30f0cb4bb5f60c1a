import { setTimeout as sleep } from 'node:timers/promises';
import { quantity } from '../../../src/protocol/hex.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import type { RpcClient } from '../../../src/rpc/client/client.ts';
import { httpClient } from '../../../src/rpc/client/http-client.ts';
import { l1Info } from '../../nodes/execution/support/driver.ts';
import { CHAIN_ID, GAS_LIMIT, GENESIS_TIME } from '../../nodes/execution/support/genesis.ts';
import { Anvil } from '../../protocol/genesis/anvil.ts';
import { start } from './nodes.ts';
import { hex, type Sender, workloadAlloc } from './workload.ts';

/** A built block and the number of sent transactions in it. */
interface MadeBlock {
  readonly gas: number;
  readonly transactions: number;
}

/** A node that answers reads while it builds. */
export interface ReadNode extends AsyncDisposable {
  readonly name: string;
  readonly url: string;
  /** Makes a block of the sent transactions, built for `building` milliseconds. */
  makeBlock(building?: number): Promise<MadeBlock>;
  readonly rpc: RpcClient;
}

/** Starts our client on a datadir in the folder. */
export async function ourNode(folder: string): Promise<ReadNode> {
  const { program, driver, rpc, url } = await start(folder, 'data');
  const head = await rpc.call<{ hash: Hex; number: Hex }>('eth_getBlockByNumber', ['latest', false]);
  let parent = head.hash;
  let number = Number(head.number);
  return {
    name: 'ours',
    url,
    rpc,
    async makeBlock(building = 100) {
      const time = GENESIS_TIME + ++number;
      const { payloadId } = await driver.makeCanonical(parent, driver.attributes(time, [l1Info(number)]));
      await sleep(building);
      const payload = await driver.payload(payloadId!, time);
      await driver.import(payload);
      await driver.makeCanonical(payload.hash);
      parent = payload.hash;
      const { gasUsed, transactions } = payload.envelope.executionPayload as { gasUsed: Hex; transactions: Hex[] };
      return { gas: Number(gasUsed), transactions: transactions.length - 1 };
    },
    async [Symbol.asyncDispose]() {
      rpc.close();
      driver.engine.close();
      program.child.kill('SIGTERM');
      await program.exit;
    },
  };
}

/** Starts anvil with as many blocks of the same transactions. */
export async function anvilNode(blocks: number, last: number, sender: Sender): Promise<ReadNode> {
  const alloc = Object.entries(workloadAlloc()).map(([address, account]) => [address, { balance: '0x0', ...account }]);
  const genesis = {
    config: { chainId: CHAIN_ID },
    timestamp: quantity(GENESIS_TIME),
    gasLimit: quantity(GAS_LIMIT),
    difficulty: '0x0',
    alloc: Object.fromEntries(alloc),
  };
  const anvil = await Anvil.start(CHAIN_ID, genesis, ['--accounts', '1', '--balance', '0']);
  const rpc = httpClient({ url: anvil.url, timeoutMs: 120_000 });
  for (let number = 1; number <= blocks; number++) {
    for (let count = number === blocks ? last : 1; count > 0; count--)
      await rpc.call('eth_sendRawTransaction', [hex(sender.token(number * 1000 + count))]);
    await rpc.call('evm_mine');
  }
  return {
    name: 'anvil',
    url: anvil.url,
    rpc,
    async makeBlock(building = 100) {
      await sleep(building);
      await rpc.call('evm_mine');
      const block = await rpc.call<{ gasUsed: Hex; transactions: Hex[] }>('eth_getBlockByNumber', ['latest', false]);
      return { gas: Number(block.gasUsed), transactions: block.transactions.length };
    },
    async [Symbol.asyncDispose]() {
      rpc.close();
      await anvil[Symbol.asyncDispose]();
    },
  };
}
