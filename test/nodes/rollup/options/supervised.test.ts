import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { keySigner } from '../../../../src/nodes/gossip/message/signature.ts';
import { keyOf } from '../../../../src/nodes/rollup/p2p/key.ts';
import { encodeGossipBody } from '../../../../src/protocol/codec/gossip.ts';
import { envelopeFromJson } from '../../../../src/protocol/codec/payload-json.ts';
import { rollupOf } from '../../../../src/protocol/derivation/rollup.ts';
import { roleAccounts } from '../../../../src/protocol/genesis/index.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import { webSocketClient } from '../../../../src/rpc/client/websocket-client.ts';
import { jwtBearer } from '../../../../src/rpc/jwt.ts';
import { contracts } from '../../../protocol/genesis/inputs.ts';
import { freePort } from '../../../system/free-port.ts';
import { eventually } from '../support/devnet.ts';
import type { RunningNode } from '../support/process.ts';
import { OptionNetwork } from './network.ts';

const secretOf = (path: string) => Uint8Array.from(Buffer.from(readFileSync(path, 'utf8'), 'hex'));

describe('options by which others look into a rollup node and lead it', () => {
  let network: OptionNetwork;
  let plain: RunningNode;
  let managed: RunningNode;
  let port: number;
  beforeAll(async () => {
    port = await freePort('127.0.0.2');
    network = await OptionNetwork.start();
    writeFileSync(network.file('secret.hex'), '');
    writeFileSync(network.file('set.json'), JSON.stringify({ dependencies: { 901: { activationTime: 5 }, 902: {} } }));
    [plain, managed] = await Promise.all([
      network.node('plain', network.sequencing()),
      network.node('managed', [
        '--interop.rpc.addr=127.0.0.2',
        `--interop.rpc.port=${port}`,
        `--interop.jwt-secret=${network.file('secret.hex')}`,
        `--interop.dependency-set=${network.file('set.json')}`,
        `--snapshotlog.file=${network.file('snapshots')}`,
        '--experimental.sequencer-api',
      ]),
    ]);
    await plain.reached('unsafe_l2', 2);
    await managed.reached('current_l1', 1);
  });
  afterAll(() => network[Symbol.asyncDispose]());

  const interop = (secret = secretOf(network.file('secret.hex'))) =>
    webSocketClient({ url: `ws://127.0.0.2:${port}`, jwtSecret: secret });

  it('--interop.rpc.addr, --interop.rpc.port: serves blocks, outputs and receipts over WebSocket', async () => {
    expect(plain.logged('interop listens')).toEqual([]);
    expect(managed.logged('interop listens')).toMatchObject([{ port }]);
    await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow();
    const rpc = interop();
    const { genesis, block_time } = network.devnet.config;
    expect(await rpc.call('interop_chainID', [])).toBe('901');
    const block = await rpc.call<{ hash: string }>('interop_blockRefByNumber', [0]);
    expect(block).toEqual({
      hash: genesis.l2.hash,
      number: 0,
      parentHash: expect.stringMatching(/^0x0{64}$/),
      timestamp: genesis.l2_time,
    });
    expect(await rpc.call('interop_l2BlockRefByTimestamp', [genesis.l2_time + block_time - 1])).toEqual({
      ...block,
      l1origin: genesis.l1,
      sequenceNumber: 0,
    });
    const output = await managed.call('optimism_outputAtBlock', '0x0');
    for (const method of ['interop_outputV0AtTimestamp', 'interop_pendingOutputV0AtTimestamp'])
      expect(await rpc.call(method, [genesis.l2_time])).toEqual({
        StateRoot: output.stateRoot,
        MessagePasserStorageRoot: output.withdrawalStorageRoot,
        BlockHash: genesis.l2.hash,
      });
    expect(await rpc.call('interop_fetchReceipts', [genesis.l2.hash])).toEqual([]);
    await expect(rpc.call('interop_blockRefByNumber', [99_999])).rejects.toMatchObject({ message: 'not found' });
    await expect(rpc.call('interop_l2BlockRefByTimestamp', [1])).rejects.toThrow('before genesis');
    rpc.close();
  });

  it('… reports the end of L1 data and engine resets, by pulling or by subscription', async () => {
    const rpc = interop();
    const pulled = await eventually(async () => rpc.call('interop_pullEvent', []));
    expect(pulled).toMatchObject({ exhaustL1: { source: { number: expect.any(Number) }, derived: { number: 0 } } });
    const events: unknown[] = [];
    const authorization = jwtBearer(secretOf(network.file('secret.hex')))();
    const socket = new WebSocket(`ws://127.0.0.2:${port}`, { headers: { authorization } });
    socket.on('message', (data) => events.push(JSON.parse(String(data))));
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'interop_subscribe', params: ['events'] }));
    await eventually(async () => events[0]);
    const { result: subscription } = events[0] as { result: string };
    await managed.call('admin_resetDerivationPipeline');
    const reset = {
      jsonrpc: '2.0',
      method: 'interop_subscription',
      params: { subscription, result: { data: { reset: 'admin_resetDerivationPipeline' } } },
    };
    await eventually(async () => events.some((event) => JSON.stringify(event) === JSON.stringify(reset)) || undefined);
    await rpc.call('interop_pullEvent', []).catch(() => {});
    await eventually(async () => events.some((event) => JSON.stringify(event).includes('"close":true')) || undefined);
    socket.close();
    rpc.close();
  });

  it('… refuses methods that need an active interop fork', async () => {
    const rpc = interop();
    const id = network.devnet.config.genesis.l2;
    for (const [method, ...params] of [
      ['interop_anchorPoint'],
      ['interop_updateCrossUnsafe', id],
      ['interop_updateCrossSafe', id, id],
      ['interop_updateFinalized', id],
      ['interop_invalidateBlock', {}],
      ['interop_provideL1', {}],
      ['interop_reset', id, id, id, id, id],
    ] as const)
      await expect(rpc.call(method, params), method).rejects.toMatchObject({ code: -39003 });
    rpc.close();
  });

  it('--interop.jwt-secret: fills an empty file, and refuses connections without a token', async () => {
    expect(readFileSync(network.file('secret.hex'), 'utf8')).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(network.file('secret.hex')).mode & 0o777).toBe(0o600);
    const stranger = interop(new Uint8Array(32));
    await expect(stranger.call('interop_chainID', [])).rejects.toThrow(/401/);
    stranger.close();
  });

  it('--interop.dependency-set: is served as it was read', async () => {
    const set = { dependencies: { 901: { activationTime: 5 }, 902: {} } };
    for (const name of ['optimism_dependencySet', 'consensus_dependencySet']) {
      expect(await managed.call(name)).toEqual(set);
      await expect(plain.call(name)).rejects.toMatchObject({ code: -32000, message: 'not found' });
    }
  });

  it.each([
    ['{"dependencies":{"902":{}}}', 'does not hold chain 901'],
    ['{"dependencies":{"x":{}}}', 'is not a dependency set'],
    ['{', 'as JSON'],
  ])('--interop.dependency-set: %s is refused', async (text, words) => {
    writeFileSync(network.file('other-set.json'), text);
    const { code, text: output } = await network.nodes.ending('refused', [
      ...network.l1(),
      `--interop.dependency-set=${network.file('other-set.json')}`,
    ]);
    expect(code).toBe(1);
    expect(output).toContain(words);
  });

  it('--snapshotlog.file: gets a line with all heads whenever one changes', async () => {
    const lines = () =>
      readFileSync(network.file('snapshots'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, string>);
    const { head_l1 } = await managed.status();
    const line = await eventually(async () =>
      lines().find(({ event, l1Head }) => event === 'New L1 Head' && JSON.parse(l1Head!).number >= head_l1!.number),
    );
    expect(Object.keys(line)).toEqual([
      't',
      'lvl',
      'msg',
      'event',
      'engine_addr',
      'l1Head',
      'l1Current',
      'l2Head',
      'l2Safe',
      'l2FinalizedHead',
    ]);
    expect(JSON.parse(line['l2Safe']!)).toMatchObject({ hash: network.devnet.config.genesis.l2.hash, number: 0 });
    expect(new Set(lines().map(({ event }) => event))).toContain('New L2 Head');
  });

  it('--experimental.sequencer-api: blocks are opened, sealed, committed and published step by step', async () => {
    await expect(plain.call('opstack_openBlockV1')).rejects.toMatchObject({ code: -32601 });
    const { unsafe_l2: parent } = await managed.status();
    const model = await (await network.engine('plain')).rpc.call<Record<string, unknown>>('eth_getBlockByNumber', [
      '0x1',
      true,
    ]);
    const engine = await network.engine('plain');
    const deposit = await engine.rpc.call<string>('eth_getRawTransactionByHash', [
      (model['transactions'] as { hash: string }[])[0]!.hash,
    ]);
    const attributes = {
      timestamp: model['timestamp'],
      prevRandao: model['mixHash'],
      suggestedFeeRecipient: model['miner'],
      withdrawals: [],
      parentBeaconBlockRoot: model['parentBeaconBlockRoot'],
      transactions: [deposit],
      noTxPool: true,
      gasLimit: model['gasLimit'],
      eip1559Params: '0x0000000000000000',
      minBaseFee: '0x0',
    };
    const open = (at: unknown = parent) => managed.call('opstack_openBlockV1', at, attributes);
    const info = await open();
    expect(info).toEqual({ ID: expect.stringMatching(/^0x/), Timestamp: Number(model['timestamp']) });
    const envelope = await managed.call('opstack_sealBlockV1', info);
    expect(envelope.executionPayload.blockHash).toBe(model['hash']);
    expect((await managed.status())['unsafe_l2']).toEqual(parent);
    const cancelled = await open();
    expect(await managed.call('opstack_cancelBlockV1', cancelled)).toBeNull();
    await expect(managed.call('opstack_sealBlockV1', { ...info, ID: '0x0000000000000001' })).rejects.toMatchObject({
      code: -40120,
    });
    await expect(open({ hash: `0x${'12'.repeat(32)}`, number: 9 })).rejects.toMatchObject({ code: -40199 });
    const { privateKey } = roleAccounts(901, contracts).sequencer;
    const block = envelopeFromJson(envelope);
    const rules = rollupOf(network.devnet.config).rulesAt(block.executionPayload.timestamp);
    const body = encodeGossipBody(block, rules.gossip.version);
    const signed = { envelope, signature: bytesToHex(keySigner(keyOf(privateKey)).sign(body, 901)) };
    expect(await managed.call('opstack_commitBlockV1', signed)).toBeNull();
    expect((await managed.status())['unsafe_l2']!.hash).toBe(model['hash']);
    const broken = {
      ...signed,
      envelope: { ...envelope, executionPayload: { ...envelope.executionPayload, gasUsed: '0x1' } },
    };
    await expect(managed.call('opstack_commitBlockV1', broken)).rejects.toMatchObject({ code: -40110 });
    await managed.address();
    expect(await managed.call('opstack_publishBlockV1', signed)).toBeNull();
  });
});
