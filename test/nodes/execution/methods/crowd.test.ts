import { expect, test } from 'vitest';
import type { Hex } from '../../../../src/protocol/types.ts';
import { webSocketClient } from '../../../../src/rpc/client/websocket-client.ts';
import { Driver, l1Info } from '../support/driver.ts';
import { GENESIS_TIME, genesisText } from '../support/genesis.ts';
import { launch } from '../support/nodes.ts';
import { schedule } from '../support/sample-chain.ts';

const CROWD = 10_000;

test('10,000 subscriptions of a connection get a block, one more is refused, and all end with it', async () => {
  await using node = await launch(genesisText(schedule), { flavour: 'go' });
  const { chain } = node.node.context;
  const driver = new Driver(node.engine, schedule);
  let head = (await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash;
  const extend = async (number: number) => {
    head = (await driver.build(head, GENESIS_TIME + 2 * number, [l1Info(number)], { fields: { noTxPool: true } })).hash;
  };
  const listeners = new Set<unknown>();
  const { onHead } = chain;
  chain.onHead = (listener) => {
    listeners.add(listener);
    const end = onHead.call(chain, listener);
    return () => {
      listeners.delete(listener);
      end();
    };
  };
  for (const round of [1, 2]) {
    const socket = webSocketClient({ url: node.wsUrl, timeoutMs: 60_000 });
    const notices = new Map<string, string>();
    const ids = await Promise.all(
      Array.from({ length: CROWD }, async () => {
        const id = await socket.subscribe(
          ['newHeads'],
          (item) => notices.set(id, (item as { hash: string }).hash),
          () => {},
        );
        return id;
      }),
    );
    await expect(socket.call('eth_subscribe', ['newHeads'])).rejects.toMatchObject({ code: -32005 });
    await extend(round);
    await expect.poll(() => notices.size).toBe(CROWD);
    expect(new Set(notices.values())).toEqual(new Set([head]));
    expect(new Set(ids).size).toBe(CROWD);
    expect(await node.rpc.call('eth_blockNumber')).toBe(`0x${round}`);
    socket.close();
    await expect.poll(() => listeners.size).toBe(0);
  }
});
