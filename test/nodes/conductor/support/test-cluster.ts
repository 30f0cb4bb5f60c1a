import * as z from 'zod';
import { Member } from '../../../../src/nodes/conductor/member.ts';
import { RaftServer } from '../../../../src/nodes/conductor/raft-server.ts';
import { type RaftMember, RaftSet } from '../../../../src/nodes/conductor/raft-set.ts';
import { RPC_CODE, RpcError } from '../../../../src/rpc/error.ts';
import { type MethodTable, method } from '../../../../src/rpc/method.ts';
import { type RunningServer, serve } from '../../../../src/rpc/server/server.ts';
import { silent } from '../../gossip/blocks.ts';
import { TestMember } from './test-member.ts';

/** Time (ms) for which an answer counts: no machine stands still for so long. */
const LEASE_MS = 300_000;

/** What the op-conductors of a test share: a cluster, whose leader a test names. */
export class TestCluster implements AsyncDisposable {
  readonly members: readonly TestMember[];
  /** Ids and addresses in the order in which they joined. */
  readonly servers: string[] = ['s1 raft-s1:1'];
  leader: string | undefined;
  isPaused = false;
  readonly set: RaftSet;
  readonly #rpcs: readonly RunningServer[];
  readonly #parts: readonly RaftMember[];
  #done: Promise<void> | undefined;

  private constructor(members: readonly TestMember[], rpcs: readonly RunningServer[]) {
    this.members = members;
    this.#rpcs = rpcs;
    this.#parts = members.map(({ name, url }, at) => ({
      member: new Member({ name, cl: url, el: url }),
      server: new RaftServer(`http://127.0.0.1:${rpcs[at]?.port}`, `raft-${name}:1`),
    }));
    this.set = new RaftSet({ members: this.#parts, lease: LEASE_MS, log: silent });
  }

  static async open(): Promise<TestCluster> {
    const members = await Promise.all(['s1', 's2', 's3'].map((name) => new TestMember(name).open()));
    const places = members.map(({ name }): Place => ({ id: name, cluster: undefined }));
    const address = { host: '127.0.0.1', port: 0, http: true, websocket: false };
    const rpcs = await Promise.all(places.map((context) => serve({ ...address, methods: METHODS, context })));
    const cluster = new TestCluster(members, rpcs);
    for (const place of places) place.cluster = cluster;
    return cluster;
  }

  run(): void {
    this.#done = this.set.run();
  }

  member(name: string): TestMember {
    const found = this.members.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no member ${name}`);
    return found;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.set.close();
    await this.#done;
    for (const { member, server } of this.#parts) {
      member.close();
      server.close();
    }
    for (const server of [...this.#rpcs, ...this.members]) await server.close();
  }
}

/** An op-conductor: the server of an id. */
interface Place {
  readonly id: string;
  cluster: TestCluster | undefined;
}

const none = z.tuple([]);

function clusterOf({ cluster }: Place): TestCluster {
  if (cluster === undefined) throw new Error('no cluster yet');
  return cluster;
}

function mustLead(place: Place): TestCluster {
  const cluster = clusterOf(place);
  if (cluster.leader !== place.id) throw new RpcError(RPC_CODE.server, 'node is not the leader');
  return cluster;
}

const METHODS: MethodTable<Place> = {
  conductor_leader: method('', none, (of: Place) => clusterOf(of).leader === of.id),
  conductor_paused: method('', none, (of: Place) => clusterOf(of).isPaused),
  conductor_clusterMembership: method('', none, (of: Place) => ({
    servers: clusterOf(of).servers.map((text) => ({ id: text.split(' ')[0], addr: text.split(' ')[1], suffrage: 0 })),
    version: 1,
  })),
  conductor_addServerAsVoter: method('', z.tuple([z.string(), z.string(), z.number()]), (of: Place, [id, address]) => {
    mustLead(of).servers.push(`${id} ${address}`);
    return null;
  }),
  conductor_transferLeaderToServer: method('', z.tuple([z.string(), z.string()]), (of: Place, [id]) => {
    const cluster = mustLead(of);
    cluster.leader = id;
    for (const each of cluster.members) each.isActive = each.name === id;
    return null;
  }),
};
