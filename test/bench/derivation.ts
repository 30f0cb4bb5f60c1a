import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type EngineClient, engineClient } from '../../src/nodes/rollup/engine/client.ts';
import { rollupOf } from '../../src/protocol/derivation/rollup.ts';
import { l2Alloc, l2Genesis, renderAlloc, renderL2Genesis } from '../../src/protocol/genesis/index.ts';
import type { ExecutionPayloadEnvelope, Hex } from '../../src/protocol/types.ts';
import { httpClient } from '../../src/rpc/http-client.ts';
import { JWT } from '../nodes/execution/support/nodes.ts';
import { listening, type Program, run } from '../nodes/execution/support/process.ts';
import { devAccount } from '../nodes/rollup/support/accounts.ts';
import { TestDevnet } from '../nodes/rollup/support/devnet.ts';
import { contracts } from '../protocol/genesis/inputs.ts';
import { idleDevnet } from './idle.ts';

/**
 * How fast a fresh verifier derives a history from L1, beside the time that the execution client alone needs to import the same payloads, one after the
 * other in one run; and what the default devnet costs while nothing happens in it.
 */
const BLOCKS = Number(process.env['BLOCKS'] ?? 10_000);
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
/** Seconds between L1 blocks; L2 has one each second. */
const L1_TIME = 6;
/** Blocks of one channel. */
const CHANNEL = 100;

const dist = resolve(import.meta.dirname, '..', '..', 'dist');
const folder = mkdtempSync(join(tmpdir(), 'derivation-bench-'));
const say = (text: string) => process.stderr.write(`bench-derivation: ${text}\n`);
const seconds = (from: number) => (performance.now() - from) / 1000;

/** A history on L1, and its payloads. */
async function history(devnet: TestDevnet): Promise<readonly ExecutionPayloadEnvelope[]> {
  const genesis = devnet.config.genesis.l2_time;
  const mine = async (time: number) => {
    await devnet.l1.call('evm_setNextBlockTimestamp', [`0x${time.toString(16)}`]);
    await devnet.l1.call('evm_mine', []);
  };
  for (let time = L1_TIME; time <= BLOCKS; time += L1_TIME) await mine(genesis + time);
  const engine = await devnet.engine();
  const sequencer = await devnet.sequencer(engine.node.ports.engine, '--p2p.disable');
  const accounts = Array.from({ length: 8 }, (_, index) => devAccount(index));
  for (let nonce = 0, head = 0; head < BLOCKS; nonce++) {
    for (const account of accounts)
      await engine.rpc.call('eth_sendRawTransaction', [await account.transfer(devnet.config.l2_chain_id, nonce)]);
    head = (await sequencer.status())['unsafe_l2']!.number;
  }
  await sequencer.reached('unsafe_l2', BLOCKS);
  await sequencer.rpc.call('admin_stopSequencer');
  const client = clientOf(devnet, engine.engine);
  const payloads: ExecutionPayloadEnvelope[] = [];
  for (let number = 1; number <= BLOCKS; number++) payloads.push((await client.payloadByNumber(number))!);
  const last = genesis + BLOCKS + L1_TIME;
  for (let from = 1, block = 0; from <= BLOCKS; from += CHANNEL, block++) {
    await devnet.post(engine, from, Math.min(BLOCKS, from + CHANNEL - 1));
    await mine(last + block);
  }
  for (let block = 0; block < 4; block++) await mine(last + Math.ceil(BLOCKS / CHANNEL) + 1 + block);
  await sequencer[Symbol.asyncDispose]();
  return payloads;
}

function clientOf(devnet: TestDevnet, rpc: ReturnType<typeof httpClient>): EngineClient {
  return engineClient({ rpc, rollup: rollupOf(devnet.config), url: 'http://engine', secretFile: '' });
}

/** A fresh execution client as a process. */
async function freshEngine(genesis: string, name: string) {
  const program = run(
    '--flavour=rust',
    `--chain=${genesis}`,
    `--datadir=${join(folder, name)}`,
    '--http',
    '--http.port=0',
    '--authrpc.port=0',
    `--authrpc.jwtsecret=${join(folder, 'jwt.hex')}`,
  );
  return { program, ports: await listening(program) };
}

/** Seconds in which an execution client alone imports the payloads, as a rollup node would hand them over. */
async function imported(
  devnet: TestDevnet,
  genesis: string,
  payloads: readonly ExecutionPayloadEnvelope[],
  round: number,
) {
  const { program, ports } = await freshEngine(genesis, `import-${round}`);
  const rpc = httpClient({ url: `http://127.0.0.1:${ports.engine}`, jwtSecret: JWT, timeoutMs: 30_000 });
  const client = clientOf(devnet, rpc);
  const finalizedBlockHash = devnet.config.genesis.l2.hash;
  const began = performance.now();
  for (const envelope of payloads) {
    const { blockHash } = envelope.executionPayload;
    await client.newPayload(envelope);
    await client.forkchoice({ headBlockHash: blockHash, safeBlockHash: blockHash, finalizedBlockHash });
  }
  const took = seconds(began);
  const cpu = cpuSeconds(program.child.pid!);
  rpc.close();
  await end(program);
  return { took, cpu };
}

/** Seconds in which a fresh verifier, rollup node and execution client, derives the same blocks; and what it used. */
async function derived(devnet: TestDevnet, genesis: string, last: Hex, round: number) {
  const { program, ports } = await freshEngine(genesis, `derive-${round}`);
  const began = performance.now();
  const node = spawn(
    process.execPath,
    [
      join(dist, 'rollup-node.js'),
      `--l1=${devnet.l1Url.replace('http', 'ws')}`,
      '--l1.beacon.ignore',
      `--l2=http://127.0.0.1:${ports.engine}`,
      `--l2.jwt-secret=${join(folder, 'jwt.hex')}`,
      `--rollup.config=${join(devnet.folder, 'rollup.json')}`,
      '--rpc.addr=127.0.0.1',
      `--rpc.port=${RPC_PORT}`,
      '--p2p.disable',
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'inherit', 'inherit'] },
  );
  const rpc = httpClient({ url: `http://127.0.0.1:${RPC_PORT}` });
  for (;;) {
    const status = await rpc.call<{ safe_l2: { number: number; hash: Hex } }>('optimism_syncStatus').catch(() => null);
    if (status && status.safe_l2.number >= BLOCKS) {
      if (status.safe_l2.hash !== last) throw new Error(`derived ${status.safe_l2.hash}, sequenced ${last}`);
      break;
    }
    await new Promise((wait) => setTimeout(wait, 20));
  }
  const took = seconds(began);
  const used = [node.pid!, program.child.pid!].map((pid) => ({ cpu: cpuSeconds(pid), rss: residentBytes(pid) }));
  rpc.close();
  node.kill('SIGTERM');
  await once(node, 'exit');
  await end(program);
  return { took, node: used[0]!, engine: used[1]! };
}

const RPC_PORT = 47_547;

async function end({ child, ended }: Program): Promise<void> {
  child.kill('SIGTERM');
  await ended;
}

function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) * 1024;
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

try {
  await using devnet = await TestDevnet.start({ ageSeconds: BLOCKS + 5, mine: false });
  const genesis = join(folder, 'genesis.json');
  writeFileSync(genesis, renderL2Genesis(devnet.inputs, renderAlloc(l2Alloc(devnet.inputs, contracts))));
  writeFileSync(join(folder, 'jwt.hex'), Buffer.from(JWT).toString('hex'), { mode: 0o600 });
  say(`building ${BLOCKS} blocks of chain ${l2Genesis(devnet.inputs, contracts).hash.slice(0, 10)}`);
  const payloads = await history(devnet);
  const users = payloads.reduce((sum, { executionPayload: { transactions } }) => sum + transactions.length - 1, 0);
  const last = payloads.at(-1)!.executionPayload.blockHash;
  const imports: Awaited<ReturnType<typeof imported>>[] = [];
  const derivations: Awaited<ReturnType<typeof derived>>[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    say(`round ${round + 1} of ${ROUNDS}`);
    imports.push(await imported(devnet, genesis, payloads, round));
    derivations.push(await derived(devnet, genesis, last, round));
  }
  const alone = median(imports.map((one) => one.took));
  const took = median(derivations.map((one) => one.took));
  const mb = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;
  console.log(`history: ${BLOCKS} blocks, ${users} transactions, ${Math.ceil(BLOCKS / CHANNEL)} channels in calldata`);
  console.log(
    `execution client alone: ${alone.toFixed(2)} s, ${(BLOCKS / alone).toFixed(0)} blocks/s, ${median(imports.map((one) => one.cpu)).toFixed(1)} s CPU`,
  );
  console.log(
    `fresh verifier: ${took.toFixed(2)} s, ${(BLOCKS / took).toFixed(0)} blocks/s, ${(took / alone).toFixed(2)} × (goal 1.2)`,
  );
  for (const { node, engine } of derivations.slice(-1))
    console.log(
      `its rollup node: ${node.cpu.toFixed(1)} s CPU, ${mb(node.rss)} resident; its execution client: ${engine.cpu.toFixed(1)} s CPU, ${mb(engine.rss)} resident`,
    );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
await idleDevnet();
