import { randomInt } from 'node:crypto';
import getPort, { clearLockedPorts, portNumbers } from 'get-port';

/** Below the ports that a system gives to connections and to listeners of port 0, and beside those of `ports: auto`. */
const FIRST = 11_000;
const LAST = 19_999;

/** Parts of the range, one for each worker of the runner. */
const PARTS = 9;
const PORTS = Math.floor((LAST + 1 - FIRST) / PARTS);
const begin = FIRST + PORTS * (Number(process.env['VITEST_POOL_ID'] ?? 0) % PARTS);

const issuedPorts = new Set<number>();

/**
 * Returns a free TCP port of an address, each one once. A port is often taken long after it was asked for, so workers
 * look in parts of their own, and begin anywhere in them: other runs of the suite may look at the same time.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const port = await getPort({
    host,
    port: portNumbers(randomInt(begin, begin + PORTS - 100), begin + PORTS - 1),
    exclude: issuedPorts,
  });
  // get-port's own lock would hold in the program under test, too.
  clearLockedPorts();
  issuedPorts.add(port);
  return port;
}
