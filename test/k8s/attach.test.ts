import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Home } from '../e2e/devnet.ts';
import { readHowTo, runCommands, writeFilesOf } from '../e2e/support/how-to.ts';
import { importImage, kubectl, Namespace, STORAGE } from './cluster.ts';

const IMAGE = 'rollup-devnet:test-attach';
const UNTIL = { timeout: 240_000, interval: 1000 };
const PODS = 7;

/** A namespace of its own, so that other tests may use that of the page. */
const NAMESPACE = 'devnet-attached';

const home = new Home();
const namespace = new Namespace(NAMESPACE);
const folder = join(home.folder, 'net');

beforeAll(async () => {
  const archive = join(home.folder, 'image.tar');
  const { code, stderr } = await home.process('image', 'save', archive, '--tag', IMAGE);
  expect(code, stderr).toBe(0);
  importImage(archive);
  const storage = STORAGE === undefined ? [] : ['--storage', STORAGE];
  const words = ['--namespace', NAMESPACE, '--image', IMAGE, '--out', folder, ...storage];
  expect(await home.process('export', 'k8s', 'default', ...words)).toMatchObject({ code: 0 });
  kubectl('apply', '--kustomize', folder);
  await vi.waitUntil(() => namespace.isReady(PODS), UNTIL);
}, 600_000);
afterAll(async () => {
  kubectl('delete', '--wait', '--kustomize', folder);
  await home[Symbol.asyncDispose]();
}, 300_000);

/** Commands of the page from the one that attaches on, in the namespace of this test. */
function pageCommands(): readonly (readonly string[])[] {
  const { commands } = readHowTo('kubernetes.md');
  const first = commands.findIndex(([word]) => word === 'attach');
  return commands.slice(first).map((words) => words.map((word) => (word === 'devnet-default' ? NAMESPACE : word)));
}

describe('a network on Kubernetes', () => {
  it('is attached by its namespace as the how-to shows, and runs on', { timeout: 600_000 }, async () => {
    writeFilesOf(home, readHowTo('kubernetes.md'));
    const printed = await runCommands(home, { files: {}, commands: pageCommands() });
    expect(printed.get('check')).toContain('all nodes agree');
    expect(printed.get('load')).toMatch(/5 .*included/);
    expect(printed.get('logs')).toMatch(/main\/verifier\/el .*execution client started/);
    expect(namespace.isReady(PODS)).toBe(true);
  });

  it('is reached again after a pod was replaced', { timeout: 600_000 }, async () => {
    expect(await home.devnet('attach', '--kube', NAMESPACE, '-d')).toMatchObject({ code: 0 });
    kubectl('--namespace', NAMESPACE, 'delete', 'pod', 'main-verifier-el-0', '--force', '--grace-period=0');
    const check = async () => (await home.devnet('check')).stderr;
    await vi.waitUntil(async () => (await check()).includes('all nodes agree'), UNTIL);
    const starts = async () =>
      (await home.devnet('logs', 'verifier.el')).stdout.split('execution client started').length - 1;
    await vi.waitUntil(async () => (await starts()) === 2, UNTIL);
    expect(await home.devnet('down')).toMatchObject({ code: 0 });
  });

  it('is looked for in its own namespace alone', { timeout: 60_000 }, async () => {
    expect(await home.devnet('attach', '--kube', 'devnet-nowhere', '-d')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/the namespace devnet-nowhere of the context \S+ has no devnet/),
    });
  });
});
