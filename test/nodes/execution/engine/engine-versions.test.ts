import { describe, expect, test } from 'vitest';
import { FORKS, rulesAt } from '../../../../src/protocol/forks/index.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { Driver, l1Info, ZERO } from '../support/driver.ts';
import { GENESIS_TIME, genesisText, upTo } from '../support/genesis.ts';
import { launch } from '../support/nodes.ts';

/**
 * Returns the versions that serve a fork's blocks (specification: Engine API). V1 and V2 are equal before withdrawals.
 */
function served(version: number, withdrawals: boolean): number[] {
  return withdrawals ? [version] : [1, 2];
}

const names = FORKS.filter(({ optional }) => !optional).map(({ name }) => name);

describe.each(names)('at %s', (name) => {
  test('each method is served in the versions of the fork; other versions are refused and change nothing', async () => {
    const schedule = upTo(name);
    await using node = await launch(genesisText(schedule), { flavour: 'go' });
    const driver = new Driver(node.engine, schedule);
    const genesis = (await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash;
    const time = GENESIS_TIME + 2;
    const { engine, attributes } = rulesAt(schedule, time);
    const state = { headBlockHash: genesis, safeBlockHash: ZERO, finalizedBlockHash: ZERO };
    const payloadAttributes = driver.attributes(time, [l1Info(1)]);

    const choosing = served(engine.forkchoiceUpdated, attributes.withdrawals);
    const ids = new Map<number, Hex>();
    for (const version of [1, 2, 3]) {
      const answer = node.engine.call<{ payloadId: Hex }>(`engine_forkchoiceUpdatedV${version}`, [
        state,
        payloadAttributes,
      ]);
      if (choosing.includes(version)) ids.set(version, (await answer).payloadId);
      // V3 reports missing fields first.
      else
        await expect(answer).rejects.toMatchObject({
          code: version === 3 && !attributes.withdrawals ? -38003 : expect.anything(),
        });
    }
    expect([...ids.values()].every((id) => /^0x[0-9a-f]{16}$/.test(id))).toBe(true);
    expect([...ids].every(([version, id]) => Number(id.slice(0, 4)) === version)).toBe(true);

    const id = [...ids.values()][0]!;
    const getting = served(engine.getPayload, attributes.withdrawals);
    for (const version of [1, 2, 3, 4, 5])
      if (!getting.includes(version))
        await expect(node.engine.call(`engine_getPayloadV${version}`, [id])).rejects.toMatchObject({ code: -38005 });
    if (getting.includes(1)) {
      const bare = await node.engine.call<{ blockHash: Hex }>('engine_getPayloadV1', [id]);
      expect((await driver.payload(id, time)).hash).toBe(bare.blockHash);
    }
    const payload = await driver.payload(id, time);

    const checking = served(engine.newPayload, attributes.withdrawals);
    const { executionPayload, parentBeaconBlockRoot = `0x${'00'.repeat(32)}` } = payload.envelope;
    for (const version of [1, 2, 3, 4]) {
      const extra = [[], parentBeaconBlockRoot, []].slice(0, [0, 0, 2, 3][version - 1]);
      const answer = node.engine.call(`engine_newPayloadV${version}`, [executionPayload, ...extra]);
      if (checking.includes(version))
        expect(await answer).toMatchObject({ status: 'VALID', latestValidHash: payload.hash });
      else
        expect([-32602, -38005]).toContain(
          await answer.then(
            () => 0,
            ({ code }) => code,
          ),
        );
    }
    expect(await driver.makeCanonical(payload.hash)).toMatchObject({
      payloadStatus: { status: 'VALID' },
      payloadId: null,
    });
  });
});

test('capabilities name every method that is served, and no other', async () => {
  await using node = await launch(genesisText(upTo('jovian')));
  const names = await node.engine.call<string[]>('engine_exchangeCapabilities', [['engine_newPayloadV9']]);
  for (const name of names) {
    const answer = await node.engine.call(name, [[], [], [], [], []]).catch((error: unknown) => error);
    expect(answer, name).not.toMatchObject({ code: -32601 });
  }
  for (const name of ['engine_newPayloadV5', 'engine_forkchoiceUpdatedV4', 'engine_getPayloadBodiesByHashV2']) {
    expect(names).not.toContain(name);
    await expect(node.engine.call(name, [])).rejects.toMatchObject({ code: -32601 });
  }
});
