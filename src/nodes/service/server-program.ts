import { readyRoute } from '../../rpc/server/ready-route.ts';
import type { RunningServer, ServerOptions } from '../../rpc/server/server.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { COMMON_OPTIONS, VERSION } from '../../system/program/common-options.ts';
import { type OptionSpec, type OptionValues, option, parseOptions } from '../../system/program/options.ts';
import { type Running, report, runUntilSignal } from '../../system/program/program.ts';
import { HOST_ORIGIN_OPTIONS, hostOriginPolicy } from './host-origin.ts';
import { listen } from './listen.ts';

/** Options of a program that is a server and little else, without its port. */
export const SERVER_OPTIONS = {
  ...COMMON_OPTIONS,
  rpcHost: {
    name: 'rpc.addr',
    env: 'RPC_ADDR',
    help: 'Address of its RPC',
    type: option.string,
    default: '127.0.0.1',
  },
  ...HOST_ORIGIN_OPTIONS,
} as const;

/** Returns the option of a server's port. */
export function rpcPort<const Port extends number>(port: Port) {
  return { name: 'rpc.port', env: 'RPC_PORT', help: 'Port of its RPC, 0 takes any', type: option.port, default: port };
}

/** A program that serves until a signal. */
export interface ServerProgram<Table> {
  readonly name: string;
  readonly summary: string;
  readonly envPrefixes: readonly string[];
  readonly options: Table;
  /** @throws Failure */
  start(values: OptionValues<Table>): Promise<Running>;
}

/** Runs a server, which takes no operands, until a signal; returns the exit code. */
export async function runServer<const Table extends Record<string, OptionSpec>>(
  { name, summary, envPrefixes, options, start }: ServerProgram<Table>,
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  try {
    const { values, operands } = parseOptions({ name, version: VERSION, summary, envPrefixes }, options, argv, env);
    const [operand] = operands;
    if (operand !== undefined) throw usage(name, operand);
    return await runUntilSignal(name, () => start(values));
  } catch (error) {
    return report(name, error);
  }
}

/** Returns the value of an option without which a server cannot start. @throws Failure `usage` */
export function mustHave<Value>(name: string, flag: string, value: Value | undefined): Value {
  if (value === undefined) throw usage(name, `${flag} is missing`);
  return value;
}

function usage(name: string, problem: string): Failure {
  return new Failure('usage', `${name}: ${problem}`, { exit: EXIT.usage, hint: `${name} --help lists the options` });
}

/** Listens at the address of the options. It answers `GET /readyz` too. @throws Failure `listen` on a taken port */
export function listenAt<Context>(
  values: OptionValues<typeof SERVER_OPTIONS> & { readonly rpcPort: number },
  { route, ...api }: Pick<ServerOptions<Context>, 'methods' | 'context' | 'route'>,
): Promise<RunningServer> {
  const ready = readyRoute();
  return listen('rpc.port', {
    ...{ host: values.rpcHost, port: values.rpcPort, http: true },
    ...hostOriginPolicy(values),
    ...api,
    route: (request, response) => ready(request, response) || route?.(request, response) === true,
  });
}
