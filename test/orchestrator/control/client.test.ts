import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { connectControl } from '../../../src/orchestrator/control/client.ts';
import { temporaryHome } from '../supervisor/fixture-plan.ts';

it('a request to a supervisor that has ended since the connection was opened fails at once', async () => {
  using folder = temporaryHome();
  const path = `${folder.home}/control`;
  const connection = Promise.withResolvers<Socket>();
  const supervisor = createServer((socket) => connection.resolve(socket)).listen(path);
  await once(supervisor, 'listening');
  const control = await connectControl(path);
  const end = control!.events(() => undefined);
  (await connection.promise).destroy();
  supervisor.close();
  await end;
  await expect(control!.ask({ method: 'state' })).rejects.toThrow('the supervisor ended without an answer');
  rmSync(path, { force: true });
});
