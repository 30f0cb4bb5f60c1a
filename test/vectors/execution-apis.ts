// biome-ignore-all lint/suspicious/noExplicitAny: answers are of any shape
import { join } from 'node:path';
import { parse } from 'yaml';
import type { FlavourName } from '../../src/nodes/execution/flavours/interface/flavour.ts';
import { NAMESPACES } from '../../src/nodes/execution/methods/namespaces.ts';
import { CALLS } from '../nodes/execution/conformance/calls.ts';
import { type SampleChain, sampleChain } from '../nodes/execution/support/sample-chain.ts';
import type { VectorKind } from './kind.ts';
import { type Documents, problem, readDocuments } from './schema.ts';

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

/** The chain of this process. It ends with the process. */
let chain: Promise<SampleChain> | undefined;

async function checkMethod(name: string, flavour: FlavourName, documents: Documents): Promise<void> {
  chain ??= sampleChain();
  const sample = await chain;
  const { rpc } = sample[flavour];
  for (const params of await CALLS[name]!.calls(sample)) {
    const method = (params[0] as { $made?: string } | undefined)?.$made;
    const values = method === undefined ? params : [await rpc.call(method, method === 'eth_newFilter' ? [{}] : [])];
    const answer = await rpc.call<any>(name, values);
    if (answer?.type === '0x7e') continue;
    const fault = problem(plain(answer, flavour), documents.results.get(name), documents);
    if (fault !== undefined) throw new Error(`${fault} (${JSON.stringify(params).slice(0, 100)})`);
  }
}

const METHODS = new Set(Object.values(NAMESPACES).flatMap(Object.keys));

/** Methods of a clone of ethereum/execution-apis: an answer of each flavour is as the schema says. */
export const executionApis: VectorKind = {
  name: 'execution-apis',
  files: /^execution-apis\/src\/(?!engine|error-groups).*\.yaml$/,
  cases(_, text, __, folder) {
    const content: unknown = parse(text);
    if (!Array.isArray(content)) return [];
    const documents = readDocuments(join(folder, 'execution-apis'));
    return content
      .map(({ name }) => String(name))
      .filter((name) => METHODS.has(name) && CALLS[name] !== undefined && CALLS[name].socket === undefined)
      .flatMap((name) =>
        (['go', 'rust'] as const).map((flavour) => ({
          name: `${name} of the ${flavour} flavour`,
          check: () => checkMethod(name, flavour, documents),
        })),
      );
  },
};
