import { afterEach, describe, expect, it } from 'vitest';
import { recoverSigner } from '../../../src/nodes/gossip/message/signature.ts';
import { remoteSigner } from '../../../src/nodes/rollup/p2p/remote-signer.ts';
import { main, startSigner } from '../../../src/nodes/signer/main.ts';
import { SIGNER_OPTIONS } from '../../../src/nodes/signer/options.ts';
import { parseOptions } from '../../../src/system/program/options.ts';
import type { Running } from '../../../src/system/program/program.ts';
import { CHAIN_ID, signer, silent } from '../gossip/blocks.ts';

const KEY = new Uint8Array(32).fill(0x11);
const ADDRESS = '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a';
const body = new TextEncoder().encode('a block');

describe('signer', () => {
  const running: Running[] = [];
  afterEach(async () => {
    for (const each of running.splice(0)) await each.stop();
  });

  async function open(address: string) {
    const usage = { name: 'signer', version: 'test', summary: '', envPrefixes: [] };
    const { values } = parseOptions(usage, SIGNER_OPTIONS, [], {});
    const server = await startSigner({ ...values, rpcPort: 0 }, KEY, silent);
    running.push(server);
    const endpoint = `http://127.0.0.1:${server.port}`;
    return remoteSigner({ log: silent, endpoint, address, headers: {}, tls: undefined });
  }

  it('signs blocks as the account of its key', async () => {
    const signature = await (await open(ADDRESS)).sign(body, CHAIN_ID);
    expect(recoverSigner(signature, body, CHAIN_ID)).toBe(ADDRESS);
    expect(recoverSigner(signature, body, CHAIN_ID + 1)).not.toBe(ADDRESS);
  });

  it('refuses to sign as another account', async () => {
    const remote = await open(signer.address);
    await expect(remote.sign(body, CHAIN_ID)).rejects.toThrow(`this signer signs as ${ADDRESS}`);
  });

  it('ends with exit code 2 when it has no key', async () => {
    expect(await main([], {})).toBe(2);
  });
});
