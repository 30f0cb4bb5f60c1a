import { inFolder } from '../../orchestrator/devnet/in-folder.ts';
import { type TellingIo, tellingIo } from '../../orchestrator/devnet/told-commands.ts';
import { loopbackExempt } from '../../system/net/proxy.ts';
import { calledAs } from '../../system/program/called-as.ts';
import { entryPoint } from '../../system/program/entry.ts';

/** The environment and the output of a library call. */
export interface HostOptions {
  /** Folder of all devnets. Default: `$DEVNET_HOME`, else `$XDG_STATE_HOME/devnet`, else `~/.local/state/devnet`. */
  readonly home?: string;
  /** Receives each line of progress and each notice. Default: they are dropped. */
  readonly log?: (line: string) => void;
}

/**
 * Returns the surroundings of the commands' functions: this process, without its output. Commands in its texts run as
 * they are. If a proxy is set, loopback is added to `NO_PROXY` of this process, because `fetch` of viem's clients
 * follows it.
 */
export async function hostIo({ home, log }: HostOptions): Promise<TellingIo> {
  Object.assign(process.env, loopbackExempt(process.env));
  let open = '';
  const cwd = process.cwd();
  const io = await inFolder({
    program: calledAs({ name: 'devnet', script: entryPoint('devnet'), env: process.env, cwd }),
    stdout: () => undefined,
    stderr(text: string) {
      if (log === undefined) return;
      const lines = `${open}${text}`.split('\n');
      open = lines.pop() ?? '';
      for (const line of lines) log(line);
    },
    env: home === undefined ? process.env : { ...process.env, DEVNET_HOME: home },
    cwd,
    isTty: false,
  });
  return tellingIo(io);
}
