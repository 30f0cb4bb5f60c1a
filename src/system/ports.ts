import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { listenTcp } from './listen.ts';
import { hasProc, lacksAddress, PROC } from './platform.ts';
import { processTable, procTable } from './process-table.ts';

/** Who listens on a port, as far as the system tells. */
export interface PortHolder {
  readonly pid: number;
  readonly command: string;
}

/** Whether a port can be listened on now. The answer holds only until somebody takes it. */
export function portIsFree(host: string, port: number, transport: 'tcp' | 'udp' = 'tcp'): Promise<boolean> {
  if (lacksAddress(host)) return Promise.resolve(false);
  return new Promise((resolve) => {
    if (transport === 'udp') {
      const socket = createSocket('udp4');
      socket.once('error', () => resolve(false));
      socket.bind({ port, address: host, exclusive: true }, () => socket.close(() => resolve(true)));
      return;
    }
    const server = createServer();
    server.once('error', () => resolve(false));
    listenTcp(server, { host, port, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Whether somebody accepts connections on a port. */
export function portAnswers(host: string, port: number, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const done = (answers: boolean) => {
      socket.destroy();
      resolve(answers);
    };
    socket.setTimeout(timeoutMs, () => done(false));
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
}

/** The process that listens on a TCP port; undefined where the system does not tell (another user's process). */
export function portHolder(port: number): PortHolder | undefined {
  if (!hasProc()) return holderByLsof(port);
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = new Set(
    [`${PROC}/net/tcp`, `${PROC}/net/tcp6`].flatMap((file) =>
      text(file)
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .filter((fields) => fields[1]?.endsWith(`:${wanted}`) && fields[3] === '0A')
        .map((fields) => `socket:[${fields[9]}]`),
    ),
  );
  if (sockets.size === 0) return undefined;
  for (const name of names(PROC)) {
    if (!/^\d+$/.test(name)) continue;
    for (const fd of names(`${PROC}/${name}/fd`)) {
      if (sockets.has(link(`${PROC}/${name}/fd/${fd}`)))
        return { pid: Number(name), command: procTable.command(Number(name)) ?? 'unknown' };
    }
  }
  return undefined;
}

/** Asks `lsof`, which macOS has. */
function holderByLsof(port: number): PortHolder | undefined {
  const { stdout } = spawnSync('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-t'], { encoding: 'utf8' });
  const pid = Number.parseInt(stdout ?? '', 10);
  return Number.isNaN(pid) ? undefined : { pid, command: processTable().command(pid) ?? 'unknown' };
}

function text(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function names(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
