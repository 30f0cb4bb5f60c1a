import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Hex } from '../../../../src/protocol/types.ts';
import { httpClient } from '../../../../src/rpc/client/http-client.ts';
import { ACCOUNTS } from '../support/accounts.ts';
import { genesisText, upTo } from '../support/genesis.ts';
import { JWT, temporaryFolder } from '../support/nodes.ts';
import { listening, run } from '../support/process.ts';
import { signTransaction } from '../support/sign-transaction.ts';

const one = ACCOUNTS[0]!;
let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a killed program has its transactions again, also those behind a gap', async () => {
  writeFileSync(join(folder, 'genesis.json'), genesisText(upTo('jovian')));
  writeFileSync(join(folder, 'jwt.hex'), Buffer.from(JWT).toString('hex'), { mode: 0o600 });
  const start = () =>
    run(
      `--chain=${join(folder, 'genesis.json')}`,
      `--datadir=${join(folder, 'data')}`,
      `--authrpc.jwtsecret=${join(folder, 'jwt.hex')}`,
      '--flavour=rust',
      '--http',
      '--http.port=0',
      '--authrpc.port=0',
      '--http.api=eth,txpool',
    );
  const first = start();
  const before = httpClient({ url: `http://127.0.0.1:${(await listening(first)).http}`, timeoutMs: 60_000 });
  const hashes: Hex[] = [];
  for (const nonce of [0, 1, 5])
    hashes.push(await before.call('eth_sendRawTransaction', [await signTransaction(one, { nonce })]));
  first.child.kill('SIGKILL');
  await first.exit;
  before.close();
  const second = start();
  const after = httpClient({ url: `http://127.0.0.1:${(await listening(second)).http}`, timeoutMs: 60_000 });
  expect(await after.call('txpool_status')).toEqual({ pending: '0x2', queued: '0x1' });
  for (const hash of hashes) expect(await after.call('eth_getTransactionByHash', [hash])).toMatchObject({ hash });
  after.close();
  second.child.kill('SIGTERM');
  expect(await second.exit).toBe(0);
});
