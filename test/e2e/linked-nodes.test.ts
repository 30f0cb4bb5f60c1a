import { expect, it } from 'vitest';
import { Home } from './devnet.ts';

it('links follow nodes that come, and a role that moves', async () => {
  await using home = new Home();
  const spec = home.spec('linked', { name: 'linked', ports: 'auto', faults: true });
  expect((await home.devnet('up', spec, '-d')).code).toBe(0);
  expect((await home.devnet('node', 'add', 'late')).stderr).toContain('main/late joined');
  expect((await home.devnet('fault', 'cut', 'late-sequencer:p2p')).code).toBe(0);
  expect((await home.devnet('fault', 'heal', '--all')).code).toBe(0);
  expect((await home.devnet('sequencer', 'move', 'late')).stderr).toContain('late is the sequencer');
  expect((await home.devnet('fault', 'cut', 'batcher-late')).code).toBe(0);
  expect((await home.devnet('stop')).code).toBe(0);
  expect((await home.devnet('start')).code).toBe(0);
  expect((await home.devnet('node', 'remove', 'sequencer')).code).toBe(0);
  expect((await home.devnet('wait', 'safe:5')).code).toBe(0);
  await home.agrees();
});
