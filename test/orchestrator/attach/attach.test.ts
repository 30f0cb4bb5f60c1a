import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findNetwork } from '../../../src/orchestrator/attach/attach.ts';
import { clientFor } from '../../../src/orchestrator/probe/call.ts';
import { recording } from '../../rpc/client/server.ts';
import { testIo } from '../export/exported.ts';

it('a network that cannot be attached leaves the requests of another network in the same process', async () => {
  const held = Promise.withResolvers<void>();
  await using other = await recording(async (_, response) => {
    await held.promise;
    response.end('{"jsonrpc":"2.0","id":1,"result":"0x384"}');
  });
  const answer = clientFor(other.url).call('eth_chainId');
  await expect.poll(() => other.requests.length).toBe(1);
  const io = testIo();
  const nodes = '      a: { role: sequencer, el: { http: "http://127.0.0.1:1" }, cl: { rpc: "http://127.0.0.1:1" } }\n';
  writeFileSync(
    join(io.cwd, 'team.yaml'),
    `name: team\nl1: { rpc: "http://127.0.0.1:1" }\nchains:\n  main:\n    nodes:\n${nodes}`,
  );
  const { plan } = await findNetwork(io, { file: 'team.yaml' }, undefined);
  await expect(plan(process.pid)).rejects.toMatchObject({ code: 'attach' });
  held.resolve();
  expect(await answer).toBe('0x384');
});
