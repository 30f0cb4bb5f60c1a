import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { peerIdFromString } from '@libp2p/peer-id';
import { multiaddr } from '@multiformats/multiaddr';
import { afterEach, describe, expect, it } from 'vitest';
import type { Host } from '../../../../src/nodes/gossip/host/host.ts';
import { keySigner } from '../../../../src/nodes/gossip/message/signature.ts';
import { compressBlock } from '../../../../src/nodes/gossip/message/snappy.ts';
import { concat } from '../../../../src/protocol/bytes.ts';
import { encodeGossipBody, gossipTopic } from '../../../../src/protocol/codec/gossip.ts';
import type { ExecutionPayloadEnvelope } from '../../../../src/protocol/types.ts';
import { blockOf, CHAIN_ID, keyNamed, rollupAt, signer } from '../blocks.ts';
import { rawHost, startPeer, type TestPeer, until } from '../support.ts';

const now = () => Math.floor(Date.now() / 1000);
const rollup = rollupAt(now() - 1000);
const TOPIC = gossipTopic(CHAIN_ID, 4);
const running: AsyncDisposable[] = [];

afterEach(async () => {
  for (const started of running.splice(0).reverse()) await started[Symbol.asyncDispose]();
});

async function peer(...parameters: Parameters<typeof startPeer>): Promise<TestPeer> {
  const started = await startPeer(...parameters);
  running.push(started);
  return started;
}

/** A sequencer, a verifier that has it as a static peer, and attackers at the verifier. */
async function attacked(names = ['attacker']): Promise<{ sequencer: TestPeer; verifier: TestPeer; attackers: Host[] }> {
  const sequencer = await peer('sequencer', rollup);
  const verifier = await peer('verifier', rollup, { staticPeers: [sequencer.address()] });
  const attackers = await Promise.all(names.map((name) => rawHost(name)));
  for (const attacker of attackers) {
    running.push({ [Symbol.asyncDispose]: async () => attacker.stop() });
    await attacker.dial(multiaddr(verifier.address()));
  }
  const isListening = (host: Host) => host.services.pubsub.getSubscribers(TOPIC).length > 0;
  await until(() => attackers.every(isListening) && sequencer.network.stats().blocksTopicV4 > 0);
  return { sequencer, verifier, attackers };
}

async function attackedByOne(): Promise<{ sequencer: TestPeer; verifier: TestPeer; attacker: Host; id: string }> {
  const { sequencer, verifier, attackers } = await attacked();
  const attacker = attackers[0] as Host;
  return { sequencer, verifier, attacker, id: attacker.peerId.toString() };
}

let height = 1000;

/** Honest blocks still arrive, all of them, each once and in their order. */
async function honestBlocksFlow(sequencer: TestPeer, verifier: TestPeer): Promise<void> {
  const blocks = [0, 1, 2].map(() => blockOf(rollup, now(), { blockNumber: height++ }));
  for (const block of blocks) await sequencer.network.publish(block, signer);
  const hashes = blocks.map(({ executionPayload }) => executionPayload.blockHash);
  // A late subscriber receives earlier blocks too.
  const arrived = () => verifier.received.filter(({ executionPayload }) => hashes.includes(executionPayload.blockHash));
  await until(() => arrived().length >= blocks.length);
  expect(arrived()).toEqual(blocks);
}

const message = (envelope: ExecutionPayloadEnvelope, by = signer, change = (body: Uint8Array) => body) => {
  const body = change(encodeGossipBody(envelope, 4));
  return compressBlock(concat(by.sign(body, CHAIN_ID), body));
};
const cut = (bytes: Uint8Array) => bytes.subarray(0, bytes.length - 1);

/** Hostile messages, one for each attacker. */
const ATTACKS: Readonly<Record<string, () => Uint8Array>> = Object.fromEntries([
  ["a stranger's signature", () => message(blockOf(rollup, now()), keySigner(keyNamed('stranger')))],
  ['a signature that is none', () => compressBlock(new Uint8Array(1000).fill(1))],
  ['a block of two minutes ago', () => message(blockOf(rollup, now() - 120))],
  ['a block of the next minute', () => message(blockOf(rollup, now() + 60))],
  ['a hash of other fields', () => message(blockOf(rollup, now(), { blockHash: `0x${'11'.repeat(32)}` }))],
  ['no snappy', () => randomBytes(500)],
  ['cut snappy', () => cut(message(blockOf(rollup, now())))],
  ['snappy that claims 4 GiB', () => Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f, 1, 2, 3)],
  ['snappy of more than 10 MiB', () => compressBlock(new Uint8Array(11 * 1024 * 1024))],
  ['less than a signature', () => compressBlock(new Uint8Array(65))],
  ['cut SSZ, signed', () => message(blockOf(rollup, now()), signer, cut)],
  [
    'SSZ with offsets beyond its end, signed',
    () => message(blockOf(rollup, now()), signer, (body) => Uint8Array.from(body).fill(255, 32 + 436, 32 + 440)),
  ],
]);

describe('hostile peers', () => {
  it('that send invalid messages are all banned, and honest blocks flow', async () => {
    const { sequencer, verifier, attackers } = await attacked(Object.keys(ATTACKS));
    for (const [index, data] of Object.values(ATTACKS).entries())
      await attackers[index]!.services.pubsub.publish(TOPIC, data());
    await honestBlocksFlow(sequencer, verifier);
    const names = new Map(Object.keys(ATTACKS).map((name, index) => [attackers[index]!.peerId.toString(), name]));
    const banned = async () => (await verifier.network.peers(false)).bannedPeers.map((id) => names.get(id)).sort();
    await until(async () => (await banned()).length === names.size).catch(() => {});
    expect(await banned()).toEqual(Object.keys(ATTACKS).sort());
    await until(() => attackers.every((attacker) => attacker.getConnections().length === 0));
    expect(verifier.received).toHaveLength(3);
    expect(sequencer.network.stats().banned).toBe(0);
    await honestBlocksFlow(sequencer, verifier);
  });

  it('that repeat a block are ignored without blame', async () => {
    const { sequencer, verifier, attacker, id } = await attackedByOne();
    const block = blockOf(rollup, now());
    await sequencer.network.publish(block, signer);
    await until(() => verifier.received.length === 1);
    // Another snappy encoding of the same block: the message id is that of the decompressed data.
    await attacker.services.pubsub.publish(TOPIC, message(block));
    await honestBlocksFlow(sequencer, verifier);
    const { peers } = await verifier.network.peers(true);
    expect(peers[id]?.scores.gossip.blocks.invalidMessageDeliveries).toBe(0);
  });

  it('that flood with broken messages, many at once, are banned, and honest blocks flow meanwhile', async () => {
    const { sequencer, verifier, attacker, id } = await attackedByOne();
    const flood = Array.from({ length: 2000 }, () => attacker.services.pubsub.publish(TOPIC, randomBytes(600)));
    await honestBlocksFlow(sequencer, verifier);
    await until(async () => (await verifier.network.peers(false)).bannedPeers.includes(id));
    await Promise.allSettled(flood);
  });

  it('that share an address cost each other score, except for an address of this machine', async () => {
    const host = await peer('host', rollup, { ban: { threshold: -10_000, durationMs: 1_000 } });
    const crowd = await Promise.all(
      Array.from({ length: 12 }, (_, index) => rawHost(`crowd-${index}`, { listenIp: '127.0.0.2' })),
    );
    for (const one of crowd) {
      running.push({ [Symbol.asyncDispose]: async () => one.stop() });
      await host.network.connect(one.getMultiaddrs()[0]!.toString());
    }
    const neighbour = await rawHost('neighbour');
    running.push({ [Symbol.asyncDispose]: async () => neighbour.stop() });
    await host.network.connect(neighbour.getMultiaddrs()[0]!.toString());
    const scores = async (of: Host) =>
      (await host.network.peers(true)).peers[of.peerId.toString()]?.scores.gossip ?? {
        total: 0,
        IPColocationFactor: 0,
      };
    // Two more than ten may share an address.
    await until(async () => {
      const { IPColocationFactor, total } = await scores(crowd[0]!);
      return IPColocationFactor === 4 && total < -35 * 4 + 10;
    });
    expect((await scores(neighbour)).IPColocationFactor).toBe(0);
  });

  it('that open a hundred idle connections neither delay nor exclude other peers', async () => {
    const { sequencer, verifier } = await attackedByOne();
    const silent = Array.from({ length: 300 }, () => connect({ port: verifier.network.port, host: '127.0.0.1' }));
    for (const socket of silent) socket.on('error', () => {});
    running.push({ [Symbol.asyncDispose]: async () => silent.forEach((socket) => void socket.destroy()) });
    await Promise.all(silent.map((socket) => once(socket, 'connect')));
    await honestBlocksFlow(sequencer, verifier);
    const late = await peer('late', rollup, { staticPeers: [verifier.address()] });
    await until(() => late.network.stats().blocksTopicV4 > 0);
    await honestBlocksFlow(sequencer, late);
  });

  it('that do not read delay no other peer', async () => {
    const { sequencer, verifier, attacker } = await attackedByOne();
    for (const connection of attacker.getConnections()) for (const stream of connection.streams) stream.pause?.();
    const big = `0x02${'ab'.repeat(200_000)}` as const;
    for (let index = 0; index < 6; index++)
      await sequencer.network.publish(
        blockOf(rollup, now(), { blockNumber: 2000 + index, transactions: [big] }),
        signer,
      );
    await until(() => verifier.received.length === 6);
    await honestBlocksFlow(sequencer, verifier);
  });

  it('that open streams of unknown protocols get no answer, and other peers do', async () => {
    const { sequencer, verifier, attacker } = await attackedByOne();
    const id = peerIdFromString(verifier.network.peerId);
    const streams = await Promise.allSettled(
      Array.from({ length: 30 }, () => attacker.dialProtocol(id, `/opstack/req/payload_by_number/${CHAIN_ID}/0`)),
    );
    for (const stream of streams) if (stream.status === 'fulfilled') stream.value.send(randomBytes(3));
    const block = blockOf(rollup, rollup.config.genesis.l2_time + 20);
    verifier.blocks.set(10, block);
    await until(async () => (await sequencer.network.request(10, block.executionPayload.blockHash)) !== null);
    await honestBlocksFlow(sequencer, verifier);
  });

  it('of a sequencer that equivocates: six blocks of a height pass, the next is rejected', async () => {
    const { sequencer, verifier, attacker, id } = await attackedByOne();
    const fork = (salt: number) => message(blockOf(rollup, now(), { gasUsed: BigInt(salt), blockNumber: 3000 }));
    for (let gasUsed = 0; gasUsed < 6; gasUsed++) await attacker.services.pubsub.publish(TOPIC, fork(gasUsed));
    await until(() => verifier.received.length === 6);
    expect((await verifier.network.peers(true)).peers[id]?.scores.gossip.blocks.invalidMessageDeliveries).toBe(0);
    await attacker.services.pubsub.publish(TOPIC, fork(6));
    await until(async () => (await verifier.network.peers(false)).bannedPeers.includes(id));
    await honestBlocksFlow(sequencer, verifier);
  });
});
