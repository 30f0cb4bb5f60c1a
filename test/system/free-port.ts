import { randomInt } from 'node:crypto';
import getPort, { portNumbers } from 'get-port';

/** Below the ports that a system gives to connections and to listeners of port 0, and beside those of `ports: auto`. */
const FIRST = 11_000;
const LAST = 19_999;

/**
 * Returns a free TCP port of an address. It begins anywhere in the range, as other test files look for ports at the
 * same time, and a port is often taken long after it was asked for.
 */
export function freePort(host = '127.0.0.1'): Promise<number> {
  return getPort({ host, port: portNumbers(randomInt(FIRST, LAST - 100), LAST) });
}
