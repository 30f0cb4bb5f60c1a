import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commitmentTransaction, keccakCommitment } from '../../../src/protocol/derivation/da-commitment.ts';
import { OptionNetwork } from './options/network.ts';
import { type DaServer, startDaServer } from './support/da-server.ts';

const ALT_DA = {
  da_commitment_type: 'KeccakCommitment',
  da_challenge_contract_address: `0x${'da'.repeat(20)}`,
  da_challenge_window: 2,
  da_resolve_window: 2,
};

describe('a rollup node of a chain with alternative DA', () => {
  let network: OptionNetwork;
  let server: DaServer;
  let config: string;
  beforeAll(async () => {
    network = await OptionNetwork.start({ ageSeconds: 12 });
    server = network.devnet.with(await startDaServer());
    const file = network.file('alt-da.json');
    writeFileSync(file, JSON.stringify({ ...network.devnet.config, alt_da: ALT_DA }));
    config = `--rollup.config=${file}`;
  });
  afterAll(() => network[Symbol.asyncDispose]());

  it('--altda.enabled, --altda.da-server: derives from a DA server, finalizes after the challenge window', async () => {
    const { devnet } = network;
    await using empty = await startDaServer();
    const argv = (url: string) => [config, '--p2p.disable', '--altda.enabled', `--altda.da-server=${url}`];
    const [sequencer, verifier, lacking] = await Promise.all([
      network.node('sequencer', [...network.sequencing(), ...argv(server.url)]),
      network.node('verifier', argv(server.url)),
      network.node('lacking', argv(empty.url)),
    ]);
    await sequencer.reached('unsafe_l2', 8);
    await devnet.post(await network.engine('sequencer'), 1, 8, (data) => {
      const commitment = keccakCommitment(data);
      server.stored.set(commitment.encoded, data);
      return commitmentTransaction(commitment);
    });
    expect(await verifier.reached('safe_l2', 8)).toEqual(await sequencer.reached('safe_l2', 8));
    await verifier.reached('finalized_l2', 8);
    // The challenge window is over: without the data, derivation cannot continue.
    expect(await lacking.exit).toBe(1);
    expect(lacking.lines.join('\n')).toContain('is missing and can no longer be challenged');
  });

  it.each([
    ['--altda.enabled when rollup.json has none', () => ['--altda.enabled'], 'rollup.json has no alt_da'],
    ['no --altda.enabled when rollup.json has it', () => [config], 'give --altda.enabled'],
    [
      '--altda.da-service when rollup.json says keccak',
      () => [config, '--altda.enabled', '--altda.da-service'],
      'KeccakCommitment',
    ],
  ])('--altda.enabled, --altda.da-service: %s is refused', async (_, argv, words) => {
    const { code, text } = await network.nodes.ending('refused', [
      ...network.l1(),
      ...argv(),
      ...(argv().includes('--altda.enabled') ? [`--altda.da-server=${server.url}`] : []),
    ]);
    expect(code).toBe(2);
    expect(text).toContain(words);
  });
});
