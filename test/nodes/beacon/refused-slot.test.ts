import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { startBeacon } from '../../../src/nodes/beacon/service.ts';
import { quantity } from '../../../src/protocol/hex.ts';
import { manualClock, memoryLog, until } from '../batcher/helpers.ts';
import { GENESIS_TIME, startAnvil, temporaryFolder } from './anvil.ts';
import { beaconConfig, SLOT } from './beacon-on-anvil.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Starts a proxy of anvil that refuses so many blocks. */
async function refusing(target: string, blocks: number): Promise<string> {
  let left = blocks;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    if (body.includes('"evm_mine_detailed"') && left-- > 0) {
      const { id } = JSON.parse(body) as { id: number };
      response.end(
        JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32603, message: 'Required data unavailable' } }),
      );
      return;
    }
    const answer = await fetch(target, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    response.end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('a slot whose block L1 refuses is tried again, and the log gives the reason', async () => {
  const anvil = await startAnvil();
  closers.push(() => anvil.kill());
  const clock = manualClock(GENESIS_TIME);
  const { log, lines } = memoryLog();
  const l1 = await refusing(anvil.url, 2);
  const beacon = await startBeacon(beaconConfig({ l1, datadir: temporaryFolder(), maxCatchUp: 3 }), clock, log);
  closers.push(() => beacon.stop());
  clock.moveTo(GENESIS_TIME + 9 * SLOT);
  const newest = () => anvil.rpc.call<{ number: string; timestamp: string }>('eth_getBlockByNumber', ['latest', false]);
  await until('slot 9', async () => Number((await newest()).timestamp) === GENESIS_TIME + 9 * SLOT);
  // Slots 7, 8 and 9.
  expect((await newest()).number).toBe(quantity(3));
  const warnings = lines.filter((line) => /lvl=warn/.test(line));
  expect(warnings.map((line) => /msg="([^"]*)"/.exec(line)?.[1])).toEqual([
    'L1 refused the block of a slot, which is tried again',
    'L1 refused the block of a slot, which is tried again',
    'Slots were missed and stay empty',
  ]);
  expect(warnings[0]).toMatch(/slot=7 .*Required data unavailable/);
  expect(warnings[2]).toMatch(/from=1 slots=6/);
});
