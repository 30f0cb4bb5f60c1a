/** Environment variables by which the tests of networks in containers find a daemon, or why there is none. */
export type DaemonEnvironment = Readonly<Record<string, string | undefined>>;

const VARIABLE = 'DEVNET_TEST_DAEMON';

/** Keeps them for the processes of these tests alone: other tests start in the environment of the machine. */
export function keepEnvironment(environment: DaemonEnvironment): void {
  process.env[VARIABLE] = JSON.stringify(environment);
}

Object.assign(process.env, JSON.parse(process.env[VARIABLE] ?? '{}'));
