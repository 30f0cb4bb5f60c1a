const VARIABLE = 'NODE_USE_ENV_PROXY';
const STORE_VARIABLE = 'DEVNET_TEST_ENV_PROXY';

/**
 * Takes Node's switch for proxies of the environment from the processes of the runner. Their `fetch` would ask a proxy
 * for addresses as 127.0.0.2, because its `NO_PROXY` knows no ranges. Node reads the switch when a process starts.
 */
export function keepRunnerDirect(): void {
  const value = process.env[VARIABLE];
  if (value === undefined) return;
  process.env[STORE_VARIABLE] = value;
  delete process.env[VARIABLE];
}

// In a worker of the runner: the programs that its tests start have the switch again.
if (process.env[STORE_VARIABLE] !== undefined) process.env[VARIABLE] = process.env[STORE_VARIABLE];
