import { type StartOptions, startDevnet } from './start.ts';

/**
 * Makes a global setup of vitest that starts one network for the whole run. Tests reach it by the scope `run` of
 * `devnetTest`, by `connect()`, or by the variables of `devnet env`, which are set for them.
 */
export function devnetSetup(options: StartOptions = {}): () => Promise<() => Promise<void>> {
  return async () => {
    const net = await startDevnet(options);
    const home = options.home === undefined ? {} : { DEVNET_HOME: options.home };
    Object.assign(process.env, net.env, home);
    return () => net.down();
  };
}
