import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { onInputEnd } from '../../system/program/terminal.ts';
import { Networks } from './networks.ts';
import { type Place, runCommand, tearDown } from './run-command.ts';
import { makeServer } from './server.ts';

/**
 * Serves MCP on standard input and output, until the input ends or `end` is aborted. Then it ends the commands that
 * run, and tears down the devnets that it started. `tell` receives what is not a message of the protocol.
 */
export async function serveMcp(
  place: Place,
  controls: boolean,
  end: AbortSignal,
  tell: (error: Error) => void,
): Promise<void> {
  const networks = new Networks();
  const running = new Set<Promise<unknown>>();
  const over = new AbortController();
  const context = {
    networks,
    run(words: readonly string[], timeoutMs: number, signal: AbortSignal) {
      const outcome = runCommand(words, place, timeoutMs, AbortSignal.any([signal, over.signal]));
      running.add(outcome);
      return outcome.finally(() => running.delete(outcome));
    },
  };
  const isOver = Promise.withResolvers<void>();
  end.addEventListener('abort', () => isOver.resolve(), { once: true });
  const server = serveStdio(() => makeServer(context, controls), { onerror: tell });
  const unfollow = onInputEnd(() => isOver.resolve());
  await isOver.promise;
  over.abort();
  const isDown = networks.names.map((name) => tearDown(name, place));
  await Promise.allSettled(running);
  await Promise.all(isDown);
  unfollow();
  await server.close();
}
