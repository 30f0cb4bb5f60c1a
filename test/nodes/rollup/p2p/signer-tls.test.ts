import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readTls, renewedTls } from '../../../../src/nodes/rollup/p2p/signer-tls.ts';
import { TLS, tlsFile } from '../support/remote-signer.ts';

let folder: string;
let files: typeof TLS;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signer-tls-'));
  files = { ca: TLS.ca, cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') };
  put('cert', 'client.crt');
  put('key', 'client.key');
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (what: 'cert' | 'key', name: string) => copyFileSync(tlsFile(name), files[what]);

it('the identity in the files is renewed when both certificate and key are replaced', () => {
  const identity = readTls(files);
  expect(renewedTls(files, identity)).toBeUndefined();
  put('cert', 'server.crt');
  put('key', 'server.key');
  expect(renewedTls(files, identity)).toEqual(readTls(files));
});

it.each([
  ['the certificate', 'cert', 'server.crt'],
  ['the key', 'key', 'server.key'],
] as const)('the identity in the files is refused when only %s was replaced so far', (_, what, name) => {
  const identity = readTls(files);
  put(what, name);
  expect(() => renewedTls(files, identity)).toThrow(
    expect.objectContaining({ code: 'signer', message: expect.stringContaining('is not the key of') }),
  );
});
