import { once } from 'node:events';
import { connect } from 'node:net';

/** Time (ms) for a proxy to accept a connection. */
const LIMIT_MS = 5000;

/**
 * Returns an environment without the proxies that accept no connection. npm would wait for one for minutes. A proxy
 * that accepts stays: it may be the machine's only way to the registry.
 */
export async function withLiveProxies(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const entries = Object.entries(env).map(async ([name, value = '']) => {
    const isDead = /^(https?|all)_proxy$/i.test(name) && value !== '' && !(await accepts(value));
    return isDead ? [] : [[name, value] as const];
  });
  return Object.fromEntries((await Promise.all(entries)).flat());
}

async function accepts(proxy: string): Promise<boolean> {
  const url = proxy.includes('://') ? proxy : `http://${proxy}`;
  if (!URL.canParse(url)) return false;
  const { hostname, port, protocol } = new URL(url);
  const socket = connect(Number(port || (protocol === 'https:' ? 443 : 80)), hostname.replace(/^\[|\]$/g, ''));
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(LIMIT_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
