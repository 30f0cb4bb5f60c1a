import { EXIT, Failure } from '../../system/failure.ts';
import type { Place } from '../../system/net/relay.ts';

/** Reads `host:port` words of an option. @throws Failure `usage` (exit 2) with the first that is none */
export function placesOf(option: 'forward' | 'carry', words: readonly string[]): readonly Place[] {
  return words.map((word) => {
    const [, host = '', port] = /^([\w.-]+):(\d{1,5})$/.exec(word) ?? [];
    if (port !== undefined && Number(port) > 0 && Number(port) < 65_536) return { host, port: Number(port) };
    throw new Failure('usage', `--${option}: expected host:port, found ${JSON.stringify(word)}`, { exit: EXIT.usage });
  });
}
