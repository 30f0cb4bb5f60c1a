import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { listClients } from '../../../../src/orchestrator/cli/input/clients.ts';
import { root, templateNames } from '../../package.ts';

it('clients lists every template with its runtimes, and why one is not usable', () => {
  const clients = listClients({ PATH: '', ANVIL: '/none/anvil' });
  expect(clients.map(({ name }) => name)).toEqual([...templateNames].sort());
  const byName = new Map(clients.map((client) => [client.name, client]));
  expect(byName.get('rollup-node')).toEqual({
    name: 'rollup-node',
    kind: 'cl',
    runtimes: ['embedded', 'docker'],
    usable: true,
    reason: null,
  });
  expect(byName.get('op-geth')).toMatchObject({
    runtimes: ['process', 'docker'],
    usable: false,
    reason: expect.stringMatching(/binary: …, or image: …/),
  });
  expect(byName.get('anvil')).toMatchObject({ usable: false, reason: 'the program /none/anvil does not exist' });
});

it('clients lint names each fault of a template with its place', () => {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-lint-'));
  const lint = (name: string) =>
    spawnSync(process.execPath, [join(root, 'dist', 'devnet.js'), 'clients', 'lint', name], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, DEVNET_HOME: join(folder, 'home') },
    });
  try {
    const good = readFileSync(join(root, 'templates', 'op-geth.yaml'), 'utf8');
    writeFileSync(join(folder, 'good.yaml'), good);
    writeFileSync(join(folder, 'bad.yaml'), good.replace('kind: el', 'kind: elle').replace('${data}', '${date}'));
    const [fine, wrong, none, ours] = ['good.yaml', 'bad.yaml', 'none.yaml', 'op-geth'].map(lint);
    expect([fine?.status, fine?.stderr]).toEqual([
      0,
      expect.stringMatching(/runs as process, docker; versions: October 2024/),
    ]);
    expect([wrong?.status, wrong?.stderr]).toEqual([2, expect.stringMatching(/bad\.yaml:\d+:\d+: kind: found "elle"/)]);
    expect([none?.status, none?.stderr]).toEqual([2, expect.stringContaining('there is no template none.yaml')]);
    expect([ours?.status, ours?.stderr]).toEqual([0, expect.stringContaining('op-geth is a valid template')]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
