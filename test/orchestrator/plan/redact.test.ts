import { describe, expect, it } from 'vitest';
import { redactor, redactPlan, secretsOf, withoutKeys } from '../../../src/orchestrator/plan/redact.ts';
import { planOf } from './planned.ts';

const KEY = `0x${'aB3'.repeat(21)}f`;
const OTHER = 'c'.repeat(64);

describe('a redactor', () => {
  it.each([
    ['a key with 0x', `--key=${KEY}`, '--key=0x[redacted]'],
    ['a key without 0x', `--key=${KEY.slice(2)}`, '--key=[redacted]'],
    ['a key in capital letters', KEY.toUpperCase(), '0X[redacted]'],
    ['a key in small letters', KEY.toLowerCase(), '0x[redacted]'],
    ['each of several', `${KEY} ${OTHER} ${KEY}`, '0x[redacted] [redacted] 0x[redacted]'],
    ['a key within a longer text', `x${KEY}y`, 'x0x[redacted]y'],
    ['nothing in other text', `0x${'d'.repeat(64)}`, `0x${'d'.repeat(64)}`],
  ])('hides %s', (_, text, shown) => {
    expect(redactor([KEY, ` ${OTHER}\n`])(text)).toBe(shown);
  });

  it('leaves every text alone when no secret has a character', () => {
    for (const none of [[], [''], ['  \n'], ['0x']]) expect(redactor(none)('a b')).toBe('a b');
  });

  it('reads a secret as text, not as a pattern', () => {
    expect(redactor(['a.c', '(x'])('abc a.c (x')).toBe('abc [redacted] [redacted]');
    expect(redactor(['ab0xcd'])('ab0xcd abcd')).toBe('[redacted] abcd');
  });
});

describe('a redacted plan', () => {
  const plan = planOf('name: demo');
  const secrets = [...secretsOf(plan)].map((secret) => secret.replace(/^0x/, ''));
  const redacted = redactPlan(plan);

  it('has secrets of processes and of files', () => {
    expect(secrets.length).toBeGreaterThan(5);
    for (const { secret, content } of plan.files)
      if (secret && content.kind === 'text') expect(secrets).toContain(content.text.trim().replace(/^0x/, ''));
    for (const { secrets: own } of plan.tasks)
      for (const secret of own) expect(secrets).toContain(secret.trim().replace(/^0x/, ''));
  });

  it('holds none of them, and no private key of an account', () => {
    const text = JSON.stringify(redacted).toLowerCase();
    for (const secret of secrets) expect(text).not.toContain(secret.toLowerCase());
    expect(text).not.toContain('privatekey');
    expect(JSON.stringify(plan)).toContain('privateKey');
  });

  it.each(['command', 'rewind', 'prepare', 'resume'] as const)('hides secrets in the %s of a task', (part) => {
    const command = { argv: ['run', `--key=${KEY}`], env: { KEY } };
    const parts = { command, rewind: command, prepare: [command], resume: { command, before: [] } };
    const [first, ...others] = plan.tasks;
    const task = { ...first!, secrets: [KEY], [part]: parts[part] };
    const [shown] = redactPlan({ ...plan, tasks: [task, ...others] }).tasks;
    expect(JSON.stringify(shown)).not.toContain(KEY.slice(2));
    expect(JSON.stringify(shown![part])).toContain('"argv":["run","--key=0x[redacted]"],"env":{"KEY":"0x[redacted]"}');
  });

  it('says where something was', () => {
    for (const file of redacted.files)
      if (file.secret) expect(file.content).toEqual({ kind: 'text', text: '[redacted]' });
    expect(redacted.tasks.map(({ secrets: own }) => own)).toEqual(
      plan.tasks.map(({ secrets: own }) => own.map(() => '[redacted]')),
    );
  });

  it('keeps all else', () => {
    const bare = (from: typeof plan) => ({
      files: from.files.filter(({ secret }) => !secret),
      paths: from.files.map(({ path, mode }) => [path, mode]),
      tasks: from.tasks.map(({ id, client, ports, reads, ready }) => ({ id, client, ports, reads, ready })),
      l1: from.network.l1,
      chains: from.network.chains.map(({ accounts, ...chain }) => ({
        ...chain,
        accounts: accounts.map(({ address }) => address),
      })),
    });
    expect(bare(redacted)).toEqual(bare(plan));
  });

  it('lists accounts without their keys', () => {
    const [chain] = plan.network.chains;
    expect(chain!.accounts.filter(({ privateKey }) => privateKey !== undefined).length).toBeGreaterThan(0);
    const addresses = withoutKeys(chain!.accounts).map(({ address }) => address);
    expect(addresses).toEqual(chain!.accounts.map(({ address }) => address));
  });
});
