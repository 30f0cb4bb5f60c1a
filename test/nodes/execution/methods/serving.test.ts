import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FLAVOURS } from '../../../../src/nodes/execution/flavours/index.ts';
import { webSocketClient } from '../../../../src/rpc/client/websocket-client.ts';
import { genesisText } from '../support/genesis.ts';
import { launch } from '../support/nodes.ts';
import { type SampleChain, sampleChain, schedule } from '../support/sample-chain.ts';

test.each(['go', 'rust'] as const)(
  'the %s flavour serves on each listener the namespaces that it names',
  async (flavour) => {
    await using node = await launch(genesisText(schedule), {
      flavour,
      api: { http: ['eth'], websocket: ['web3', 'net'] },
    });
    const socket = webSocketClient({ url: node.wsUrl });
    const { envelope } = FLAVOURS[flavour];
    expect(await node.rpc.call('eth_chainId')).toBe('0x385');
    expect(await socket.call('net_version')).toBe('901');
    for (const [client, name] of [
      [node.rpc, 'net_version'],
      [node.rpc, 'debug_traceBlockByNumber'],
      [socket, 'eth_chainId'],
      [socket, 'eth_subscribe'],
    ] as const)
      await expect(client.call(name)).rejects.toMatchObject({
        code: -32601,
        message: envelope.methodNotFound(name).message,
      });
    if (flavour === 'go') expect(await node.rpc.call('rpc_modules')).toEqual({ eth: '1.0', rpc: '1.0' });
    expect(await node.engine.call('eth_chainId')).toBe('0x385');
    socket.close();
  },
);

describe('a query of logs', () => {
  test.each<[object, object, string]>([
    [{ logRange: 2 }, { fromBlock: '0x0', toBlock: '0x3' }, 'query exceeds max block range 2'],
    [{ logs: 1 }, { fromBlock: '0x0' }, 'query exceeds max results 1, retry with the range 0-1'],
    [
      { logAddresses: 1 },
      { address: ['0x', '0x'].map((_, at) => `0x${`${at}`.repeat(40)}`) },
      'exceed max addresses: 1',
    ],
    [
      { logTopics: 1 },
      { topics: [['0', '1'].map((digit) => `0x${digit.repeat(64)}`)] },
      'exceed max topics: 1 in one position',
    ],
  ])('over the limits %j is refused', async (limits, filter, message) => {
    Object.assign(chain.go.node.context, { limits: { ...FLAVOURS.go.limits, ...limits } });
    await expect(chain.go.rpc.call('eth_getLogs', [filter])).rejects.toMatchObject({ code: -32602, message });
    Object.assign(chain.go.node.context, { limits: FLAVOURS.go.limits });
  });
});

let chain: SampleChain;
beforeAll(async () => {
  chain = await sampleChain();
});
afterAll(() => chain[Symbol.asyncDispose]());
