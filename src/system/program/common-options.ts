import { type Channel, standaloneChannel } from '../channel/channel.ts';
import { supervisedChannel } from '../channel/supervised-channel.ts';
import { createLogger, LOG_FORMATS, LOG_LEVELS, type Logger } from './log.ts';
import { type OptionValues, option } from './options.ts';

/** Written in at build. */
declare const __VERSION__: string | undefined;

/** Version of this package; `source` if it runs unbuilt. */
export const VERSION: string = typeof __VERSION__ === 'string' ? __VERSION__ : 'source';

/** Options that every program has. */
export const COMMON_OPTIONS = {
  logLevel: {
    name: 'log.level',
    env: 'LOG_LEVEL',
    help: 'Least severe level that is logged',
    type: option.choice(...LOG_LEVELS),
    default: 'info',
  },
  logFormat: {
    name: 'log.format',
    env: 'LOG_FORMAT',
    help: 'Form of the log lines',
    type: option.choice(...LOG_FORMATS),
    default: 'text',
  },
  logColor: {
    name: 'log.color',
    env: 'LOG_COLOR',
    help: 'Colour the terminal format',
    type: option.boolean,
    default: false,
  },
  logPid: {
    name: 'log.pid',
    env: 'LOG_PID',
    help: 'Add the process id to every line',
    type: option.boolean,
    default: false,
  },
  clock: {
    name: 'clock',
    env: 'CLOCK',
    help: 'File of the network clock, {"at": ms, "wall": ms, "rate": n, "socket": path}; absent: the wall clock',
    type: option.string,
  },
  clockTask: {
    name: 'clock.task',
    env: 'CLOCK_TASK',
    help: 'Name of this process in reports to the owner of the network clock',
    type: option.string,
    default: 'unnamed',
  },
} as const;

export type CommonValues = OptionValues<typeof COMMON_OPTIONS>;

/** The logger that a program's options ask for. */
export function loggerOf(values: Omit<CommonValues, 'clock' | 'clockTask'>): Logger {
  return createLogger({
    level: values.logLevel,
    format: values.logFormat,
    color: values.logColor,
    pid: values.logPid,
  });
}

/** Opens the channel that a program's options ask for. */
export function channelOf(values: CommonValues): Channel {
  return values.clock === undefined ? standaloneChannel() : supervisedChannel(values.clock, values.clockTask);
}
