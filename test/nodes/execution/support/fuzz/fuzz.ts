import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import type { Hex } from '../../../../../src/protocol/types.ts';
import { httpClient } from '../../../../../src/rpc/http-client.ts';
import { Driver } from '../driver.ts';
import { genesisText } from '../genesis.ts';
import { JWT, temporaryFolder } from '../nodes.ts';
import { listening, type Program, run } from '../process.ts';
import { type Case, Cases, type Kind } from './cases.ts';
import { Random } from './random.ts';
import { forkchoiceOf, type Recording, record, schedule } from './recording.ts';
import { type Answer, judge } from './verdict.ts';

/** Requests under way at once. */
const PARALLEL = 12;
/** Problems after which there is no point in going on. */
const ENOUGH = 20;

export interface Report {
  readonly cases: number;
  readonly decoded: number;
  readonly kinds: Readonly<Record<string, number>>;
  /** Answers by what they were: a code, a status, a result. */
  readonly answers: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
  /** Bytes of resident memory: the most in the second tenth of the run, and in the last. */
  readonly memory: { readonly early: number; readonly late: number };
  readonly seconds: number;
}

/** Sends mutated requests to a real process, each followed by a valid one. `told`: called at each hundredth of the way. */
export async function fuzz(seed: number, count: number, told: (cases: number) => void = () => {}): Promise<Report> {
  const recording = await record();
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'genesis.json'), genesisText(schedule));
  writeFileSync(join(folder, 'jwt.hex'), Buffer.from(JWT).toString('hex'), { mode: 0o600 });
  const program = run(
    `--chain=${join(folder, 'genesis.json')}`,
    `--datadir=${join(folder, 'data')}`,
    `--authrpc.jwtsecret=${join(folder, 'jwt.hex')}`,
    '--authrpc.port=0',
    '--flavour=go',
  );
  try {
    return await withProgram(program, recording, seed, count, told);
  } finally {
    program.child.kill('SIGKILL');
    await program.ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function withProgram(
  program: Program,
  recording: Recording,
  seed: number,
  count: number,
  told: (cases: number) => void,
): Promise<Report> {
  const { engine: port } = await listening(program);
  // A line for each refused block, of which nobody reads a million.
  program.child.stderr!.removeAllListeners('data').resume();
  await prepare(port, recording);
  const agent = new Agent({ keepAlive: true, maxSockets: PARALLEL });
  const send = (body: string, token: string) => post(agent, port, body, token);
  const cases = new Cases(new Random(seed), recording);
  const { genesis, payloads } = recording;
  const truth = { payloads, known: new Set<Hex>([genesis, ...payloads.map(({ hash }) => hash)]) };
  const kinds: Partial<Record<Kind, number>> = {};
  const answers: Record<string, number> = {};
  const problems: string[] = [];
  const memory = { early: 0, late: 0 };
  const begun = performance.now();
  let sent = 0;
  let decoded = 0;
  const worker = async () => {
    while (sent < count && problems.length < ENOUGH) {
      const number = sent++;
      const one = cases.next();
      kinds[one.kind] = (kinds[one.kind] ?? 0) + 1;
      const answer = await send(one.body, one.token);
      const outcome = await judge(one, answer, truth);
      if (outcome.decoded) decoded++;
      const key = classOf(answer);
      answers[key] = (answers[key] ?? 0) + 1;
      if (outcome.problem !== undefined) problems.push(described(number, one, answer, outcome.problem));
      const next = await send(validBody(recording), cases.token());
      if (!next.text.includes('"VALID"')) problems.push(described(number, one, next, 'the next valid request'));
      if (number % Math.ceil(count / 100) === 0) told(number);
      if (number % 50 === 0) measure(program, memory, number / count);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  agent.destroy();
  const seconds = (performance.now() - begun) / 1000;
  return { cases: sent, decoded, kinds, answers, problems, memory, seconds };
}

async function prepare(port: number, { payloads }: Recording): Promise<void> {
  const engine = httpClient({ url: `http://127.0.0.1:${port}`, jwtSecret: JWT });
  const driver = new Driver(engine, schedule);
  for (const payload of payloads) await driver.import(payload);
  engine.close();
}

function validBody(recording: Recording): string {
  const params = [forkchoiceOf(recording), null];
  return JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'engine_forkchoiceUpdatedV3', params });
}

function measure(program: Program, memory: { early: number; late: number }, share: number): void {
  const pages = Number(readFileSync(`/proc/${program.child.pid}/statm`, 'utf8').split(' ')[1]);
  if (share >= 0.1 && share < 0.2) memory.early = Math.max(memory.early, pages * 4096);
  if (share >= 0.9) memory.late = Math.max(memory.late, pages * 4096);
}

function post(agent: Agent, port: number, body: string, token: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
    };
    const call = request({ agent, host: '127.0.0.1', port, method: 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end(body);
  });
}

function classOf({ status, text }: Answer): string {
  if (status !== 200) return `HTTP ${status}`;
  return /"code":(-?\d+)/.exec(text)?.[1] ?? /"status":"(\w+)"/.exec(text)?.[1] ?? 'result';
}

function described(
  number: number,
  { kind, method, body, token }: Case,
  { status, text }: Answer,
  problem: string,
): string {
  return `case ${number} (${kind}, ${method}): ${problem}\n  sent ${body.slice(0, 3000)}\n  token ${token}\n  got ${status} ${text.slice(0, 500)}`;
}

/** The report as people read it. */
export function printed({ cases, decoded, kinds, answers, memory, seconds }: Report): string {
  const mib = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;
  return [
    `${cases} cases in ${Math.round(seconds)} s (${Math.round((2 * cases) / seconds)} requests/s)`,
    `${((100 * decoded) / cases).toFixed(1)} % pass the first decoder`,
    `resident memory ${mib(memory.early)} early, ${mib(memory.late)} late`,
    `kinds ${JSON.stringify(kinds)}`,
    `answers ${JSON.stringify(answers)}`,
  ].join('\n');
}
