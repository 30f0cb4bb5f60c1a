import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sign } from '../../../../src/nodes/secp256k1.ts';
import { concat } from '../../../../src/protocol/bytes.ts';
import { commitmentTransaction, keccakCommitment } from '../../../../src/protocol/codec/da-commitment.ts';
import { roleAccounts } from '../../../../src/protocol/genesis/index.ts';
import { keccak256Bytes } from '../../../../src/protocol/hash.ts';
import { bytesToHex, hexToBytes } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { contracts } from '../../../protocol/genesis/inputs.ts';
import { eventually } from '../support/devnet.ts';
import type { NodeProcess } from '../support/process.ts';
import { BeaconDoor } from './beacon-door.ts';
import { Door } from './door.ts';
import { OptionNetwork } from './network.ts';

const { sequencer: KEY } = roleAccounts(901, contracts);
const tls = (name: string) => join(import.meta.dirname, '..', '..', '..', 'fixtures', 'tls', name);
const pem = (name: string) => readFileSync(tls(name), 'utf8');
const word = (value: number) => Uint8Array.from(Buffer.from(value.toString(16).padStart(64, '0'), 'hex'));

interface SignRequest {
  readonly payloadHash: Hex;
  readonly senderAddress: Hex;
}

/** A remote signer that talks only to whoever has a certificate of its authority, and signs as the sequencer. */
class Signer implements AsyncDisposable {
  readonly asked: (SignRequest & { readonly team: unknown })[] = [];
  readonly #server: Server;

  private constructor() {
    const identity = { ca: pem('ca.crt'), cert: pem('server.crt'), key: pem('server.key') };
    this.#server = createServer(
      { ...identity, requestCert: true, rejectUnauthorized: true },
      async (request, response) => {
        const parts: Buffer[] = [];
        for await (const part of request) parts.push(part as Buffer);
        const { id, params } = JSON.parse(Buffer.concat(parts).toString()) as { id: number; params: [SignRequest] };
        this.asked.push({ ...params[0], team: request.headers['x-team'] });
        const hash = keccak256Bytes(concat(new Uint8Array(32), word(901), hexToBytes(params[0].payloadHash)));
        const { signature, recovery } = sign(hash, hexToBytes(KEY.privateKey));
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({ jsonrpc: '2.0', id, result: bytesToHex(concat(signature, Uint8Array.of(recovery))) }),
        );
      },
    );
  }

  static async start(): Promise<Signer> {
    const signer = new Signer();
    await new Promise<void>((resolve) => signer.#server.listen(0, '127.0.0.1', resolve));
    return signer;
  }

  get url(): string {
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

describe('options of a remote signer, a conductor and a DA server: two processes that differ in one', () => {
  let network: OptionNetwork;
  let signer: Signer;
  beforeAll(async () => {
    network = await OptionNetwork.start();
    signer = network.devnet.with(await Signer.start());
  });
  afterAll(() => network[Symbol.asyncDispose]());

  const files = { ca: 'ca.crt', cert: 'client.crt', key: 'client.key' };
  const signing = (changes: { without?: keyof typeof files; address?: Hex } = {}) => [
    '--sequencer.enabled',
    '--sequencer.l1-confs=0',
    `--signer.endpoint=${signer.url}`,
    `--signer.address=${changes.address ?? KEY.address}`,
    ...Object.entries(files).flatMap(([name, file]) =>
      name === changes.without ? [] : [`--signer.tls.${name}=${tls(file)}`],
    ),
  ];
  const refusal = (node: NodeProcess) => eventually(async () => node.logged('cannot gossip a block')[0]?.['error']);

  it('--signer.endpoint, --signer.address, --signer.header: blocks are signed there, as that address, asked for with that header', async () => {
    const other = `0x${'12'.repeat(20)}` as const;
    const [good, bare, wrong] = await Promise.all([
      network.node('good', [...signing(), '--signer.header=x-team=blocks']),
      network.node('bare', signing()),
      network.node('wrong', signing({ address: other })),
    ]);
    const verifier = await network.node('verifier', [`--p2p.static=${await good.address()}`]);
    await verifier.reached('unsafe_l2', 1);
    expect(String(await refusal(wrong))).toContain(`signed as ${KEY.address.toLowerCase()}, expected ${other}`);
    await eventually(async () => signer.asked.some(({ team }) => team === undefined) || undefined);
    expect(new Set(signer.asked.map(({ team }) => team))).toEqual(new Set(['blocks', undefined]));
    expect(signer.asked.some(({ senderAddress }) => senderAddress === other)).toBe(true);
    expect(good.logged('cannot gossip a block')).toEqual([]);
    await Promise.all([good, bare, wrong, verifier].map((node) => node[Symbol.asyncDispose]()));
  });

  it('--signer.tls.enabled: a certificate is shown, without which a signer may not answer', async () => {
    const anonymous = await network.node('anonymous', [...signing(), '--signer.tls.enabled=false']);
    expect(String(await refusal(anonymous))).toMatch(/certificate|alert|disconnected|hang up/i);
    await anonymous[Symbol.asyncDispose]();
  });

  it.each([
    ['--signer.tls.ca', 'ca'],
    ['--signer.tls.cert', 'cert'],
    ['--signer.tls.key', 'key'],
  ] as const)('%s: the file is read from there', async (option, name) => {
    const node = network.processes.spawn('lacking', [...network.l1(), ...signing({ without: name })]);
    expect(await node.ended).toBe(1);
    expect(node.lines.join('\n')).toContain(`${option}: tls/`);
  });

  it('--conductor.rpc-timeout: a conductor that does not answer is asked again after that', async () => {
    const doors = [await Door.to('http://127.0.0.1:1'), await Door.to('http://127.0.0.1:1')] as const;
    const start = (name: string, door: Door, ...argv: string[]) =>
      network.node(name, [
        ...network.sequencing(),
        '--p2p.disable',
        '--conductor.enabled',
        `--conductor.rpc=${door.hold().url}`,
        ...argv,
      ]);
    const [hasty, patient] = await Promise.all([
      start('hasty', doors[0], '--conductor.rpc-timeout=50ms'),
      start('patient', doors[1], '--conductor.rpc-timeout=1h'),
    ]);
    await eventually(async () => (doors[1].asked.length > 0 && doors[0].asked.length > 3) || undefined);
    expect(doors[1].asked.map(({ method }) => method)).toEqual(['conductor_commitUnsafePayload']);
    for (const one of [hasty, patient, ...doors]) await one[Symbol.asyncDispose]();
  });

  it('--altda.get-timeout, --altda.verify-on-read: a DA server must answer in time, and with what was committed to', async () => {
    const { devnet } = network;
    const file = network.file('alt-da.json');
    const windows = { da_challenge_window: 1000, da_resolve_window: 1000 };
    const contract = { da_commitment_type: 'KeccakCommitment', da_challenge_contract_address: `0x${'da'.repeat(20)}` };
    writeFileSync(file, JSON.stringify({ ...devnet.config, alt_da: { ...contract, ...windows } }));
    const commitment = keccakCommitment(Uint8Array.of(1, 2, 3));
    const { batcherAddr } = devnet.config.genesis.system_config;
    await devnet.l1.call('anvil_impersonateAccount', [batcherAddr]);
    const data = bytesToHex(commitmentTransaction(commitment));
    const transaction = { from: batcherAddr, to: devnet.config.batch_inbox_address, gas: '0x100000', data };
    const hash = await devnet.l1.call<Hex>('eth_sendTransaction', [transaction]);
    const receipt = await eventually(
      async () => (await devnet.l1.call<{ blockNumber: Hex } | null>('eth_getTransactionReceipt', [hash])) ?? undefined,
    );
    const past = Number(receipt.blockNumber) + 1;
    // The beacon's version stands for data that nobody committed to.
    const liar = await BeaconDoor.to(`${devnet.beaconUrl}/eth/v1/node/version?`);
    const silent = [await Door.to(devnet.l1Url), await Door.to(devnet.l1Url)] as const;
    const start = (name: string, url: string, ...argv: string[]) =>
      network.node(name, [
        `--rollup.config=${file}`,
        '--p2p.disable',
        '--altda.enabled',
        `--altda.da-server=${url}`,
        ...argv,
      ]);
    const [verifying, trusting, hasty, patient] = await Promise.all([
      start('verifying', liar.url),
      start('trusting', liar.url, '--altda.verify-on-read=false'),
      start('hasty-da', silent[0].hold().url, '--altda.get-timeout=50ms'),
      start('patient-da', silent[1].hold().url),
    ]);
    await trusting.reached('current_l1', past);
    const told = await eventually(async () => verifying.logged('derivation pauses')[0]);
    expect(String(told['error'])).toContain('other data than was committed to');
    await eventually(async () => (silent[1].gets > 0 && silent[0].gets > 3) || undefined);
    expect(silent[1].gets).toBe(1);
    for (const one of [verifying, trusting, hasty, patient, liar, ...silent]) await one[Symbol.asyncDispose]();
  });
});
