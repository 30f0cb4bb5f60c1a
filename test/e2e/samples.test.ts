import { existsSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { foundry, Home, node, root, rpc, run, type Status } from './devnet.ts';

const SAMPLES = readdirSync(join(root, 'devnets'))
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.replace(/\.yaml$/, ''));

/**
 * The samples that are started. Other tests start what the rest shows: blobs a scenario, two chains the withdrawals,
 * forks in mid-chain and a late verifier `forks`, the default network the user's devnet below.
 */
const STARTED = process.env['SAMPLES'] === 'all' ? SAMPLES : ['mixed'];

describe('the samples', () => {
  it.each(STARTED)('%s comes up, gets safe blocks, is checked and leaves nothing', async (sample) => {
    await using home = new Home();
    await home.up(sample, '--set', 'ports=auto');
    expect(await home.json<Status>('status')).toMatchObject({ name: sample, phase: 'ready' });
    const wait = await home.devnet('wait', 'safe:9', '--timeout', '300s');
    expect(wait.code, wait.stderr).toBe(0);
    if (sample === 'late-verifier') expect((await home.devnet('check')).stderr).toContain('late');
    else await home.agrees();
    const down = await home.devnet('down');
    expect(down.code, down.stderr).toBe(0);
    expect(home.leftovers()).toEqual([]);
    expect(existsSync(join(home.env['DEVNET_HOME']!, sample))).toBe(false);
    expect(await home.json<unknown[]>('ls')).toEqual([]);
  });

  it.each(SAMPLES)('%s is valid, and its spec written out is the same spec again', async (sample) => {
    await using home = new Home();
    expect((await home.devnet('validate', sample)).code).toBe(0);
    const written = await home.devnet('spec', sample);
    expect(written.code).toBe(0);
    const again = await home.devnet('spec', home.spec('again', written.stdout));
    expect(again.code, again.stderr).toBe(0);
    expect(parse(again.stdout)).toEqual(parse(written.stdout));
  });
});

it('--set and --manual change a node of the default devnet and leave the others', async () => {
  await using home = new Home();
  const { code, stdout, stderr } = await home.devnet(
    ...['spec', '--set', 'chains.main.nodes.verifier.el=execution-rust', '--manual', 'sequencer.cl'],
  );
  expect(code, stderr).toBe(0);
  expect(parse(stdout).chains.main.nodes).toMatchObject({
    sequencer: { role: 'sequencer', cl: { launch: 'manual' } },
    verifier: { el: { client: 'execution-rust' } },
  });
});

describe('a devnet of the user', () => {
  let home: Home;
  let status: Status;
  beforeAll(async () => {
    home = new Home();
    // The first steps of a user, in an empty folder.
    const init = await home.devnet('init');
    expect(init.code, init.stderr).toBe(0);
    expect(existsSync(join(home.folder, 'devnet.yaml'))).toBe(true);
    const up = await home.devnet('up', '-d', '--set', 'ports=auto');
    expect(up.code, up.stderr).toBe(0);
    status = await home.status();
    symlinkSync(join(root, 'node_modules'), join(home.folder, 'node_modules'));
  });
  afterAll(async () => home[Symbol.asyncDispose]());

  const env = async (format: string) => {
    const { code, stdout, stderr } = await home.devnet('env', '--format', format);
    expect(code, stderr).toBe(0);
    return stdout;
  };
  const saved = async (format: string, file: string) => {
    const path = join(home.folder, file);
    writeFileSync(path, await env(format));
    return path;
  };
  const sequencer = () => node(status, 'sequencer').el.http;

  it('is ready, gets safe blocks, and its nodes agree', async () => {
    expect(status.phase).toBe('ready');
    expect(await home.devnet('wait', 'safe:1', '--timeout', '300s')).toMatchObject({ code: 0 });
    await home.agrees();
  });

  it('init refuses to overwrite a spec', async () => {
    const second = await home.devnet('init');
    expect(second.code).not.toBe(0);
    expect(second.stderr).toContain('devnet.yaml');
  });

  it('env in every format is what its reader reads', async () => {
    const variables = JSON.parse(await env('json')) as Record<string, string>;
    expect(variables['DEVNET_L2_RPC_URL']).toBe(sequencer());
    expect(variables['DEVNET_L1_RPC_URL']).toBe(status.l1.rpc);

    const shell = await saved('shell', 'env.sh');
    const printed = await run('/bin/bash', ['-c', `. ${shell} && /usr/bin/env -0`], {});
    const exported = Object.fromEntries(
      printed.split('\0').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );
    expect(exported).toMatchObject(variables);
    expect(parseEnv(await env('dotenv'))).toEqual(variables);
    expect(
      Object.fromEntries(
        (await env('github'))
          .trim()
          .split('\n')
          .map((line) => /^(\w+)=(.*)$/.exec(line)!.slice(1)),
      ),
    ).toEqual(variables);

    const viem = (await import(pathToFileURL(await saved('viem', 'viem.mjs')).href)) as Record<
      string,
      { id: number; rpcUrls: { default: { http: string[] } } }
    >;
    expect(viem['main']?.rpcUrls.default.http).toEqual([sequencer()]);
    expect([viem['l1']?.id, viem['main']?.id]).toEqual([900, 901]);

    const { networks } = (await import(pathToFileURL(await saved('hardhat', 'hardhat.mjs')).href)) as {
      networks: Record<string, { url: string; chainId: number; accounts: string[] }>;
    };
    expect(networks['main']).toMatchObject({ url: sequencer(), chainId: 901 });
    expect(networks['main']?.accounts[0]).toBe(status.chains[0]!.accounts[0]!.privateKey);

    await saved('foundry', 'foundry.toml');
    const cast = `cd ${home.folder} && exec ${foundry('cast')} chain-id --rpc-url`;
    expect(await run('/bin/sh', ['-c', `${cast} main`])).toBe('901');
    expect(await run('/bin/sh', ['-c', `${cast} l1`])).toBe('900');

    const wrong = await home.devnet('env', '--format', 'xml');
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('foundry');
  });

  it('accounts are funded as they are listed', async () => {
    const accounts = await home.json<unknown>('accounts');
    const text = JSON.stringify(accounts);
    for (const { address, privateKey, role } of status.chains[0]!.accounts) {
      if (role !== undefined) continue;
      expect(text).toContain(address);
      expect(text).toContain(privateKey);
      expect(BigInt(await rpc<string>(sequencer(), 'eth_getBalance', address, 'latest'))).toBe(10n ** 22n);
    }
    expect((await home.devnet('accounts')).stdout).toContain(status.chains[0]!.accounts[0]!.address);
  });

  it('ls, logs and doctor tell what is there', async () => {
    expect(await home.json<{ name: string }[]>('ls')).toMatchObject([{ name: status.name, phase: 'ready' }]);
    expect((await home.devnet('ls')).stdout).toContain(status.name);

    const all = await home.devnet('logs');
    expect(all.code, all.stderr).toBe(0);
    const word = 'peer';
    const matching = await home.devnet('logs', '--grep', word);
    expect(matching.code, matching.stderr).toBe(0);
    const lines = matching.stdout.split('\n').filter((line) => line !== '');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toContain(word);
    const one = (await home.devnet('logs', 'verifier.cl')).stdout.split('\n');
    expect(one.length).toBeGreaterThan(1);
    expect(one.length).toBeLessThan(all.stdout.split('\n').length);
    const unknown = await home.devnet('logs', 'nobody');
    expect(unknown.code).not.toBe(0);
    expect(unknown.stderr).toContain('verifier');
    expect((await home.devnet('logs', '--grep', '(')).code).toBe(2);

    const doctor = await home.devnet('doctor');
    expect(doctor.code, doctor.stdout).toBe(0);
    expect(doctor.stdout).toContain(status.name);
    expect(await home.json<{ level: string }[]>('doctor')).not.toContainEqual(
      expect.objectContaining({ level: 'bad' }),
    );
  });
});
