import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RAFT_METHODS } from '../../../src/nodes/conductor/raft-methods.ts';
import { leaderRoute } from '../../../src/nodes/conductor/route.ts';
import { keccak256 } from '../../../src/protocol/hash.ts';
import { httpClient } from '../../../src/rpc/client/http-client.ts';
import { serve } from '../../../src/rpc/server/server.ts';
import { after, GENESIS } from './support/blocks.ts';
import { TestCluster } from './support/test-cluster.ts';

const WAIT = { timeout: 100_000, interval: 20 };

describe('a set of op-conductors', { timeout: 240_000 }, () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await TestCluster.open();
  });
  afterEach(() => cluster[Symbol.asyncDispose]());

  const leads = (name: string) => expect.poll(() => cluster.set.leader()?.name, WAIT).toBe(name);

  it('is made one cluster of, and its leader starts upon genesis', async () => {
    cluster.run();
    cluster.leader = 's1';
    await expect.poll(() => cluster.servers, WAIT).toEqual(['s1 raft-s1:1', 's2 raft-s2:1', 's3 raft-s3:1']);
    await expect.poll(() => cluster.member('s1').calls, WAIT).toEqual(['start 0']);
    expect(cluster.members.flatMap(({ name, calls }) => (calls.length > 0 ? [name] : []))).toEqual(['s1']);
  });

  it('starts its sequencers itself once the chain has a block', async () => {
    for (const member of cluster.members) member.has(after(GENESIS, '1'));
    cluster.run();
    cluster.leader = 's2';
    await expect.poll(() => cluster.servers.length, WAIT).toBe(3);
    await leads('s2');
    await cluster.set.transfer('s3');
    expect(cluster.members.flatMap(({ calls }) => calls)).toEqual([]);
  });

  it('leads by the member whose op-conductor says so, and keeps it until another one does', async () => {
    cluster.member('s1').isActive = true;
    cluster.run();
    cluster.leader = 's1';
    await leads('s1');
    cluster.leader = undefined;
    cluster.isPaused = true;
    await expect.poll(() => cluster.set.isPaused, WAIT).toBe(true);
    expect(cluster.set.leader()?.name).toBe('s1');
    cluster.leader = 's3';
    await leads('s3');
  });

  it('gives the lead by the op-conductor that has it, and passes requests on to the new one', async () => {
    cluster.member('s1').isActive = true;
    cluster.run();
    cluster.leader = 's1';
    await leads('s1');
    const address = { host: '127.0.0.1', port: 0, http: true, websocket: false };
    const context = { set: cluster.set, version: 'test' };
    await using server = disposable(
      await serve({ ...address, methods: RAFT_METHODS, context, route: leaderRoute(cluster.set) }),
    );
    const rpc = httpClient({ url: `http://127.0.0.1:${server.port}` });
    const toLeader = httpClient({ url: `http://127.0.0.1:${server.port}/cl` });
    await expect(rpc.call('conductor_transferLeaderToServer', ['s9', ''], {})).rejects.toThrow('no member to lead: s9');
    await rpc.call('conductor_transferLeaderToServer', ['s2', ''], { timeoutMs: 100_000 });
    expect(await rpc.call('conductor_leaderWithID', [], {})).toMatchObject({ id: 's2' });
    expect(await rpc.call('devnet_conductorStatus', [], {})).toMatchObject({ leader: 's2', term: null, last: null });
    expect(await toLeader.call('admin_sequencerActive', [], {})).toBe(true);
    rpc.close();
    toLeader.close();
  });
});

it('a set sends transactions that no follower has in a block to the next leader', {
  timeout: 240_000,
}, async () => {
  await using cluster = await TestCluster.open();
  cluster.member('s1').isActive = true;
  cluster.run();
  cluster.leader = 's1';
  await expect.poll(() => cluster.set.leader()?.name, WAIT).toBe('s1');
  const address = { host: '127.0.0.1', port: 0, http: true, websocket: false };
  const context = { set: cluster.set, version: 'test' };
  await using server = disposable(
    await serve({ ...address, methods: RAFT_METHODS, context, route: leaderRoute(cluster.set) }),
  );
  const toLeader = httpClient({ url: `http://127.0.0.1:${server.port}/el` });
  const [published, own, lost] = ['0x02aa', '0x02bb', '0x02cc'] as const;
  for (const raw of [published, own, lost]) await toLeader.call('eth_sendRawTransaction', [raw], {});
  toLeader.close();
  expect(cluster.member('s1').pool).toEqual([published, own, lost]);
  // The leader's own block may never be published.
  cluster.member('s1').has({ ...after(GENESIS, '1'), transactions: [hashOfRaw(published), hashOfRaw(own)] });
  cluster.member('s3').has({ ...after(GENESIS, '2'), transactions: [hashOfRaw(published)] });
  await expect.poll(() => cluster.set.pending.count, WAIT).toBe(2);
  cluster.leader = 's2';
  await expect.poll(() => cluster.member('s2').pool.toSorted(), WAIT).toEqual([own, lost]);
});

const hashOfRaw = (raw: string) => keccak256(Buffer.from(raw.slice(2), 'hex'));

function disposable<Server extends { close(): Promise<void> }>(server: Server): Server & AsyncDisposable {
  return { ...server, [Symbol.asyncDispose]: () => server.close() };
}
