import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Hex } from '../../../src/protocol/types.ts';
import { httpClient } from '../../../src/rpc/client/http-client.ts';
import { Driver, l1Info } from '../../nodes/execution/support/driver.ts';
import { GENESIS_TIME, genesisText, upTo } from '../../nodes/execution/support/genesis.ts';
import { JWT, temporaryFolder } from '../../nodes/execution/support/nodes.ts';
import { listening, type Program, runWith } from '../../nodes/execution/support/process.ts';
import { median } from './rounds.ts';
import { hex, Sender, workloadAlloc } from './workload.ts';

/** Gas of a block, and the shares of transfers, token transfers and computation in the pool. */
const FULL = 30_000_000;
/** Milliseconds from the attributes to getPayload. */
const BUILD_TIME_MS = 400;

interface Node {
  readonly url: string;
  readonly program: Program;
  readonly driver: Driver;
  readonly rpc: ReturnType<typeof httpClient>;
}

// Later forks limit a block by its data-availability footprint before its gas.
const schedule = upTo('isthmus');

/** Node's limits for young objects, as a devnet sets them. */
const ROOM = ['--min-semi-space-size=2', '--max-semi-space-size=4'];

/** Starts our client on the genesis file and the secret of a folder. */
export async function start(folder: string, name: string): Promise<Node> {
  const program = runWith(
    ROOM,
    `--chain=${join(folder, 'genesis.json')}`,
    `--datadir=${join(folder, name)}`,
    `--authrpc.jwtsecret=${join(folder, 'jwt.hex')}`,
    '--http',
    '--http.port=0',
    '--http.api=eth,debug',
    '--authrpc.port=0',
  );
  const ports = await listening(program);
  const engine = httpClient({ url: `http://127.0.0.1:${ports.engine}`, jwtSecret: JWT, timeoutMs: 60_000 });
  const url = `http://127.0.0.1:${ports.http}`;
  const rpc = httpClient({ url, timeoutMs: 60_000 });
  return { url, program, driver: new Driver(engine, schedule), rpc };
}

/** Returns the milliseconds of processor time of a process. NaN if the system does not tell. */
function processorTime(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return Number.NaN;
  }
}

/**
 * Measures blocks of 30 Mgas of mixed transactions, one each second.
 * One process builds them, and another checks them through the Engine API.
 */
export async function twoNodes(seconds: number): Promise<void> {
  const folder = temporaryFolder();
  const balance = Object.fromEntries(
    Object.entries(workloadAlloc()).map(([address, account]) => [address, { balance: '0x0', ...account }]),
  );
  writeFileSync(join(folder, 'genesis.json'), genesisText(schedule, balance));
  writeFileSync(join(folder, 'jwt.hex'), Buffer.from(JWT).toString('hex'), { mode: 0o600 });
  const nodes = await Promise.all([start(folder, 'sequencer'), start(folder, 'verifier')]);
  const [sequencer, verifier] = nodes as [Node, Node];
  try {
    const sender = new Sender();
    let count = 0;
    let parent = (await sequencer.rpc.call<{ hash: Hex }>('eth_getBlockByNumber', ['0x0', false])).hash;
    const cpuTimes = () => nodes.map(({ program }) => processorTime(program.child.pid!));
    const atFirst = cpuTimes();
    const samples = {
      building: [] as number[],
      checking: [] as number[],
      whole: [] as number[],
      gas: [] as number[],
      late: 0,
    };
    for (let block = 1; block <= seconds; block++) {
      const began = performance.now();
      for (let gas = 0; gas < FULL * 1.07; ) {
        const batch = Array.from({ length: 20 }, () =>
          count++ % 2 === 0 ? sender.transfer(count) : sender.token(count),
        );
        gas += 10 * 21_000 + 10 * 52_000;
        await Promise.all(batch.map((raw) => sequencer.rpc.call('eth_sendRawTransaction', [hex(raw)])));
      }
      const fed = performance.now();
      const time = GENESIS_TIME + block;
      const { payloadId } = await sequencer.driver.makeCanonical(
        parent,
        sequencer.driver.attributes(time, [l1Info(block)]),
      );
      // As a rollup node: getPayload leaves time to check the block within its second.
      await sleep(Math.max(0, BUILD_TIME_MS - (performance.now() - fed)));
      const requestAt = performance.now();
      const payload = await sequencer.driver.payload(payloadId!, time);
      const built = performance.now();
      // As a rollup node: the block goes to the peers while the sequencer's own client imports it.
      const ownImport = sequencer.driver.import(payload);
      const { status } = await verifier.driver.import(payload);
      const checked = performance.now();
      await ownImport;
      if (status !== 'VALID') throw new Error(`the verifier answers ${status}`);
      await Promise.all(nodes.map(({ driver }) => driver.makeCanonical(payload.hash)));
      parent = payload.hash;
      samples.gas.push(Number(payload.envelope.executionPayload['gasUsed']));
      samples.building.push(built - requestAt);
      samples.checking.push(checked - built);
      samples.whole.push(performance.now() - fed);
      if (performance.now() - fed > 1000) samples.late++;
      await sleep(Math.max(0, 1000 - (performance.now() - began)));
    }
    const ms = (values: readonly number[]) =>
      `${median(values).toFixed(0)} ms (worst ${Math.max(...values).toFixed(0)})`;
    console.log(`\ntwo nodes, ${seconds} blocks of ${(median(samples.gas) / 1e6).toFixed(1)} Mgas, one a second`);
    const [builder, checker] = cpuTimes().map((after, at) => (after - atFirst[at]!) / seconds);
    console.log(
      `  processor time per block: ${builder!.toFixed(0)} ms the sequencer, taking in the transactions too; ` +
        `${checker!.toFixed(0)} ms the verifier`,
    );
    console.log(`  getPayload after ${BUILD_TIME_MS} ms of building            ${ms(samples.building)}`);
    console.log(`  newPayload on the verifier                     ${ms(samples.checking)}`);
    console.log(
      `  from the attributes to both heads              ${ms(samples.whole)}, goal below 1000; late ` +
        `${samples.late} of ${seconds}`,
    );
  } finally {
    for (const { program, rpc, driver } of nodes) {
      rpc.close();
      driver.engine.close();
      program.child.kill('SIGTERM');
      await program.exit;
    }
    rmSync(folder, { recursive: true, force: true });
  }
}
