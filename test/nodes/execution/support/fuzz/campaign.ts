import { readFileSync } from 'node:fs';
import type { Program } from '../process.ts';
import type { Answer, Connection } from './connection.ts';

/** Concurrent requests. */
const PARALLEL = 12;
/** Problems after which the run stops. */
const MAX_PROBLEMS = 20;

/** A request that is wrong in some way, or valid by chance. */
export interface Trial {
  readonly kind: string;
  readonly method: string;
  readonly body: string;
  readonly token: string;
}

export interface Outcome {
  /** Problem of the response. undefined: it is correct. */
  readonly problem?: string;
  /** The request passed the token, JSON and the decoding of its parameters. */
  readonly decoded: boolean;
}

/** Target, requests and expected responses of a campaign. */
export interface Campaign<Request extends Trial> {
  readonly program: Program;
  connect(): Connection;
  next(): Request;
  judge(request: Request, answer: Answer): Promise<Outcome>;
  /** A valid request that follows each trial, and the check of its response. */
  valid(): { readonly body: string; readonly token: string };
  isValid(answer: Answer): boolean;
}

export interface Report {
  readonly cases: number;
  readonly decoded: number;
  readonly kinds: Readonly<Record<string, number>>;
  /** Responses by kind: a code, a status, a result. */
  readonly answers: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
  /** Maximum resident memory in bytes: in the second tenth of the run and in the last. */
  readonly memory: { readonly early: number; readonly late: number };
  readonly seconds: number;
}

/** Called with the number of cases and of problems so far. */
export type OnProgress = (cases: number, problems: number) => void;

/**
 * Sends `count` trials to a real process, each followed by a valid request.
 * `onProgress` is called at each hundredth of the run.
 */
export async function attack<Request extends Trial>(
  campaign: Campaign<Request>,
  count: number,
  onProgress: OnProgress,
): Promise<Report> {
  // The program logs a line for each rejected block. A million of them is not read.
  campaign.program.child.stderr!.removeAllListeners('data').resume();
  const kinds: Record<string, number> = {};
  const answers: Record<string, number> = {};
  const problems: string[] = [];
  const memory = { early: 0, late: 0 };
  const start = performance.now();
  let sent = 0;
  let decoded = 0;
  const worker = async () => {
    const connection = campaign.connect();
    while (sent < count && problems.length < MAX_PROBLEMS) {
      const number = sent++;
      const one = campaign.next();
      kinds[one.kind] = (kinds[one.kind] ?? 0) + 1;
      const answer = await connection.send(one.body, one.token);
      const outcome = await campaign.judge(one, answer);
      if (outcome.decoded) decoded++;
      const key = classOf(answer);
      answers[key] = (answers[key] ?? 0) + 1;
      if (outcome.problem !== undefined) problems.push(described(number, one, answer, outcome.problem));
      const valid = campaign.valid();
      const next = await connection.send(valid.body, valid.token);
      if (!campaign.isValid(next)) problems.push(described(number, one, next, 'the next valid request'));
      if (number % Math.ceil(count / 100) === 0) onProgress(number, problems.length);
      if (number % 50 === 0) measure(campaign.program, memory, number / count);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  const seconds = (performance.now() - start) / 1000;
  return { cases: sent, decoded, kinds, answers, problems, memory, seconds };
}

function measure(program: Program, memory: { early: number; late: number }, share: number): void {
  const pages = Number(readFileSync(`/proc/${program.child.pid}/statm`, 'utf8').split(' ')[1]);
  if (share >= 0.1 && share < 0.2) memory.early = Math.max(memory.early, pages * 4096);
  if (share >= 0.9) memory.late = Math.max(memory.late, pages * 4096);
}

function classOf({ status, text }: Answer): string {
  if (status !== 200) return `HTTP ${status}`;
  return /"code":(-?\d+)/.exec(text)?.[1] ?? /"status":"(\w+)"/.exec(text)?.[1] ?? 'result';
}

function described(
  number: number,
  { kind, method, body, token }: Trial,
  { status, text }: Answer,
  problem: string,
): string {
  const request = `case ${number} (${kind}, ${method}): ${problem}\n  sent ${body.slice(0, 3000)}\n  token ${token}`;
  return `${request}\n  got ${status} ${text.slice(0, 500)}`;
}

/** Formats the report as text. */
export function formatReport({ cases, decoded, kinds, answers, memory, seconds }: Report): string {
  const mib = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;
  return [
    `${cases} cases in ${Math.round(seconds)} s (${Math.round((2 * cases) / seconds)} requests/s)`,
    `${((100 * decoded) / cases).toFixed(1)} % pass the first decoder`,
    `resident memory ${mib(memory.early)} early, ${mib(memory.late)} late`,
    `kinds ${JSON.stringify(kinds)}`,
    `answers ${JSON.stringify(answers)}`,
  ].join('\n');
}
