import { RPC_CODE, RpcError } from '../../rpc/error.ts';
import { LOG_LEVELS, type LogLevel } from '../../system/program/log.ts';

/** Names of log levels: our own and those of op-node. */
const LEVEL_NAMES: Readonly<Record<string, LogLevel>> = {
  ...Object.fromEntries(LOG_LEVELS.map((level) => [level, level])),
  crit: 'error',
  eror: 'error',
  dbug: 'debug',
  detail: 'trace',
  trce: 'trace',
};

/** Returns the log level of a name (op-service: `LevelFromString`). @throws RpcError on an unknown name */
export function readLogLevel(name: string): LogLevel {
  const level = LEVEL_NAMES[name.toLowerCase()];
  if (level !== undefined) return level;
  throw new RpcError(RPC_CODE.invalidParams, `expected one of ${LOG_LEVELS.join(', ')}, found ${JSON.stringify(name)}`);
}
