import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitmentTransaction, keccakCommitment } from '../../../../src/protocol/derivation/da-commitment.ts';
import { roleAccounts } from '../../../../src/protocol/genesis/index.ts';
import { bytesToHex } from '../../../../src/protocol/hex.ts';
import type { Hex } from '../../../../src/protocol/types.ts';
import { contracts } from '../../../protocol/genesis/inputs.ts';
import { eventually } from '../support/devnet.ts';
import type { RunningNode } from '../support/process.ts';
import { signatureOf, TestSigner, TLS } from '../support/remote-signer.ts';
import { OptionNetwork } from './network.ts';
import { RecordingBeacon } from './recording-beacon.ts';
import { RecordingProxy } from './recording-proxy.ts';

const { sequencer: KEY } = roleAccounts(901, contracts);

describe('options of a remote signer, a conductor and a DA server: two nodes that differ in one', () => {
  let network: OptionNetwork;
  let signer: TestSigner;
  beforeAll(async () => {
    network = await OptionNetwork.start();
    signer = network.devnet.with(
      await TestSigner.start(({ payloadHash }) => signatureOf(payloadHash, 901, KEY.privateKey)),
    );
  });
  afterAll(() => network[Symbol.asyncDispose]());

  const signing = (changes: { without?: keyof typeof TLS; address?: Hex } = {}) => [
    '--sequencer.enabled',
    '--sequencer.l1-confs=0',
    `--signer.endpoint=${signer.url}`,
    `--signer.address=${changes.address ?? KEY.address}`,
    ...Object.entries(TLS).flatMap(([name, file]) =>
      name === changes.without ? [] : [`--signer.tls.${name}=${file}`],
    ),
  ];
  // A signer that answers late on a busy machine is not the signer of another address.
  const refusal = (node: RunningNode) =>
    node.logged('cannot gossip a block').find(({ error }) => String(error).includes('signed as'))?.['error'];

  it('--signer.endpoint, --signer.address, --signer.header: that signer signs blocks as that address', async () => {
    const other = `0x${'12'.repeat(20)}` as const;
    const [good, bare, wrong] = await Promise.all([
      network.node('good', [...signing(), '--signer.header=x-team=blocks']),
      network.node('bare', signing()),
      network.node('wrong', signing({ address: other })),
    ]);
    const verifier = await network.node('verifier', [`--p2p.static=${await good.address()}`]);
    await verifier.reached('unsafe_l2', 1);
    expect(String(await eventually(async () => refusal(wrong)))).toContain(
      `signed as ${KEY.address.toLowerCase()}, expected ${other}`,
    );
    const teams = () => new Set(signer.requests.map(({ headers }) => headers['x-team']));
    await eventually(async () => teams().has(undefined) || undefined);
    expect(teams()).toEqual(new Set(['blocks', undefined]));
    expect(signer.requests.some(({ params }) => params[0].senderAddress === other)).toBe(true);
    expect(refusal(good)).toBeUndefined();
    await Promise.all([good, bare, wrong, verifier].map((node) => node[Symbol.asyncDispose]()));
  });

  const ending = async (name: string, argv: readonly string[]) => {
    const { code, text } = await network.nodes.ending(name, [...network.l1(), ...argv]);
    expect(code, name).toBe(1);
    return text;
  };

  it('--signer.tls.enabled: the node presents its certificate, and trusts that of the signer', async () => {
    const refused = await ending('anonymous', [...signing(), '--signer.tls.enabled=false']);
    expect(refused).toContain("its certificate is not of this machine's authorities");
    // A trusted authority alone is not enough: the node sends no client certificate.
    const argv = [...network.l1(), ...signing(), '--signer.tls.enabled=false'];
    const trusting = network.nodes.spawn('trusting', argv, { NODE_EXTRA_CA_CERTS: TLS.ca });
    expect(await trusting.exit).toBe(1);
    expect(trusting.lines.join('\n')).toContain(
      'it wants to see a certificate, and --signer.tls.enabled=false shows none',
    );
  });

  it.each([
    ['--signer.tls.ca', 'ca'],
    ['--signer.tls.cert', 'cert'],
    ['--signer.tls.key', 'key'],
  ] as const)('%s: the file is read from there', async (option, name) => {
    const others = signing({ without: name });
    const [absent, elsewhere] = await Promise.all([
      ending(`no-${name}`, others),
      ending(`other-${name}`, [...others, `${option}=/nowhere/pem`]),
    ]);
    expect(absent).toContain(`${option}: tls/`);
    expect(elsewhere).toContain(`${option}: /nowhere/pem does not exist`);
  });

  it('--conductor.rpc-timeout: the wait for a conductor that does not answer', async () => {
    const open = () => RecordingProxy.to('http://127.0.0.1:1');
    const proxies = [await open(), await open()] as const;
    const start = (name: string, proxy: RecordingProxy, ...argv: string[]) =>
      network.node(name, [
        ...network.sequencing(),
        '--p2p.disable',
        '--conductor.enabled',
        `--conductor.rpc=${proxy.hold().url}`,
        ...argv,
      ]);
    const [hasty, patient] = await Promise.all([
      start('hasty', proxies[0], '--conductor.rpc-timeout=50ms'),
      start('patient', proxies[1], '--conductor.rpc-timeout=1h'),
    ]);
    for (const node of [hasty, patient]) await node.reached('current_l1', 1);
    let isAnswered = false;
    const answer = patient.call('admin_startSequencer').finally(() => (isAnswered = true));
    answer.catch(() => undefined);
    await eventually(async () => proxies[1].requests.length > 0 || undefined);
    await expect(hasty.call('admin_startSequencer')).rejects.toThrow(/conductor|no answer/);
    expect(proxies[1].requests.map(({ method }) => method)).toEqual(['conductor_leader']);
    expect(isAnswered).toBe(false);
    for (const one of [hasty, patient, ...proxies]) await one[Symbol.asyncDispose]();
  });

  it('--altda.get-timeout, --altda.verify-on-read: limits the wait for data, and verifies it', async () => {
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
    // The beacon's version serves as data that does not match the commitment.
    const liar = await RecordingBeacon.to(`${devnet.beaconUrl}/eth/v1/node/version?`);
    const silent = [await RecordingProxy.to(devnet.l1Url), await RecordingProxy.to(devnet.l1Url)] as const;
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
    const line = await eventually(async () => verifying.logged('derivation pauses')[0]);
    expect(String(line['error'])).toContain('other data than was committed to');
    await eventually(async () => (silent[1].gets > 0 && silent[0].gets > 3) || undefined);
    expect(silent[1].gets).toBe(1);
    for (const one of [verifying, trusting, hasty, patient, liar, ...silent]) await one[Symbol.asyncDispose]();
  });
});
