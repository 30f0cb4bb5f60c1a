import { describe, expect, it } from 'vitest';
import { fetchBlocks, fetchRollup, idOf, pollNode } from '../../../src/nodes/batcher/source.ts';
import type { Outcome, Request, RpcClient } from '../../../src/rpc/client/client.ts';
import { createNetwork } from '../../protocol/derivation/scripted/network.ts';
import { hashOf, testRollup } from '../../protocol/derivation/scripted/rollup.ts';
import { userTransaction } from '../../protocol/derivation/scripted/transactions.ts';
import { blockJson } from './sequencer.ts';

const rollup = testRollup('jovian');
const { config } = rollup;

/** A client that answers from a function, and lists the requests of each message. */
function clientOf(answer: (request: Request) => Outcome) {
  const messages: (readonly Request[])[] = [];
  const client: RpcClient = {
    call: async (method) => {
      messages.push([{ method }]);
      const outcome = answer({ method });
      if (!outcome.ok) throw outcome.error;
      return outcome.result as never;
    },
    batch: async (requests) => {
      messages.push(requests);
      return requests.map(answer) as never;
    },
    close: () => {},
  };
  return { client, messages };
}
const ok = (result: unknown): Outcome => ({ ok: true, result });
const failed: Outcome = { ok: false, error: new Error('the node does not answer') };

describe('configuration and status of the rollup node', () => {
  const ref = (number: number) => ({ number, hash: hashOf(`block ${number}`) });
  const status = { head_l1: ref(1), current_l1: ref(2), unsafe_l2: ref(3), safe_l2: ref(4) };
  const poll = (first: Outcome, second: Outcome) => {
    const { client, messages } = clientOf(({ method }) => (method === 'optimism_rollupConfig' ? first : second));
    return { polled: pollNode(client), messages };
  };

  it('are read with one message', async () => {
    const { polled, messages } = poll(ok(config), ok(status));
    expect(await polled).toEqual({ config, status });
    expect(messages).toEqual([[{ method: 'optimism_rollupConfig' }, { method: 'optimism_syncStatus' }]]);
  });

  it('have no status before the node knows its chain', async () => {
    const unknown = { number: 0, hash: `0x${'00'.repeat(32)}` };
    expect(await poll(ok(config), ok({ ...status, head_l1: unknown })).polled).toEqual({ config, status: undefined });
  });

  it.each([
    ['the first call fails', failed, ok(status)],
    ['the second call fails', ok(config), failed],
  ])('are not read when %s', async (_, first, second) => {
    await expect(poll(first, second).polled).rejects.toThrow('the node does not answer');
  });

  it.each([
    ['another object instead of the configuration', ok({}), ok(status)],
    ['another object instead of the status', ok(config), ok({})],
    ['the two exchanged', ok(status), ok(config)],
    ['nothing', ok(undefined), ok(undefined)],
    ['no status', ok(config), ok(undefined)],
    ['no configuration', ok(undefined), ok(status)],
  ])('are refused as %s', async (_, first, second) => {
    await expect(poll(first, second).polled).rejects.toMatchObject({ name: 'TransportError' });
  });

  it('make a rollup', async () => {
    const { client, messages } = clientOf(() => ok({ ...config, regolith_time: 0 }));
    const fetched = await fetchRollup(client);
    expect(fetched.config).toMatchObject({ l2_chain_id: 901, regolith_time: 0 });
    expect(messages).toEqual([[{ method: 'optimism_rollupConfig' }]]);
  });
});

describe('blocks of the execution client', () => {
  async function chain() {
    const network = createNetwork(rollup);
    await network.advance({}, (number) => [userTransaction(number)]);
    const payloads = network.sequencer.chain();
    const blocks = (number: number) => (payloads[number] === undefined ? null : blockJson(payloads[number]));
    return { payloads, blocks };
  }
  const numberOf = ({ params }: Request) => Number(params?.[0]);

  it('are read with one message, as payloads', async () => {
    const { payloads, blocks } = await chain();
    const { client, messages } = clientOf((request) => ok(blocks(numberOf(request))));
    const read = await fetchBlocks(client, rollup, 1, 3);
    expect(read.map(({ blockHash, transactions }) => [blockHash, transactions])).toEqual(
      payloads.slice(1, 4).map(({ blockHash, transactions }) => [blockHash, transactions]),
    );
    const request = (number: string) => ({ method: 'eth_getBlockByNumber', params: [number, true] });
    expect(messages).toEqual([[request('0x1'), request('0x2'), request('0x3')]]);
  });

  it.each([
    [2, 9, [2, 3]],
    [3, 3, [3]],
    [4, 9, []],
  ])('from %i to %i end where the client has no more: %j', async (from, to, numbers) => {
    const { blocks } = await chain();
    const { client } = clientOf((request) => ok(blocks(numberOf(request))));
    expect((await fetchBlocks(client, rollup, from, to)).map(({ blockNumber }) => blockNumber)).toEqual(numbers);
  });

  it('are none behind a gap', async () => {
    const { blocks } = await chain();
    const { client } = clientOf((request) => ok(numberOf(request) === 2 ? null : blocks(numberOf(request))));
    expect(await fetchBlocks(client, rollup, 1, 3)).toHaveLength(1);
  });

  it('are not read when one call fails', async () => {
    const { blocks } = await chain();
    const { client } = clientOf((request) => (numberOf(request) === 2 ? failed : ok(blocks(numberOf(request)))));
    await expect(fetchBlocks(client, rollup, 1, 3)).rejects.toThrow('the node does not answer');
  });
});

it('the id of a block is its hash and its number', () => {
  const block = { hash: hashOf('a'), number: 5, timestamp: 7 };
  expect(idOf(block)).toStrictEqual({ hash: hashOf('a'), number: 5 });
});
