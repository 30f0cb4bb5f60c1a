import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { program } from '../orchestrator/supervisor/fixture-plan.ts';
import { Home } from './devnet.ts';
import { readHowTo, runCommands, writeFilesOf } from './support/how-to.ts';

it('a client that no template of the package knows runs as the how-to shows, and agrees', async () => {
  const howTo = readHowTo('new-client.md');
  const commands = howTo.commands.map(([command]) => command);
  expect(commands.join(' ')).toBe('clients validate plan up wait status check down');
  await using home = new Home();
  writeFilesOf(home, howTo);
  symlinkSync(program('nova.mjs'), join(home.folder, 'nova'));
  // The binary is asked for its version once the network is ready.
  const printed = await runCommands(home, howTo, { status: 'nova/v0.3.1 (unheard of)' });
  expect(printed.get('plan')).toContain(' serve ');
  expect(printed.get('check')).toMatch(/all nodes agree.*2 /);
});
