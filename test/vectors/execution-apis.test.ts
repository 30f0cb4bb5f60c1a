// biome-ignore-all lint/suspicious/noExplicitAny: answers are of any shape
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FlavourName } from '../../src/nodes/execution/flavours/interface/flavour.ts';
import { NAMESPACES } from '../../src/nodes/execution/methods/namespaces.ts';
import { CALLS } from '../nodes/execution/conformance/calls.ts';
import { type SampleChain, sampleChain } from '../nodes/execution/support/sample-chain.ts';
import { problem, readDocuments } from './schema.ts';

/** A clone of ethereum/execution-apis. */
const folder = join(process.env['VECTORS'] ?? '', 'execution-apis');

/** Fields that a rollup adds to Ethereum's receipts and to eth_syncing. */
const ADDED = /^(l1.*|operatorFee.*|daFootprint.*|depositNonce|depositReceiptVersion|blobGasUsed|stages)$/;

/**
 * Removes from an answer what only a rollup has: its fields, and deposits.
 * The go flavour has no blockTimestamp, which the schema requires.
 */
function plain(value: any, flavour: FlavourName): any {
  if (Array.isArray(value)) return value.filter((item) => item?.type !== '0x7e').map((item) => plain(item, flavour));
  if (typeof value !== 'object' || value === null) return value;
  const isBlock = 'stateRoot' in value;
  const isMined = 'transactionIndex' in value && 'gasPrice' in value && value.blockHash !== null;
  return {
    ...(isMined && flavour === 'go' ? { blockTimestamp: '0x0' } : {}),
    ...Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => isBlock || !ADDED.test(name))
        .map(([name, item]) => [name, plain(item, flavour)]),
    ),
  };
}

describe.skipIf(!existsSync(folder))('execution-apis', () => {
  const documents = existsSync(folder) ? readDocuments(folder) : { results: new Map(), schemas: new Map() };
  const methods = Object.keys(Object.assign({}, ...Object.values(NAMESPACES))).filter(
    (name) => documents.results.has(name) && CALLS[name]?.socket === undefined,
  );
  let chain: SampleChain;
  beforeAll(async () => {
    chain = await sampleChain();
  });
  afterAll(() => chain[Symbol.asyncDispose]());

  test.each(methods.flatMap((name) => (['go', 'rust'] as const).map((flavour) => [name, flavour] as const)))(
    '%s of the %s flavour answers as its schema says',
    async (name, flavour) => {
      const { rpc } = chain[flavour];
      for (const params of await CALLS[name]!.calls(chain)) {
        const method = (params[0] as { $made?: string } | undefined)?.$made;
        const values = method === undefined ? params : [await rpc.call(method, method === 'eth_newFilter' ? [{}] : [])];
        const answer = await rpc.call<any>(name, values);
        if (answer?.type === '0x7e') continue;
        const fault = problem(plain(answer, flavour), documents.results.get(name), documents);
        expect(fault, JSON.stringify(params).slice(0, 100)).toBeUndefined();
      }
    },
  );
});
