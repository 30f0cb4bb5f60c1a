import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from '../../../src/protocol/types.ts';
import { Driver, l1Info } from '../../nodes/execution/support/driver.ts';
import { GENESIS_TIME, genesisText } from '../../nodes/execution/support/genesis.ts';
import { launch } from '../../nodes/execution/support/nodes.ts';
import { schedule } from './reading-chain.ts';
import { hex, Sender, workloadAlloc } from './workload.ts';

/** Gas of a block. The first ones warm up. */
const FULL = 30_000_000;
const BLOCKS = 6;
const WARM = 3;
/** Milliseconds of a turn of the event loop that delay a short request noticeably. */
const LONG_TURN_MS = 5;

/** Returns the milliseconds of processor time of this thread. Other load does not count. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Measures turns of the event loop while full blocks are built, imported and chosen.
 * A request waits at most for the longest one.
 */
export async function turns(): Promise<void> {
  const alloc = Object.entries(workloadAlloc()).map(([address, account]) => [address, { balance: '0x0', ...account }]);
  await using node = await launch(genesisText(schedule, Object.fromEntries(alloc)), { flavour: 'go' });
  const driver = new Driver(node.engine, schedule);
  const sender = new Sender();
  let parent = (await node.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash;
  let recipient = 0x1000000;
  let all: number[] = [];
  for (let block = 1; block <= BLOCKS; block++) {
    for (let gas = 0; gas < FULL; gas += 73_000)
      for (const raw of [sender.transfer(recipient++), sender.token(recipient++)])
        await node.rpc.call('eth_sendRawTransaction', [hex(raw)]);
    const watch = watchTurns();
    const until = () => sleep(1000);
    parent = (await driver.build(parent, GENESIS_TIME + 2 * block, [l1Info(block)], { until })).hash;
    const turns = watch.end();
    if (block > WARM) all = all.concat(turns);
  }
  const long = all.filter((turn) => turn > LONG_TURN_MS);
  const each = (long.length / (BLOCKS - WARM)).toFixed(1);
  const sum = long.reduce((total, turn) => total + turn, 0) / (BLOCKS - WARM);
  console.log(`\nturns of the thread while a block of 30 Mgas is built, imported and chosen (processor time)`);
  console.log(
    `  longer than ${LONG_TURN_MS} ms: ${each} per block, ${sum.toFixed(0)} ms together, longest ` +
      `${Math.max(0, ...long).toFixed(0)} ms`,
  );
  console.log(
    `  of a hundred requests that come at any moment one waits for longer than ${waitOf(all, 0.01).toFixed(1)} ms`,
  );
}

/** Returns the delay (ms) that `share` of requests at random moments do not exceed. */
function waitOf(turns: readonly number[], share: number): number {
  const total = turns.reduce((sum, turn) => sum + turn, 0);
  let wait = 0;
  while (turns.reduce((sum, turn) => sum + Math.max(0, turn - wait), 0) > share * total) wait += 0.1;
  return wait;
}

/** Records the duration of each turn of the event loop from now on. */
function watchTurns(): { end(): number[] } {
  const turns: number[] = [];
  let last = cpuMs();
  let isOn = true;
  const tick = () => {
    const now = cpuMs();
    turns.push(now - last);
    last = now;
    if (isOn) setImmediate(tick);
  };
  setImmediate(tick);
  return {
    end() {
      isOn = false;
      return turns;
    },
  };
}
