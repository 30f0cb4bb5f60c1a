import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { type Home, root } from '../devnet.ts';

/** A page that shows how to do something, by its blocks of code. */
export interface HowTo {
  /** Files by their names: YAML blocks whose first line is the name as a comment. */
  readonly files: Readonly<Record<string, string>>;
  /** Commands of `devnet` in their order, each as its arguments. */
  readonly commands: readonly (readonly string[])[];
}

/** Reads a page of docs/how-to. */
export function readHowTo(name: string): HowTo {
  const page = readFileSync(join(root, 'docs', 'how-to', name), 'utf8');
  const blocks = [...page.matchAll(/```(\w+)\n(.*?)```/gs)].map(([, kind, text = '']) => ({ kind, text }));
  const files = blocks.flatMap(({ kind, text }) => {
    const file = /^# (\S+\.yaml)\n/.exec(text)?.[1];
    return kind === 'yaml' && file !== undefined ? [[file, text] as const] : [];
  });
  const commands = blocks
    .filter(({ kind }) => kind === 'sh')
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => line.startsWith('devnet '))
    .map((line) => line.split(' ').slice(1));
  return { files: Object.fromEntries(files), commands };
}

/** Limits and ports for commands on a busy machine. */
const LIMITS: Readonly<Record<string, readonly string[]>> = {
  up: ['--ready-budget', '300s', '--set', 'ports=auto'],
  wait: ['--timeout', '300s'],
};

/**
 * Runs all commands of a page in a home, each of which must succeed. Returns what they printed, by command.
 * `until`: what a command prints once the network is that far.
 */
export async function runCommands(
  home: Home,
  { commands }: HowTo,
  until: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, string>> {
  const printed = new Map<string, string>();
  for (const words of commands) {
    const text = until[words[0] ?? ''];
    if (text !== undefined) await expect.poll(async () => (await home.devnet(...words)).stdout).toContain(text);
    if (words[0] === 'check') await home.agrees(...words.slice(1));
    const { code, stdout, stderr } = await home.devnet(...words, ...(LIMITS[words[0] ?? ''] ?? []));
    expect([words, code, code === 0 ? '' : stderr]).toEqual([words, 0, '']);
    printed.set(words[0] ?? '', stdout + stderr);
  }
  return printed;
}

/** Writes the files of a page into a home's folder. */
export function writeFilesOf(home: Home, { files }: HowTo): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home.folder, name), text);
}
