import { expect, it } from 'vitest';
import { createLogger, type LogOptions } from '../../../src/system/program/log.ts';

function lines(options: Partial<LogOptions>, write: (log: ReturnType<typeof createLogger>) => void): string[] {
  const output: string[] = [];
  write(
    createLogger({
      level: 'info',
      format: 'text',
      color: false,
      pid: false,
      write: (line) => output.push(line),
      ...options,
    }),
  );
  return output;
}

it('the logger writes one logfmt line per message, with values quoted when they need it', () => {
  const [line] = lines({}, (log) =>
    log.child({ chain: 901 }).info('built block', {
      number: 7,
      note: 'two words',
      fee: 5n,
      error: new Error('outer', { cause: new Error('inner') }),
    }),
  );
  expect(line).toMatch(
    /^t=\S+Z lvl=info msg="built block" chain=901 number=7 note="two words" fee=5 error="outer: inner"\n$/,
  );
});

it('the logger holds back what is below its level, which may change while running', () => {
  expect(
    lines({}, (log) => {
      log.debug('hidden');
      log.level = 'debug';
      log.debug('shown');
    }).join(''),
  ).toMatch(/^(?!.*hidden).*shown/);
});

it('never shows a secret', () => {
  for (const format of ['text', 'json', 'json-pretty', 'terminal', 'logfmt'] as const)
    expect(
      lines({ format }, (log) =>
        log.info('keys', { secret: 'canary', jwt: 'canary', node: { privateKey: 'canary' } }),
      ).join(''),
    ).not.toContain('canary');
});

it('the logger keeps control characters out of a line', () => {
  expect(lines({}, (log) => log.info('x', { value: 'a\n\x1b[31mb' })).join('')).toMatch(/value="a\\n\\u001b\[31mb"\n$/);
});
