import { describe, expect, it } from 'vitest';
import { adminMethods } from '../../../../src/nodes/rollup/methods/admin.ts';
import type { NodeApi } from '../../../../src/nodes/rollup/methods/api.ts';
import { consensusMethods } from '../../../../src/nodes/rollup/methods/consensus.ts';
import { opstackMethods } from '../../../../src/nodes/rollup/methods/opstack.ts';
import { RPC_CODE } from '../../../../src/rpc/error.ts';
import { dispatch } from '../../../../src/rpc/server/dispatch.ts';

const methods = { ...consensusMethods, ...adminMethods, ...opstackMethods };
/** A verifier, as these methods see it. */
const verifier = { sequencer: undefined } as unknown as NodeApi;

async function answer(method: string, params: readonly unknown[]) {
  const request = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const call = { transport: 'http', closed: new AbortController().signal } as const;
  const text = await dispatch({ methods, context: verifier }, request, call);
  return JSON.parse(String(text)) as { result?: unknown; error?: { code: number; message: string } };
}

const hash = `0x${'11'.repeat(32)}`;

describe('methods of the rollup node', () => {
  it.each([
    ['optimism_outputAtBlock', []],
    ['optimism_outputAtBlock', [1]],
    ['optimism_outputAtBlock', [`0x${'f'.repeat(20)}`]],
    ['consensus_outputAtBlock', ['latest']],
    ['optimism_safeHeadAtL1Block', ['one']],
    ['optimism_syncStatus', [true]],
    ['admin_startSequencer', ['0x12']],
    ['admin_setLogLevel', ['loud']],
    ['admin_setRecoverMode', ['yes']],
    ['admin_postUnsafePayload', []],
    ['admin_postUnsafePayload', ['0x']],
    ['admin_postUnsafePayload', [{ executionPayload: { parentHash: 1 } }]],
    ['opstack_openBlockV1', [{ hash, number: 1 }, { timestamp: 'now' }]],
    ['opstack_commitBlockV1', [{ envelope: {}, signature: '0x' }]],
  ])('%s refuses the parameters %j as invalid', async (method, params) => {
    expect((await answer(method, params)).error).toMatchObject({ code: RPC_CODE.invalidParams });
  });

  it('distinguish a verifier from a sequencer', async () => {
    expect((await answer('admin_sequencerActive', [])).result).toBe(false);
    expect((await answer('admin_conductorEnabled', [])).result).toBe(false);
    for (const method of ['admin_overrideLeader', 'admin_startSequencer', 'admin_stopSequencer'])
      expect((await answer(method, [])).error, method).toMatchObject({
        code: RPC_CODE.server,
        message: expect.stringContaining('sequencer is not enabled'),
      });
  });
});
