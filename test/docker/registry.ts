import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { missingFor } from '../../src/orchestrator/runtimes/docker/containers.ts';
import { planOf } from '../orchestrator/plan/planned.ts';
import { freePort } from '../system/free-port.ts';
import { docker } from './support.ts';

/** The processor of this machine, as images name it. */
export const NATIVE = process.arch === 'arm64' ? 'arm64' : 'amd64';

/** Returns why no registry can be started, undefined if one can. */
export function noRegistry(): string | undefined {
  const { status } = spawnSync('docker-registry', ['--version']);
  return status === 0 ? undefined : 'there is no docker-registry (Debian: docker-registry)';
}

/** A registry of images on loopback. */
export class Registry {
  private readonly pushed: string[] = [];

  private readonly child: ChildProcess;
  private readonly folder: string;
  readonly host: string;

  private constructor(host: string, child: ChildProcess, folder: string) {
    this.host = host;
    this.child = child;
    this.folder = folder;
  }

  /** Starts a registry. Docker takes one on loopback without TLS. */
  static async start(): Promise<Registry> {
    const folder = mkdtempSync(join(tmpdir(), 'devnet-registry-'));
    const host = `127.0.0.1:${await freePort()}`;
    const config = join(folder, 'config.yml');
    const storage = { filesystem: { rootdirectory: join(folder, 'data') } };
    writeFileSync(config, JSON.stringify({ version: 0.1, storage, http: { addr: host } }));
    const registry = new Registry(host, spawn('docker-registry', ['serve', config], { stdio: 'ignore' }), folder);
    await vi.waitFor(async () => expect((await fetch(`http://${host}/v2/`)).status).toBe(200), { timeout: 30_000 });
    return registry;
  }

  /** Puts an image of one file for a processor into the registry, and not into the daemon. Returns its name. */
  push(name: string, architecture: string): string {
    const tag = `${this.host}/${name}:1`;
    const at = (file: string) => join(this.folder, file);
    writeFileSync(at('file'), architecture);
    spawnSync('tar', ['-C', this.folder, '-cf', at('layer.tar'), 'file']);
    const digest = `sha256:${createHash('sha256')
      .update(readFileSync(at('layer.tar')))
      .digest('hex')}`;
    const config = { architecture, os: 'linux', config: {}, rootfs: { type: 'layers', diff_ids: [digest] } };
    const manifest = [{ Config: 'config.json', RepoTags: [tag], Layers: ['layer.tar'] }];
    writeFileSync(at('config.json'), JSON.stringify(config));
    writeFileSync(at('manifest.json'), JSON.stringify(manifest));
    spawnSync('tar', ['-C', this.folder, '-cf', at('image.tar'), 'manifest.json', 'config.json', 'layer.tar']);
    docker('load', '-i', at('image.tar'));
    docker('push', tag);
    docker('rmi', tag);
    this.pushed.push(tag);
    return tag;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exit = once(this.child, 'exit');
    this.child.kill('SIGKILL');
    await exit;
    for (const tag of this.pushed) spawnSync('docker', ['rmi', tag]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Returns how to get an image that one process of a plan runs in. */
export async function preparationOf(image: string) {
  const plan = planOf(
    `chains: { main: { nodes: { s: { role: sequencer }, v: { el: { client: op-geth, image: "${image}" } } } } }`,
  );
  const missing = await missingFor(plan, process.env, { context: () => expect.fail('nothing is built here') });
  return missing.find(({ title }) => title === `pull ${image}`);
}
