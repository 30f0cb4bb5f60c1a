import { multiaddr } from '@multiformats/multiaddr';
import { encodeFunctionData, parseAbi } from 'viem';
import { expect, it } from 'vitest';
import { keySigner } from '../../../../src/nodes/gossip/message/signature.ts';
import { compressBlock } from '../../../../src/nodes/gossip/message/snappy.ts';
import type { PeerInfo } from '../../../../src/nodes/gossip/peers/peer-info.ts';
import { RpcEngineClient } from '../../../../src/nodes/rollup/engine/client.ts';
import type { L1Client } from '../../../../src/nodes/rollup/l1/client.ts';
import { runtimeConfig } from '../../../../src/nodes/rollup/p2p/runtime-config.ts';
import { concat } from '../../../../src/protocol/bytes.ts';
import { encodeGossipBody, gossipTopic } from '../../../../src/protocol/codec/gossip.ts';
import { rollupOf } from '../../../../src/protocol/derivation/rollup.ts';
import type { ExecutionPayloadEnvelope, Hex } from '../../../../src/protocol/types.ts';
import { TransportError } from '../../../../src/rpc/client/client.ts';
import { memoryLog } from '../../batcher/helpers.ts';
import { keyNamed } from '../../gossip/blocks.ts';
import { rawHost } from '../../gossip/support.ts';
import { eventually, TestDevnet } from '../support/devnet.ts';

const abi = parseAbi(['function setUnsafeBlockSigner(address)']);

interface Dump {
  readonly peers: Readonly<Record<string, PeerInfo>>;
}

/** Sets the signer of unsafe blocks as the owner of the system config on L1. */
async function setSigner(devnet: TestDevnet, address: Hex): Promise<void> {
  const { owner } = devnet.inputs.roles;
  await devnet.l1.call('anvil_impersonateAccount', [owner]);
  const data = encodeFunctionData({ abi, functionName: 'setUnsafeBlockSigner', args: [address] });
  const hash = await devnet.l1.call('eth_sendTransaction', [
    { from: owner, to: devnet.config.l1_system_config_address, gas: '0x30000', data },
  ]);
  const receipt = await eventually(
    async () => (await devnet.l1.call<{ status: Hex } | null>('eth_getTransactionReceipt', [hash])) ?? undefined,
  );
  expect(receipt.status).toBe('0x1');
}

it('a rollup node follows a change of the unsafe block signer on L1: blocks of the old one are refused', async () => {
  await using devnet = await TestDevnet.start({ ageSeconds: 5 });
  const [engine, other] = await Promise.all([devnet.engine(), devnet.engine()]);
  const sequencer = await devnet.sequencer(engine.node.ports.engine);
  const verifier = await devnet.node(other.node.ports.engine, `--p2p.static=${await sequencer.address()}`);
  await verifier.reached('unsafe_l2', 6);

  const next = keySigner(keyNamed('next signer'));
  await setSigner(devnet, next.address);
  const { peerID } = await sequencer.rpc.call<{ peerID: string }>('opp2p_self');
  await eventually(async () => {
    const { peers } = await verifier.rpc.call<Dump>('opp2p_peers', [true]);
    return (peers[peerID]?.scores.gossip.blocks.invalidMessageDeliveries ?? 0) > 0 || undefined;
  });
  const { number: stuck } = await verifier.reached('unsafe_l2', 6);
  const { number } = await sequencer.reached('unsafe_l2', stuck + 3);
  expect((await verifier.status())['unsafe_l2']!.number).toBe(stuck);

  const rollup = rollupOf(devnet.config);
  const client = new RpcEngineClient({ rpc: engine.engine, rollup, url: '', secretFile: '' });
  const body = encodeGossipBody((await client.payloadByNumber(number)) as ExecutionPayloadEnvelope, 4);
  const chainId = devnet.config.l2_chain_id;
  const host = await rawHost('next sequencer', { chainId });
  await host.dial(multiaddr(await verifier.address()));
  const topic = gossipTopic(chainId, 4);
  await eventually(async () => host.services.pubsub.getSubscribers(topic).length > 0 || undefined);
  await host.services.pubsub.publish(topic, compressBlock(concat(next.sign(body, chainId), body)));
  expect((await verifier.reached('unsafe_l2', number)).number).toBe(number);
  await host.stop();
});

it('a node that stops while it waits for the signer, or reads it, logs no warning', async () => {
  for (const reads of [1, 2]) {
    const stopping = new AbortController();
    const { log, lines } = memoryLog();
    let count = 0;
    const client = {
      async storageAt() {
        if (stopping.signal.aborted) throw new TransportError('ws://l1', 'the client is closed');
        if (++count < 2) return `0x${'11'.repeat(32)}` as Hex;
        // The second answer does not come before the stop.
        await new Promise((resolve) => stopping.signal.addEventListener('abort', resolve, { once: true }));
        throw new TransportError('ws://l1', 'the client is closed');
      },
    } as unknown as L1Client;
    const { firstLoad } = runtimeConfig(client, `0x${'00'.repeat(20)}`, 100, log, stopping.signal);
    await firstLoad;
    await eventually(async () => count === reads || undefined);
    stopping.abort();
    await new Promise(setImmediate);
    expect(lines.filter((line) => line.includes('lvl=warn'))).toEqual([]);
  }
});
