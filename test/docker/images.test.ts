import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { missingFor } from '../../src/orchestrator/run/runtimes/containers.ts';
import { Home } from '../e2e/devnet.ts';
import { planOf } from '../orchestrator/plan/planned.ts';
import { freePort } from '../system/free-port.ts';
import { docker, NO_DOCKER } from './support.ts';

/** Why there is no registry to pull from. */
const NO_REGISTRY =
  NO_DOCKER ??
  (spawnSync('docker-registry', ['--version']).status === 0
    ? undefined
    : 'there is no docker-registry (Debian: docker-registry)');

const folder = mkdtempSync(join(tmpdir(), 'devnet-registry-'));
let registry: { readonly host: string; readonly end: () => Promise<void> };

beforeAll(async () => {
  if (NO_REGISTRY !== undefined) return;
  const host = `127.0.0.1:${await freePort()}`;
  const config = join(folder, 'config.yml');
  writeFileSync(
    config,
    JSON.stringify({
      version: 0.1,
      storage: { filesystem: { rootdirectory: join(folder, 'data') } },
      http: { addr: host },
    }),
  );
  const child = spawn('docker-registry', ['serve', config], { stdio: 'ignore' });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const end = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  registry = { host, end };
  await vi.waitFor(async () => expect((await fetch(`http://${host}/v2/`)).status).toBe(200), { timeout: 30_000 });
  for (const [name, architecture] of [
    ['small', process.arch === 'arm64' ? 'arm64' : 'amd64'],
    ['other', 's390x'],
  ] as const) {
    loadImage(`${host}/${name}:1`, architecture);
    docker('push', `${host}/${name}:1`);
    docker('rmi', `${host}/${name}:1`);
  }
});

afterAll(async () => {
  await registry?.end();
  for (const name of ['small', 'other'])
    if (registry !== undefined) spawnSync('docker', ['rmi', `${registry.host}/${name}:1`]);
  rmSync(folder, { recursive: true, force: true });
});

/** Loads an image of one file for a processor. */
function loadImage(tag: string, architecture: string): void {
  const at = (name: string) => join(folder, name);
  writeFileSync(at('file'), architecture);
  spawnSync('tar', ['-C', folder, '-cf', at('layer.tar'), 'file']);
  const layer = spawnSync('cat', [at('layer.tar')]).stdout;
  const digest = `sha256:${createHash('sha256').update(layer).digest('hex')}`;
  const config = { architecture, os: 'linux', config: {}, rootfs: { type: 'layers', diff_ids: [digest] } };
  writeFileSync(at('config.json'), JSON.stringify(config));
  writeFileSync(
    at('manifest.json'),
    JSON.stringify([{ Config: 'config.json', RepoTags: [tag], Layers: ['layer.tar'] }]),
  );
  spawnSync('tar', ['-C', folder, '-cf', at('image.tar'), 'manifest.json', 'config.json', 'layer.tar']);
  docker('load', '-i', at('image.tar'));
}

/** Returns how to get an image that one process of a plan runs in. */
async function preparationOf(image: string) {
  const plan = planOf(
    `chains: { main: { nodes: { s: { role: sequencer }, v: { el: { client: op-geth, image: "${image}" } } } } }`,
  );
  const missing = await missingFor(plan, process.env, { context: () => expect.fail('nothing is built here') });
  return missing.find(({ title }) => title === `pull ${image}`);
}

describe.skipIf(NO_REGISTRY !== undefined)(`images of a registry${NO_REGISTRY ? ` (${NO_REGISTRY})` : ''}`, () => {
  it('a missing image is pulled with progress, once', async () => {
    const image = `${registry.host}/small:1`;
    const said: string[] = [];
    await (await preparationOf(image))?.run((text) => said.push(text));
    expect(said).toEqual(
      expect.arrayContaining([expect.stringMatching(/Pull complete/), expect.stringMatching(/Downloaded newer image/)]),
    );
    expect(docker('image', 'inspect', image, '--format', '{{.RepoTags}}')).toBe(`[${image}]`);
    expect(await preparationOf(image)).toBeUndefined();
  });

  it('an image for another processor is refused, after its pull and when it is there', async () => {
    const image = `${registry.host}/other:1`;
    const refused = { exit: 4, message: expect.stringMatching(/is for linux\/s390x, and Docker runs on/) };
    await expect((await preparationOf(image))?.run(() => undefined)).rejects.toMatchObject(refused);
    await expect(preparationOf(image)).rejects.toMatchObject(refused);
  });

  it('what cannot be pulled is named in one line, with what to do', async () => {
    await using home = new Home();
    const matching = (pattern: RegExp) => expect.stringMatching(pattern);
    const at = async (image: string) => {
      const v = { el: { client: 'op-geth', image }, cl: { client: 'op-node', image } };
      const spec = home.spec('real', { chains: { main: { nodes: { s: { role: 'sequencer' }, v } } } });
      const { code, stderr } = await home.devnet('up', spec);
      return [code, stderr.split('\n').filter((line) => line !== '')];
    };
    expect(await at(`${registry.host}/none:1`)).toEqual([
      4,
      [/cannot pull .*none:1: .*(not found|unknown)/, /correct its name/, /error code/].map(matching),
    ]);
    const dead = `127.0.0.1:${await freePort()}/none:1`;
    expect(await at(dead)).toEqual([4, [/cannot pull .*refused/, /docker load/, /error code/].map(matching)]);
  });
});
