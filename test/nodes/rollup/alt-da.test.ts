import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { commitmentTransaction, keccakCommitment } from '../../../src/protocol/codec/da-commitment.ts';
import { startDaServer } from './support/da-server.ts';
import { TestDevnet } from './support/devnet.ts';

let devnet: TestDevnet | undefined;
afterEach(async () => {
  await devnet?.[Symbol.asyncDispose]();
  devnet = undefined;
});

const ALT_DA = {
  da_commitment_type: 'KeccakCommitment',
  da_challenge_contract_address: `0x${'da'.repeat(20)}`,
  da_challenge_window: 2,
  da_resolve_window: 2,
};

describe('a rollup node of a chain with alternative DA', () => {
  it('--altda.enabled, --altda.da-server: derives from commitments on L1 and the data of a DA server, and finalizes when none can be challenged', async () => {
    await using server = await startDaServer();
    devnet = await TestDevnet.start({ ageSeconds: 12 });
    const file = join(devnet.folder, 'alt-da.json');
    writeFileSync(file, JSON.stringify({ ...devnet.config, alt_da: ALT_DA }));
    const argv = [`--rollup.config=${file}`, '--altda.enabled', `--altda.da-server=${server.url}`];
    const [engine, other] = [await devnet.engine(), await devnet.engine()];
    const sequencer = await devnet.sequencer(engine.node.ports.engine, ...argv);
    const verifier = await devnet.node(other.node.ports.engine, ...argv);
    await sequencer.reached('unsafe_l2', 8);
    await devnet.post(engine, 1, 8, (data) => {
      const commitment = keccakCommitment(data);
      server.stored.set(commitment.encoded, data);
      return commitmentTransaction(commitment);
    });
    expect(await verifier.reached('safe_l2', 8)).toEqual(await sequencer.reached('safe_l2', 8));
    await verifier.reached('finalized_l2', 8);
  });

  it('--altda.enabled, --altda.da-service: says so where options and rollup.json disagree', async () => {
    devnet = await TestDevnet.start({ ageSeconds: 2 });
    const file = join(devnet.folder, 'alt-da.json');
    writeFileSync(file, JSON.stringify({ ...devnet.config, alt_da: ALT_DA }));
    const server = '--altda.da-server=http://127.0.0.1:1';
    const start = (...argv: string[]) => devnet!.node(1, ...argv);
    await expect(start('--altda.enabled', server)).rejects.toThrow('rollup.json has no alt_da');
    await expect(start(`--rollup.config=${file}`)).rejects.toThrow('give --altda.enabled');
    await expect(start(`--rollup.config=${file}`, '--altda.enabled', server, '--altda.da-service')).rejects.toThrow(
      'KeccakCommitment',
    );
  });
});
