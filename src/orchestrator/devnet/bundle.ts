import { join } from 'node:path';
import { create } from 'tar';
import { EXIT, Failure } from '../../system/failure.ts';
import { exists, move, readText, remove, writePrivate } from '../../system/files/folder.ts';
import { printable, readFrom, sizeOf } from '../../system/files/lines.ts';
import { olderPart } from '../../system/files/rotate.ts';
import { checkNetwork } from '../divergence/check/check.ts';
import type { Plan } from '../plan/plan.ts';
import { redactor, redactPlan, secretsOf } from '../plan/redact.ts';
import { readHeads } from '../status/heads.ts';
import { freshState } from './fresh-state.ts';
import { type Devnet, isUp, viewOf } from './select.ts';

/** Raised with every change of the format that an older version would misread. */
const BUNDLE_FORMAT = 1;

/** Bytes at the end of each log that are packed. */
const LOG_BYTES = 2 * 1024 * 1024;

/** Names of the files that a run of a scenario leaves in the devnet's folder. */
export const RUN_FILES = { scenario: 'scenario.yaml', result: 'result.json' } as const;

/**
 * Packs what explains a devnet into a tar.gz: spec, plan, versions, logs, heads, problems and divergences. Running,
 * stopped or failed; without secrets. Returns the names of the packed files.
 * @throws Failure `write` (exit 4) if the file cannot be written
 */
export async function writeBundle(devnet: Devnet, path: string, version: string): Promise<readonly string[]> {
  const { plan } = viewOf(devnet);
  const state = await freshState(devnet);
  const hide = hiderOf(plan);
  const json = (value: unknown) => hide(`${JSON.stringify(value, null, 2)}\n`);
  const running = isUp(devnet) ? await observed(plan) : {};
  const { folder } = devnet.paths;
  const files: Record<string, string | undefined> = {
    'manifest.json': json({
      format: BUNDLE_FORMAT,
      devnet: plan.devnet,
      genesisTime: plan.genesisTime,
      phase: state.phase,
    }),
    'spec.yaml': redactedText(devnet.paths.spec, hide),
    'plan.json': json(redactPlan(plan)),
    'state.json': json(state),
    'versions.json': json({
      devnet: version,
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
      processes: plan.tasks.map(({ id, client }) => ({ id, client, version: state.tasks[id]?.version ?? null })),
    }),
    'heads.json': running.heads === undefined ? undefined : json(running.heads),
    'check.json': running.check === undefined ? undefined : json(running.check),
    [join('logs', 'after.log')]: exists(devnet.paths.after) ? logText(devnet.paths.after, hide) : undefined,
    [RUN_FILES.scenario]: redactedText(join(folder, RUN_FILES.scenario), hide),
    [RUN_FILES.result]: redactedText(join(folder, RUN_FILES.result), hide),
  };
  for (const { id, log } of plan.tasks) files[join('logs', `${id.replaceAll('/', '-')}.log`)] = logText(log, hide);
  const names = Object.keys(files).filter((name) => files[name] !== undefined);
  const parts = `${path}.${process.pid}.parts`;
  const unfinished = `${parts}.tgz`;
  try {
    for (const name of names) writePrivate(join(parts, plan.devnet, name), files[name] ?? '', 0o600);
    await create({ gzip: true, file: unfinished, cwd: parts, portable: true }, [plan.devnet]);
    // An earlier bundle stays until this one is whole.
    move(unfinished, path);
  } catch (cause) {
    throw new Failure('write', `cannot write ${path}`, { exit: EXIT.lacking, cause });
  } finally {
    remove(parts);
    remove(unfinished);
  }
  return names;
}

async function observed(plan: Plan): Promise<{ readonly heads?: object; readonly check?: object }> {
  const [heads, { agreed: _, ...check }] = await Promise.all([readHeads(plan), checkNetwork(plan, {})]);
  return { heads: Object.fromEntries(heads), check };
}

/** Redacts secrets of processes and files, private keys of accounts, and a mnemonic of the user's. */
function hiderOf(plan: Plan): (text: string) => string {
  const keys = plan.network.chains.flatMap(({ accounts }) => accounts.flatMap(({ privateKey }) => privateKey ?? []));
  const hide = redactor([...secretsOf(plan), ...keys]);
  return (text) => hide(text).replace(/(mnemonic["']?\s*:\s*)("[^"]*"|'[^']*'|[^\s,}\]][^\n,}\]]*)/g, '$1null');
}

function redactedText(path: string, hide: (text: string) => string): string | undefined {
  const text = readText(path);
  return text === undefined ? undefined : hide(text);
}

/** Returns the end of a log with its older part, without control characters. */
function logText(log: string, hide: (text: string) => string): string | undefined {
  const parts = [olderPart(log), log].filter((path) => sizeOf(path) > 0);
  if (parts.length === 0) return undefined;
  const text = parts.map((path) => readFrom(path, 0, LOG_BYTES)).join('');
  const end = text.slice(-LOG_BYTES);
  return hide(end.split('\n').map(printable).join('\n'));
}
