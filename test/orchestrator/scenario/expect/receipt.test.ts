import type { Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { receipt } from '../../../../src/orchestrator/scenario/expect/receipt.ts';
import type { Json } from '../../../../src/orchestrator/spec/schema/json.ts';
import { scriptedClient, scriptedRun } from '../scripted-run.ts';

const HASH = `0x${'ab'.repeat(32)}`;
const ADDRESS = `0x${'11'.repeat(20)}`;
const BLOCK_HASH = `0x${'cd'.repeat(32)}`;

/** What the client answers: a receipt, null for none, nothing for a broken connection. */
const answer: { receipt: object | null | undefined } = { receipt: null };
const included = (status: '0x0' | '0x1') => ({
  ...{ transactionHash: HASH, transactionIndex: '0x0', blockHash: BLOCK_HASH, blockNumber: '0x7', type: '0x2' },
  ...{ from: ADDRESS, to: ADDRESS, gasUsed: '0x5208', cumulativeGasUsed: '0x5208', effectiveGasPrice: '0x1' },
  ...{ contractAddress: null, logs: [], logsBloom: `0x${'00'.repeat(256)}`, status },
});
let client: Server;
beforeAll(async () => {
  client = await scriptedClient((method, [hash]) => {
    if (answer.receipt === undefined) return undefined;
    const of = hash === HASH ? answer.receipt : null;
    return { result: method === 'eth_getTransactionReceipt' ? of : '0x1' };
  });
});
afterAll(() => {
  client.closeAllConnections();
  client.close();
});

const look = async (value: Record<string, Json>, found: object | null | undefined) => {
  answer.receipt = found;
  return (await receipt.begin({ hash: HASH, ...value }, scriptedRun(client)))();
};
const evidence = (status: string) => ({
  ...{ hash: HASH, status, block: 7, blockHash: BLOCK_HASH, from: ADDRESS, to: ADDRESS, gasUsed: 21_000, logs: 0 },
});

describe('the expectation of a receipt', () => {
  it.each<[string, Record<string, Json>, object | null, object]>([
    ['success, which is the default', {}, included('0x1'), evidence('success')],
    ['reverted', { status: 'reverted' }, included('0x0'), evidence('reverted')],
    ['none', { status: 'none' }, null, { status: 'none' }],
    ['a block above another', { after: 6 }, included('0x1'), evidence('success')],
  ])('holds for %s', async (_, value, found, values) => {
    expect(await look(value, found)).toEqual({ holds: true, evidence: values });
  });

  it.each<[string, Record<string, Json>, object | null, string]>([
    ['a revert', {}, included('0x0'), 'has the status reverted'],
    ['a success in place of a revert', { status: 'reverted' }, included('0x1'), 'has the status success'],
    ['no block', {}, null, 'has the status none'],
    ['a block in place of none', { status: 'none' }, included('0x1'), 'has the status success'],
    ['a block that is not above the other', { after: 7 }, included('0x1'), 'is in block 7, not after 7'],
    ['no block that is above the other', { status: 'none', after: 0 }, null, 'is in block none, not after 0'],
  ])('does not hold for %s', async (_, value, found, because) => {
    expect(await look(value, found)).toMatchObject({ holds: false, because: `the transaction ${HASH} ${because}` });
  });

  it.each(['none', 'success'])('of status %s does not hold when the node does not answer', async (status) => {
    expect(await look({ status }, undefined)).toEqual({
      holds: false,
      because: expect.stringMatching(/^the receipt of 0x[ab]+ cannot be read: \w[^\n]{4,}$/),
    });
  });
});
