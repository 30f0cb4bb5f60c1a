import * as z from 'zod';
import { Conductor } from '../../../../src/nodes/conductor/conductor.ts';
import type { Lead } from '../../../../src/nodes/conductor/lead.ts';
import { Member } from '../../../../src/nodes/conductor/member.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import type { RpcClient } from '../../../../src/rpc/client/client.ts';
import { httpClient } from '../../../../src/rpc/client/http-client.ts';
import { type MethodTable, method } from '../../../../src/rpc/method.ts';
import { type RunningServer, serve } from '../../../../src/rpc/server/server.ts';
import { silent } from '../../gossip/blocks.ts';
import { envelopeOf, GENESIS_TIME, hashOf, type TestBlock } from './blocks.ts';
import { TestMember } from './test-member.ts';

/** L1 with one block of height 5. `origin`: the digit of its hash; undefined: L1 is shorter. */
interface TestL1 {
  origin: string | undefined;
}

const L1_METHODS: MethodTable<TestL1> = {
  eth_getBlockByNumber: method('', z.tuple([z.string(), z.boolean()]), ({ origin }: TestL1) =>
    origin === undefined ? null : { hash: hashOf(origin) },
  ),
};

/** Lease (ms) of the leader. */
const LEASE_MS = 1000;

/** A conductor over three test members, which it watches until it is disposed of. */
export class TestSet implements AsyncDisposable {
  readonly members: readonly TestMember[];
  readonly l1: TestL1;
  readonly conductor: Conductor;
  /** Time of the network's clock, Unix ms. A test moves it. */
  now = GENESIS_TIME * 1000;
  #done: Promise<void> | undefined;
  readonly #l1: { readonly client: RpcClient; readonly server: RunningServer };

  private constructor(members: readonly TestMember[], l1: TestL1, server: RunningServer, lead: Lead, lease: number) {
    this.members = members;
    this.l1 = l1;
    this.#l1 = { server, client: httpClient({ url: `http://127.0.0.1:${server.port}` }) };
    const clients = members.map(({ name, url }) => new Member({ name, cl: url, el: url }));
    const clock = { now: () => this.now };
    this.conductor = new Conductor({
      members: clients,
      lead,
      l1: this.#l1.client,
      lease,
      clock,
      log: silent,
    });
  }

  /** `lease`: ms. */
  static async open(lead: Lead, lease = LEASE_MS): Promise<TestSet> {
    const members = await Promise.all(['s1', 's2', 's3'].map((name) => new TestMember(name).open()));
    const l1: TestL1 = { origin: 'a' };
    const address = { host: '127.0.0.1', port: 0, http: true, websocket: false };
    return new TestSet(members, l1, await serve({ ...address, methods: L1_METHODS, context: l1 }), lead, lease);
  }

  run(): void {
    this.#done = this.conductor.run();
  }

  member(name: string): TestMember {
    const found = this.members.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no member ${name}`);
    return found;
  }

  clients(): readonly Member[] {
    return this.conductor.parts.members;
  }

  client(name: string): Member {
    const found = this.clients().find((each) => each.name === name);
    if (found === undefined) throw new Error(`no member ${name}`);
    return found;
  }

  /** Has the conductor look at all members once. */
  async look(): Promise<void> {
    for (const client of this.clients()) await client.look();
  }

  /** Has a member commit a block as its rollup node does, and all members have it then. */
  publish(name: string, block: TestBlock, transactions: readonly Hex[] = []): void {
    this.conductor.commit(this.client(name), envelopeOf(block, transactions));
    for (const each of this.members) each.has(...each.chain.slice(1), block);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.conductor.close();
    await this.#done;
    for (const member of this.conductor.parts.members) member.close();
    for (const member of this.members) await member.close();
    this.#l1.client.close();
    await this.#l1.server.close();
  }
}
