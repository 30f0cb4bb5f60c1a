import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/devnet.ts';
import type { RunningNode } from '../support/process.ts';
import { OptionNetwork } from './network.ts';

const UNSIGNED = 'no --p2p.sequencer.key.path and no --signer.endpoint: sequenced blocks are not gossiped';

const key = (word: string) => !word.startsWith('--p2p.sequencer.key');

describe('options of sequencing and of following gossip: two nodes that differ in one', () => {
  let network: OptionNetwork;
  let sequencer: RunningNode;
  let unsigned: RunningNode;
  let strict: RunningNode;
  let lenient: RunningNode;
  let next: RunningNode;
  /** When the first block was made, Unix seconds. */
  let start: number;
  beforeAll(async () => {
    network = await OptionNetwork.start({ ageSeconds: 25 });
    const start = (name: string, ...argv: string[]) =>
      network.node(name, ['--p2p.ban.peers=false', '--p2p.sync.req-resp=false', ...argv]);
    const stopped = ['--sequencer.stopped', '--p2p.sync.req-resp'];
    [sequencer, unsigned, strict, lenient] = await Promise.all([
      start('sequencer', ...network.sequencing(), ...stopped),
      start('unsigned', ...network.sequencing().filter(key)),
      start('strict', '--p2p.gossip.timestamp.threshold=10s'),
      start('lenient'),
    ]);
    const address = await sequencer.address();
    for (const node of [strict, lenient]) {
      await node.address();
      await node.call('opp2p_connectPeer', address);
      await node.reached('current_l1', 1);
    }
    await eventually(async () => (await sequencer.call('opp2p_peerStats')).blocksTopicV4 === 2 || undefined);
    await sequencer.reached('current_l1', 1);
  });
  afterAll(() => network[Symbol.asyncDispose]());

  it('--sequencer.enabled, --sequencer.stopped: only an active sequencer makes blocks', async () => {
    await unsigned.reached('unsafe_l2', 3);
    expect([await unsigned.call('admin_sequencerActive'), await sequencer.call('admin_sequencerActive')]).toEqual([
      true,
      false,
    ]);
    expect((await sequencer.status())['unsafe_l2']!.number).toBe(0);
    expect((await strict.status())['unsafe_l2']!.number).toBe(0);
    await expect(strict.call('admin_startSequencer')).rejects.toThrow('--sequencer.enabled');
  });

  it('--p2p.sequencer.key.path: blocks are signed and gossiped', async () => {
    expect(unsigned.logged(UNSIGNED)).toHaveLength(1);
    start = Math.floor(Date.now() / 1000);
    await sequencer.call('admin_startSequencer');
    await lenient.reached('unsafe_l2', 5);
  });

  it('--p2p.sequencer.key: blocks are signed with the key of an argument', async () => {
    const argv = [...network.sequencing().filter(key), `--p2p.sequencer.key=${network.sequencerKey()}`];
    const node = await network.node('inline', argv);
    await node.reached('unsafe_l2', 1);
    expect(node.logged(UNSIGNED)).toEqual([]);
    // What is not looked at any more would take the processor from the others.
    for (const each of [node, unsigned]) await each.stop();
  });

  it('--p2p.gossip.timestamp.threshold: older blocks are ignored', async () => {
    await lenient.reached('unsafe_l2', 12);
    const { peerID } = await sequencer.call('opp2p_self');
    await eventually(async () => {
      const { peers } = await strict.call('opp2p_peers', true);
      return peers[peerID].scores.gossip.blocks.invalidMessageDeliveries > 0 || undefined;
    });
    // The blocks of the last 10 s wait for the older ones, which are never taken.
    const { queued_unsafe_l2: queued } = await strict.call('consensus_syncStatus');
    if (queued.number > 0) expect(queued.timestamp).toBeGreaterThanOrEqual(start - 10);
    expect((await strict.status())['unsafe_l2']!.number).toBe(0);
  });

  it('--p2p.sync.req-resp, --p2p.sync.onlyreqtostatic: requests missing blocks, from static peers only', async () => {
    const address = await sequencer.address();
    const joined = async (name: string, ...argv: string[]) => {
      const node = await network.node(name, argv);
      await node.address();
      if (!argv.some((word) => word.startsWith('--p2p.static'))) await node.call('opp2p_connectPeer', address);
      await eventually(async () => {
        const { queued_unsafe_l2: queued, unsafe_l2: unsafe } = await node.call('consensus_syncStatus');
        return queued.number > 0 || unsafe.number > 0 || undefined;
      });
      return node;
    };
    const mute = await joined('mute', '--p2p.sync.req-resp=false');
    const shy = await joined('shy', '--p2p.sync.onlyreqtostatic');
    const asking = await joined('asking');
    const fixed = ['--p2p.sync.onlyreqtostatic', `--p2p.static=${address}`];
    next = await joined('next', ...network.sequencing(), '--sequencer.stopped', ...fixed);
    // The chain stands meanwhile, so that what is missing is bounded on a machine of any speed.
    const head = await sequencer.call('admin_stopSequencer');
    for (const node of [asking, next]) await node.reached('unsafe_l2', 12);
    for (const node of [shy, mute]) expect((await node.status())['unsafe_l2']!.number).toBe(0);
    for (const node of [mute, shy, asking]) await node.stop();
    await sequencer.call('admin_startSequencer', head);
  });

  it('a sequencer that an administrator stopped follows the one that continues from its head', async () => {
    const hash = await sequencer.call('admin_stopSequencer');
    const { number } = (await sequencer.status())['unsafe_l2']!;
    await next.reached('unsafe_l2', number);
    expect(await next.call('admin_startSequencer', hash)).toBeNull();
    await sequencer.reached('unsafe_l2', number + 2);
    expect(await Promise.all([sequencer, next].map((node) => node.call('admin_sequencerActive')))).toEqual([
      false,
      true,
    ]);
    const above = `0x${(number + 1).toString(16)}`;
    const [theirs, ours] = await Promise.all(
      [sequencer, next].map(async (node) => {
        // Each answer includes the node's own progress, on L1 too.
        const { syncStatus: _, ...output } = await node.call('optimism_outputAtBlock', above);
        return output;
      }),
    );
    expect(theirs).toEqual(ours);
    expect(ours.blockRef.parentHash).toBe(hash);
  });
});
