import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type Docker from 'dockerode';
import { http } from '../../../rpc/http.ts';
import { readText } from '../../../system/files/folder.ts';
import { towards } from '../../../system/net/relay.ts';
import { connectTls } from '../../../system/net/tls.ts';
import { streamOfProgram } from '../../../system/process/stream.ts';
import type { DockerAddress } from './address.ts';

/** Port of a daemon whose address has none. */
const PORTS = { plain: 2375, tls: 2376 };

/** Returns a client of a daemon. Asks it nothing yet. */
export async function dockerClient(address: DockerAddress): Promise<Docker> {
  const { default: Client } = await import('dockerode');
  if (address.host.startsWith('unix:'))
    return new Client({ protocol: 'http', host: '', socketPath: address.host.slice('unix://'.length) });
  const agent = new (http().Agent)();
  agent.createConnection = () => connect(address);
  // Requests have a path alone. Without `host` the client would take that of $DOCKER_HOST.
  const options = { protocol: 'http', host: '', socketPath: address.host, agent } as const;
  return new Client(options);
}

/** Opens a connection to the daemon of another machine. */
function connect({ host, certificates, skipTlsVerify, agent }: DockerAddress): Duplex {
  const skipsVerify = skipTlsVerify === true;
  const url = new URL(host);
  if (url.protocol === 'ssh:')
    return streamOfProgram(sshCommand(url), agent === undefined ? {} : { SSH_AUTH_SOCK: agent });
  const place = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port) };
  if (certificates === undefined && !skipsVerify) return towards({ ...place, port: place.port || PORTS.plain });
  const read = (name: string) => (certificates === undefined ? undefined : readText(join(certificates, `${name}.pem`)));
  return connectTls(
    { ...place, port: place.port || PORTS.tls },
    { ca: read('ca'), cert: read('cert'), key: read('key'), skipsVerify },
  );
}

/** The command that Docker's own client runs, so that a user's ssh configuration, keys and known hosts count. */
export function sshCommand({ username, hostname, port, pathname }: URL): readonly string[] {
  const socket = pathname.length > 1 ? ['--host', `unix://${pathname}`] : [];
  return [
    ...['ssh', '-T', '-o', 'BatchMode=yes', '-o', 'ConnectTimeout=30'],
    ...(username === '' ? [] : ['-l', decodeURIComponent(username)]),
    ...(port === '' ? [] : ['-p', port]),
    ...['--', hostname, 'docker', ...socket, 'system', 'dial-stdio'],
  ];
}
