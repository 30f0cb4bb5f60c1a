import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FlavourName } from '../../../../../src/nodes/execution/flavours/interface/flavour.ts';
import type { Hex } from '../../../../../src/protocol/types.ts';
import { httpClient } from '../../../../../src/rpc/client/http-client.ts';
import { Driver, type Payload } from '../driver.ts';
import { genesisText } from '../genesis.ts';
import { JWT, temporaryFolder } from '../nodes.ts';
import { listening, type Program, runWith } from '../process.ts';
import { attack, type OnProgress, type Report } from './campaign.ts';
import { Cases } from './cases.ts';
import { overHttp } from './connection.ts';
import { Random } from './random.ts';
import { forkchoiceOf, type Recording, record, schedule } from './recording.ts';
import { judge } from './verdict.ts';

/** Attacks the authenticated port of a real process. `onProgress` is called at each hundredth of the run. */
export async function fuzz(
  seed: number,
  count: number,
  onProgress: OnProgress = () => {},
  flavour: FlavourName = 'go',
): Promise<Report> {
  const recording = await record();
  await using target = await launchTarget(flavour);
  const port = target.ports.engine;
  await importAll(port, recording.payloads);
  const cases = new Cases(new Random(seed), recording);
  const { genesis, payloads } = recording;
  const truth = { payloads, hashes: new Set<Hex>([genesis, ...payloads.map(({ hash }) => hash)]) };
  const valid = validBody(recording);
  const campaign = {
    program: target.program,
    connect: () => overHttp(port),
    next: () => cases.next(),
    judge: (one: ReturnType<Cases['next']>, answer: Parameters<typeof judge>[1]) => judge(one, answer, truth),
    valid: () => ({ body: valid, token: cases.token() }),
    isValid: ({ text }: { text: string }) => text.includes('"VALID"'),
  };
  return await attack(campaign, count, onProgress);
}

interface Target extends AsyncDisposable {
  readonly program: Program;
  readonly ports: Awaited<ReturnType<typeof listening>>;
}

/**
 * The young generation as the orchestrator bounds it, and an old one of about 45 MB, as a target holds.
 * Without a bound the heap grows with garbage. Within it a leak shows and in the end kills the process.
 */
const HEAP = ['--max-semi-space-size=4', '--max-old-space-size=256'];

/** Starts a real process on its own chain. `argv` adds options. */
export async function launchTarget(flavour: FlavourName, ...argv: string[]): Promise<Target> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'genesis.json'), genesisText(schedule));
  writeFileSync(join(folder, 'jwt.hex'), Buffer.from(JWT).toString('hex'), { mode: 0o600 });
  const program = runWith(
    HEAP,
    `--chain=${join(folder, 'genesis.json')}`,
    `--datadir=${join(folder, 'data')}`,
    `--authrpc.jwtsecret=${join(folder, 'jwt.hex')}`,
    '--authrpc.port=0',
    `--flavour=${flavour}`,
    ...argv,
  );
  const end = async () => {
    program.child.kill('SIGKILL');
    await program.exit;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { program, ports: await listening(program), [Symbol.asyncDispose]: end };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Imports the recorded blocks. With `choose`, the last one becomes the head. */
export async function importAll(
  port: number,
  payloads: readonly Payload[],
  options: { readonly makeCanonical?: boolean } = {},
): Promise<void> {
  const engine = httpClient({ url: `http://127.0.0.1:${port}`, jwtSecret: JWT, timeoutMs: 300_000 });
  const driver = new Driver(engine, schedule);
  for (const payload of payloads) await driver.import(payload);
  if (options.makeCanonical === true) await driver.makeCanonical(payloads.at(-1)!.hash, undefined, payloads[0]!.hash);
  engine.close();
}

function validBody(recording: Recording): string {
  const params = [forkchoiceOf(recording), null];
  return JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'engine_forkchoiceUpdatedV3', params });
}
