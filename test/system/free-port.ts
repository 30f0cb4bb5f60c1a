import { randomInt } from 'node:crypto';
import getPort, { clearLockedPorts, portNumbers } from 'get-port';

/** Below the ports that a system gives to connections and to listeners of port 0, and beside those of `ports: auto`. */
const FIRST = 11_000;
const LAST = 19_999;

const issuedPorts = new Set<number>();

/**
 * Returns a free TCP port of an address, each one once. It begins anywhere in the range, as other test files look for
 * ports at the same time, and a port is often taken long after it was asked for.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const port = await getPort({ host, port: portNumbers(randomInt(FIRST, LAST - 100), LAST), exclude: issuedPorts });
  // get-port's own lock would hold in the program under test, too.
  clearLockedPorts();
  issuedPorts.add(port);
  return port;
}
