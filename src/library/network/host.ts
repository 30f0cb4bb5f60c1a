import type { Io } from '../../orchestrator/terminal/command.ts';
import { loopbackExempt } from '../../system/net/proxy.ts';

/** Where a library call reads its environment and writes lines for people. */
export interface HostOptions {
  /** Folder of all devnets. Default: `$DEVNET_HOME`, else `$XDG_STATE_HOME/devnet`, else `~/.local/state/devnet`. */
  readonly home?: string;
  /** Receives each line of progress and each notice. Default: they are dropped. */
  readonly log?: (line: string) => void;
}

/**
 * Returns the surroundings of the commands' functions: this process, without its output.
 * Where a proxy is set, loopback is added to `NO_PROXY` of this process, because `fetch` of viem's clients follows it.
 */
export function hostIo({ home, log }: HostOptions): Io {
  Object.assign(process.env, loopbackExempt(process.env));
  let open = '';
  return {
    stdout: () => undefined,
    stderr(text) {
      if (log === undefined) return;
      const lines = `${open}${text}`.split('\n');
      open = lines.pop() ?? '';
      for (const line of lines) log(line);
    },
    env: home === undefined ? process.env : { ...process.env, DEVNET_HOME: home },
    cwd: process.cwd(),
    isTty: false,
  };
}
