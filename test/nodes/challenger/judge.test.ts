import { expect, it } from 'vitest';
import { judge } from '../../../src/nodes/challenger/judge.ts';
import type { Hex } from '../../../src/protocol/types.ts';
import { patientClient } from '../../rpc/patient-client.ts';
import { rootOf, serveNode } from '../proposer/rollup-node.ts';

const CREATED = 1000;
const SAFE = 5;

it.each<[string, { block: number; root: Hex; derived: number }, object]>([
  ['true at a safe block', { block: 4, root: rootOf(4), derived: 900 }, { kind: 'true' }],
  ['false at a safe block', { block: 4, root: rootOf(9), derived: 900 }, { kind: 'false', honestRoot: rootOf(4) }],
  ['unknown at a block whose L1 is not derived yet', { block: 6, root: rootOf(6), derived: 999 }, { kind: 'unknown' }],
  [
    'false at a block that is absent once L1 is derived up to the game',
    { block: 6, root: rootOf(6), derived: CREATED },
    { kind: 'false', honestRoot: rootOf(SAFE) },
  ],
  [
    'false at an absent block, also with the root of the safe head',
    { block: 6, root: rootOf(SAFE), derived: CREATED },
    { kind: 'false', honestRoot: rootOf(SAFE) },
  ],
])('an output is %s', async (_, { block, root, derived }, verdict) => {
  const node = await serveNode({
    ...{ safe: SAFE, finalized: 0 },
    currentL1: { hash: rootOf(1), number: 1, timestamp: derived },
  });
  const rpc = patientClient({ url: `http://127.0.0.1:${node.port}` });
  try {
    expect(await judge(rpc, CREATED, { status: 0, rootClaim: root, block, claims: [] })).toEqual(verdict);
  } finally {
    rpc.close();
    await node.close();
  }
});
