import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { commitmentTransaction, keccakCommitment } from '../../../src/protocol/codec/da-commitment.ts';
import { TestDevnet } from './support/devnet.ts';

let devnet: TestDevnet | undefined;
let server: Server | undefined;
afterEach(async () => {
  await devnet?.[Symbol.asyncDispose]();
  devnet = undefined;
  server?.close();
});

const ALT_DA = {
  da_commitment_type: 'KeccakCommitment',
  da_challenge_contract_address: `0x${'da'.repeat(20)}`,
  da_challenge_window: 2,
  da_resolve_window: 2,
};

describe('a rollup node of a chain with alternative DA', () => {
  it('derives from commitments on L1 and the data of a DA server, and finalizes when none can be challenged', async () => {
    const store = new Map<string, Uint8Array>();
    server = createServer((request, response) => {
      const data = store.get(request.url ?? '');
      response.writeHead(data ? 200 : 404).end(data);
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    devnet = await TestDevnet.start({ ageSeconds: 12 });
    const file = join(devnet.folder, 'alt-da.json');
    writeFileSync(file, JSON.stringify({ ...devnet.config, alt_da: ALT_DA }));
    const argv = [`--rollup.config=${file}`, '--altda.enabled', `--altda.da-server=${url}`];
    const [engine, other] = [await devnet.engine(), await devnet.engine()];
    const sequencer = await devnet.sequencer(engine.node.ports.engine, ...argv);
    const verifier = await devnet.node(other.node.ports.engine, ...argv);
    await sequencer.reached('unsafe_l2', 8);
    await devnet.post(engine, 1, 8, (data) => {
      const commitment = keccakCommitment(data);
      store.set(`/get/${commitment.encoded}`, data);
      return commitmentTransaction(commitment);
    });
    expect(await verifier.reached('safe_l2', 8)).toEqual(await sequencer.reached('safe_l2', 8));
    await verifier.reached('finalized_l2', 8);
  });

  it('says so where options and rollup.json disagree', async () => {
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
