import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Link, Plan } from '../../src/orchestrator/plan/plan.ts';
import { costsOf, type GateCost, openSocket } from './gate.ts';
import { ask } from './poll.ts';

const devnet = join(import.meta.dirname, '..', '..', 'dist', 'devnet.js');
const NAME = 'links';

/**
 * Measures calls through links without a fault beside direct calls. They alternate, on one network of `faults: true`.
 */
export async function linkCosts(env: NodeJS.ProcessEnv): Promise<readonly GateCost[]> {
  const run = (...args: string[]) => execFileSync(process.execPath, [devnet, ...args], { env, stdio: 'ignore' });
  run('up', '-d', 'default', '--name', NAME, '--set', 'faults=true', '--set', 'ports=auto');
  try {
    const path = join(String(env['DEVNET_HOME']), NAME, 'plan.json');
    const { links = [] } = JSON.parse(readFileSync(path, 'utf8')) as Plan;
    const http = linkTo(links, 'main/verifier/el', 'main/sequencer/el');
    const ws = linkTo(links, 'main/batcher', 'l1');
    const sockets = await Promise.all([openSocket(urlOf('ws', ws.target)), openSocket(urlOf('ws', ws.listen))]);
    const asking = (place: Link['listen']) => () => ask(urlOf('http', place), 'eth_blockNumber');
    const costs = await costsOf([
      { how: 'HTTP, one call after another', atOnce: 1, direct: asking(http.target), gate: asking(http.listen) },
      { how: 'HTTP, 16 at once', atOnce: 16, direct: asking(http.target), gate: asking(http.listen) },
      { how: 'WebSocket, one call after another', atOnce: 1, direct: sockets[0].call, gate: sockets[1].call },
    ]);
    for (const { close } of sockets) close();
    return costs;
  } finally {
    run('down', NAME);
  }
}

function linkTo(links: readonly Link[], from: string, to: string): Link {
  const link = links.find((each) => each.from === from && each.to === to);
  if (link === undefined) throw new Error(`there is no link from ${from} to ${to}`);
  return link;
}

function urlOf(protocol: string, { host, port }: Link['listen']): string {
  return `${protocol}://${host}:${port}`;
}
