import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OptionNetwork } from './options/network.ts';
import { eventually } from './support/devnet.ts';
import type { RunningNode } from './support/process.ts';

const REQUIRED_SLOT = '0x4aaefe95bd84fd3f32700cf3b7566bc944b73138e41958b5785826df2aecace0';

/** The RPC of a conductor that the test controls. */
class Conductor implements AsyncDisposable {
  isLeader = false;
  isCommitting = true;
  readonly committed: number[] = [];
  refused = 0;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const { id, method, params } = JSON.parse(Buffer.concat(parts).toString());
      const answer = this.#answer(method, params);
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
    });
  }

  static async start(): Promise<Conductor> {
    const conductor = new Conductor();
    await new Promise<void>((resolve) => conductor.#server.listen(0, '127.0.0.1', resolve));
    return conductor;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #answer(method: string, params: { executionPayload: { blockNumber: string } }[]): object {
    if (method === 'conductor_leader') return { result: this.isLeader };
    if (method !== 'conductor_commitUnsafePayload') return { error: { code: -32601, message: 'no such method' } };
    if (!this.isCommitting) {
      this.refused++;
      return { error: { code: -32000, message: 'node is not the leader' } };
    }
    this.committed.push(Number(params[0]!.executionPayload.blockNumber));
    return { result: null };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe('a sequencer with a conductor, and a node that L1 can stop', () => {
  let network: OptionNetwork;
  let conductor: Conductor;
  let sequencer: RunningNode;
  let free: RunningNode;
  beforeAll(async () => {
    network = await OptionNetwork.start({ ageSeconds: 20 });
    conductor = network.devnet.with(await Conductor.start());
    const start = (name: string, ...argv: string[]) =>
      network.node(name, [...network.sequencing(), '--p2p.disable', ...argv]);
    [sequencer, free] = await Promise.all([
      start('sequencer', '--conductor.enabled', `--conductor.rpc=${conductor.url}`),
      start('free', '--sequencer.stopped'),
    ]);
    // Sequencing cannot start before heads are known.
    for (const node of [sequencer, free]) await node.reached('current_l1', 1);
  });
  afterAll(() => network[Symbol.asyncDispose]());

  it('--conductor.enabled, --conductor.rpc: starts as the leader only, commits before publishing', async () => {
    expect(await sequencer.call('admin_conductorEnabled')).toBe(true);
    expect(await free.call('admin_conductorEnabled')).toBe(false);
    expect(await sequencer.call('admin_sequencerActive')).toBe(false);
    await expect(sequencer.call('admin_startSequencer')).rejects.toThrow('sequencer is not the leader, aborting');
    expect(await sequencer.call('admin_sequencerActive')).toBe(false);
    await free.call('admin_startSequencer');
    await free.reached('unsafe_l2', 3);
    expect(conductor.committed).toEqual([]);
    conductor.isLeader = true;
    conductor.isCommitting = false;
    await sequencer.call('admin_startSequencer');
    await eventually(async () => conductor.refused > 2 || undefined);
    expect((await sequencer.status())['unsafe_l2']?.number).toBe(0);
    conductor.isCommitting = true;
    const { number } = await sequencer.reached('unsafe_l2', 3);
    expect(conductor.committed.slice(0, number)).toEqual(Array.from({ length: number }, (_, index) => index + 1));
  });

  it('continues by itself once an administrator overrides the conductor', async () => {
    conductor.isCommitting = false;
    await sequencer.call('admin_overrideLeader');
    const committed = conductor.committed.length;
    await sequencer.reached('unsafe_l2', committed + 2);
    expect(conductor.committed.length).toBe(committed);
  });

  it('--rollup.halt: ends when L1 requires a protocol version that is newer at that level', async () => {
    const [patient, careful] = await Promise.all(
      ['major', 'minor'].map((level) => network.node(level, ['--p2p.disable', `--rollup.halt=${level}`])),
    );
    const require = (version: string) =>
      network.devnet.l1.call('anvil_setStorageAt', [
        network.devnet.config.protocol_versions_address,
        REQUIRED_SLOT,
        version,
      ]);
    await require(`0x${'00'.repeat(16)}0000000900000001${'00'.repeat(8)}`);
    expect(await careful!.exit).toBe(1);
    expect(careful!.lines.join('\n')).toContain('L1 requires protocol v9.1.0, this is v9.0.0');
    const { head_l1 } = await patient!.status();
    await patient!.reached('head_l1', head_l1!.number + 2);
    await require(`0x${'00'.repeat(16)}0000000a${'00'.repeat(12)}`);
    expect(await patient!.exit).toBe(1);
    expect(patient!.lines.join('\n')).toContain('L1 requires protocol v10.0.0, this is v9.0.0');
    const now = (await free.status())['head_l1']!.number;
    await free.reached('head_l1', now + 2);
  });
});
