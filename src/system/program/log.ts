import { writeSync } from 'node:fs';
import { pino } from 'pino';
import { terminalText } from './terminal-text.ts';

/** Levels as the rollup node's options name them, most severe first. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export const LOG_FORMATS = ['text', 'terminal', 'logfmt', 'json', 'json-pretty'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

export type LogFields = Readonly<Record<string, unknown>>;

/** Messages are short sentences without values; values are fields. */
export interface Logger {
  error(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  debug(message: string, fields?: LogFields): void;
  trace(message: string, fields?: LogFields): void;
  child(fields: LogFields): Logger;
  level: LogLevel;
}

export interface LogOptions {
  readonly level: LogLevel;
  readonly format: LogFormat;
  readonly color: boolean;
  readonly pid: boolean;
  /** Receives each line with its newline; default: standard error, written at once so that a crash loses none. */
  readonly write?: (line: string) => void;
}

/** A logger over pino, which filters, serialises errors and redacts; the line's form is ours. */
export function createLogger(options: LogOptions): Logger {
  const write = options.write ?? ((line: string) => void writeWhole(2, line));
  const destination = {
    write(json: string) {
      if (options.format === 'json') return write(json);
      const record = JSON.parse(json) as Record<string, unknown>;
      write(options.format === 'json-pretty' ? JSON.stringify(record, null, 2) + '\n' : formatLine(record, options));
    },
  };
  const base = pino(
    {
      level: options.level,
      base: options.pid ? { pid: process.pid } : null,
      messageKey: 'msg',
      timestamp: () => `,"t":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ lvl: label }) },
      redact: { paths: ['jwt', 'secret', 'privateKey', '*.jwt', '*.secret', '*.privateKey'], censor: '[redacted]' },
    },
    destination,
  );
  return wrap(base);
}

type Pino = import('pino').Logger;

function wrap(base: Pino): Logger {
  return {
    error: (message, fields) => base.error(plain(fields), message),
    warn: (message, fields) => base.warn(plain(fields), message),
    info: (message, fields) => base.info(plain(fields), message),
    debug: (message, fields) => base.debug(plain(fields), message),
    trace: (message, fields) => base.trace(plain(fields), message),
    child: (fields) => wrap(base.child(plain(fields))),
    get level() {
      return LOG_LEVELS.find((level) => level === base.level) ?? 'silent';
    },
    set level(level) {
      base.level = level;
    },
  };
}

/** Converts a field to what a line can hold: errors to their message, bigints to decimal text. */
function plain(fields: LogFields = {}): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields))
    result[key] = value instanceof Error ? describe(value) : typeof value === 'bigint' ? value.toString() : value;
  return result;
}

function describe(error: Error): string {
  return error.cause instanceof Error ? `${error.message}: ${describe(error.cause)}` : error.message;
}

const COLORS: Record<string, string> = {
  error: '\x1b[31m',
  warn: '\x1b[33m',
  info: '\x1b[32m',
  debug: '\x1b[36m',
  trace: '\x1b[90m',
};

function formatLine(record: Record<string, unknown>, options: LogOptions): string {
  const { t, lvl, msg, ...fields } = record;
  const level = String(lvl);
  const rest = Object.entries(fields)
    .map(([key, value]) => `${key}=${fieldValue(value)}`)
    .join(' ');
  if (options.format === 'terminal') {
    const tag = level.toUpperCase().padEnd(5);
    const label = options.color ? `${COLORS[level]}${tag}\x1b[0m` : tag;
    return `${label} [${String(t).slice(11, 23)}] ${terminalText(`${String(msg).padEnd(40)} ${rest}`)}\n`;
  }
  return terminalText(`t=${t} lvl=${level} msg=${fieldValue(msg)}${rest ? ' ' + rest : ''}\n`);
}

function fieldValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[^\s"=\\\p{Cc}]+$/u.test(text) ? text : JSON.stringify(text);
}

function writeWhole(fd: number, line: string): void {
  try {
    writeSync(fd, line);
  } catch {
    // A full disk or a closed terminal must not end the process: the line is lost, the node goes on.
  }
}
