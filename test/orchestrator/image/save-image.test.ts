import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ImageSource, saveImage } from '../../../src/orchestrator/image/save-image.ts';

const folder = mkdtempSync(join(tmpdir(), 'image-'));
const anvil = join(folder, 'anvil');
writeFileSync(anvil, '#!/bin/anvil', { mode: 0o755 });

/** A package with as few files as one has. */
const root = join(folder, 'package');
for (const name of ['dist', 'templates', 'devnets']) mkdirSync(join(root, name), { recursive: true });
mkdirSync(join(root, 'node_modules', 'secp256k1'), { recursive: true });
writeFileSync(join(root, 'package.json'), '{"name":"p","version":"1.2.3"}');
writeFileSync(join(root, 'node_modules', 'secp256k1', 'package.json'), '{"name":"secp256k1"}');
writeFileSync(join(root, 'dist', 'entry.js'), '// entry');
writeFileSync(join(root, 'dist', 'entry.js.map'), '{}');

const facts = { version: '1.2.3', licence: 'MIT', build: 'abc' };
const source: ImageSource = { root, anvil, base: undefined, tag: 'registry.example/devnet:1', facts };

interface Descriptor {
  readonly digest: string;
  readonly size: number;
}

/** Unpacks an archive by the system's tar, and returns how to read its parts. */
function unpacked(file: string) {
  const to = mkdtempSync(join(folder, 'unpacked-'));
  execFileSync('tar', ['-xf', file, '-C', to]);
  const json = (name: string) => JSON.parse(readFileSync(join(to, name), 'utf8'));
  const blob = ({ digest }: Descriptor) => join('blobs', 'sha256', digest.slice('sha256:'.length));
  const index = json('index.json') as { manifests: (Descriptor & { annotations: Record<string, string> })[] };
  const manifest = json(blob(index.manifests[0]!)) as { config: Descriptor; layers: Descriptor[] };
  return { to, json, blob, index, manifest, config: json(blob(manifest.config)) };
}

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('the archive of an image', () => {
  const file = join(folder, 'image.tar');
  let layer: string;
  beforeAll(async () => {
    layer = await saveImage(file, source);
  });

  it('holds blobs of the digests and sizes that name them, and the diff ids of its layers', () => {
    const { to, index, manifest, config, blob } = unpacked(file);
    for (const each of [...index.manifests, manifest.config, ...manifest.layers]) {
      expect(`sha256:${sha256(join(to, blob(each)))}`).toBe(each.digest);
      expect(readFileSync(join(to, blob(each))).length).toBe(each.size);
    }
    expect(config.rootfs.diff_ids).toEqual(manifest.layers.map(({ digest }) => digest));
    expect(config.rootfs.diff_ids.at(-1)).toBe(layer);
    expect(readdirSync(join(to, 'blobs', 'sha256')).length).toBe(manifest.layers.length + 2);
  });

  it('names the image for containerd, for registries, and for Docker before version 25', () => {
    const { index, manifest, blob, json } = unpacked(file);
    expect(index.manifests[0]?.annotations).toEqual({
      'io.containerd.image.name': 'registry.example/devnet:1',
      'org.opencontainers.image.ref.name': 'registry.example/devnet:1',
    });
    expect(json('manifest.json')).toEqual([
      { Config: blob(manifest.config), RepoTags: ['registry.example/devnet:1'], Layers: manifest.layers.map(blob) },
    ]);
  });

  it('runs as a user without rights, has a health command, and tells version, licence and build', () => {
    const { config } = unpacked(file).config;
    expect(config).toMatchObject({
      User: '65532:65532',
      Entrypoint: ['node'],
      Healthcheck: { Test: ['CMD', 'node', '/opt/rollup-devnet/dist/entry.js', '--healthy'] },
      Labels: {
        'org.opencontainers.image.version': '1.2.3',
        'org.opencontainers.image.licenses': 'MIT',
        'org.opencontainers.image.revision': 'abc',
      },
    });
    expect(config.Env).toContain('ANVIL=/opt/rollup-devnet/bin/anvil');
  });

  it('has the package in its upper layer, and a folder for volumes that the user owns', () => {
    const { to, manifest, blob } = unpacked(file);
    const list = execFileSync('tar', ['-tvf', join(to, blob(manifest.layers.at(-1)!))], { encoding: 'utf8' });
    expect(list).toMatch(/drwxr-xr-x 65532\/65532 .* data\/\n/);
    expect(list).toMatch(/drwxrwxrwt 0\/0 .* tmp\/\n/);
    expect(list).toMatch(/-rwxr-xr-x .* opt\/rollup-devnet\/bin\/anvil\n/);
    expect(list).toContain(' opt/rollup-devnet/dist/entry.js\n');
    expect(list).not.toContain('.map');
  });

  it('has the same bytes when it is written again', async () => {
    const again = join(folder, 'again.tar');
    expect(await saveImage(again, source)).toBe(layer);
    expect(sha256(again)).toBe(sha256(file));
  });

  it('is a base itself, whose layers stay below ours', async () => {
    const above = join(folder, 'above.tar');
    await saveImage(above, { ...source, base: file });
    expect(unpacked(above).config.rootfs.diff_ids).toEqual([...unpacked(file).config.rootfs.diff_ids, layer]);
  });
});

it.each<[string, (path: string) => void, RegExp]>([
  ['is absent', () => {}, /does not exist/],
  [
    'is no archive',
    (path) => writeFileSync(path, 'x'.repeat(2048)),
    /cannot be unpacked as tar|holds no manifest\.json/,
  ],
  [
    'is an archive of something else',
    (path) => execFileSync('tar', ['-cf', path, '-C', root, 'dist']),
    /holds no manifest\.json of `docker save`/,
  ],
])('an image whose base %s is refused, and nothing is left', async (_, write, message) => {
  const here = mkdtempSync(join(folder, 'refused-'));
  const base = join(here, 'base.tar');
  write(base);
  const before = readdirSync(here);
  await expect(saveImage(join(here, 'image.tar'), { ...source, base })).rejects.toThrow(message);
  expect(readdirSync(here)).toEqual(before);
});

it('an image that cannot be written is an error, and nothing is left', async () => {
  const file = join(anvil, 'image.tar');
  await expect(saveImage(file, source)).rejects.toThrow(`cannot write ${file}`);
  expect(existsSync(`${file}.parts`)).toBe(false);
});
