import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import getPort, { clearLockedPorts, portNumbers } from 'get-port';
import { processTable, procTable } from '../process/table.ts';
import { hasProc, lacksAddress, PROC } from '../program/platform.ts';

/** The process that listens on a port. */
export interface PortHolder {
  readonly pid: number;
  readonly command: string;
}

/** Returns whether a port can be listened on. Another process may take it a moment later. */
export async function portIsFree(host: string, port: number, transport: 'tcp' | 'udp' = 'tcp'): Promise<boolean> {
  if (lacksAddress(host)) return false;
  if (transport === 'udp') return udpIsFree(host, port);
  try {
    const freePort = await getPort({ host, port });
    return port === 0 || freePort === port;
  } catch {
    // This machine has no such address.
    return false;
  } finally {
    // Ports are reserved by files, between processes. get-port's own lock would refuse a second question.
    clearLockedPorts();
  }
}

/** Returns the first free port from `from` to `to` that is not excluded. @throws Error if there is none */
export async function freePort(
  host: string,
  [from, to]: readonly [from: number, to: number],
  exclude: ReadonlySet<number>,
): Promise<number> {
  try {
    return await getPort({ host, port: portNumbers(from, to), exclude });
  } finally {
    clearLockedPorts();
  }
}

function udpIsFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: host, exclusive: true }, () => socket.close(() => resolve(true)));
  });
}

/** Returns whether a process accepts connections on a port. */
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

/** Returns the process that listens on a TCP port. Undefined if the system hides it (another user's process). */
export function portHolder(port: number): PortHolder | undefined {
  if (!hasProc()) return holderByLsof(port);
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = new Set(
    [`${PROC}/net/tcp`, `${PROC}/net/tcp6`].flatMap((file) =>
      text(file)
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .filter((fields) => fields[1]?.endsWith(`:${hexPort}`) && fields[3] === '0A')
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

/** Finds the listening process by `lsof` (macOS). */
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
