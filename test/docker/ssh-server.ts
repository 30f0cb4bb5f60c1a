import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run, sshPrograms, where } from './debian.ts';
import type { Machine } from './swarm.ts';

/** Starts a program with files of its own in `/etc` and `/run`. An sshd needs a user and a folder of that name. */
const OWN_PLACES = `
  mount --bind "$0/passwd" /etc/passwd && mount -t tmpfs tmpfs /run && mkdir /run/sshd && exec "$@"`;

/** Starts a program for which `/root` is another folder. OpenSSH's client does not look at $HOME. */
const OWN_HOME = 'mount --bind "$0" /root && exec "$@"';

/** An sshd on a machine, and a home whose user it lets in. Both end with this process. */
export class SshServer {
  /** Words before those of a program of the user that is let in. */
  readonly enter: readonly string[];
  readonly #folder: string;
  readonly #child: ChildProcess;

  private constructor(folder: string, child: ChildProcess) {
    this.#folder = folder;
    this.#child = child;
    this.enter = ['unshare', '--mount', 'sh', '-c', OWN_HOME, join(folder, 'home')];
  }

  /** @throws Error with the reason if there is no sshd and none can be had */
  static async start(machine: Machine): Promise<SshServer> {
    const folder = mkdtempSync(join(tmpdir(), 'devnet-ssh-'));
    const path = (...names: readonly string[]) => join(folder, ...names);
    await sshPrograms(path('debian'));
    mkdirSync(path('home', '.ssh'), { recursive: true, mode: 0o700 });
    const keyAt = (file: string) => run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file]);
    await keyAt(path('host-key'));
    await keyAt(path('home', '.ssh', 'id_ed25519'));
    copyFileSync(path('home', '.ssh', 'id_ed25519.pub'), path('authorized-keys'));
    writeFileSync(
      path('home', '.ssh', 'known_hosts'),
      `${machine.address} ${readFileSync(path('host-key.pub'), 'utf8')}`,
    );
    copyFileSync('/etc/passwd', path('passwd'));
    if (!/^sshd:/m.test(readFileSync(path('passwd'), 'utf8')))
      appendFileSync(path('passwd'), 'sshd:x:64999:65534::/run/sshd:/usr/sbin/nologin\n');
    const lines = [
      `ListenAddress ${machine.address}:22`,
      `HostKey ${path('host-key')}`,
      `AuthorizedKeysFile ${path('authorized-keys')}`,
      'StrictModes no',
      'PidFile none',
      'UsePAM no',
      'PermitRootLogin prohibit-password',
      'MaxStartups 100',
      `SetEnv DOCKER_HOST=${machine.daemon.host} PATH=${process.env['PATH']}`,
    ];
    writeFileSync(path('config'), `${lines.join('\n')}\n`);
    const words = [...machine.enter, 'unshare', '--mount', 'sh', '-c', OWN_PLACES, folder];
    const sshd = [where('sshd') ?? '', '-D', '-e', '-f', path('config')];
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...words, ...sshd], { stdio: ['ignore', 'ignore', 'pipe'] });
    await new Promise<void>((resolve, reject) => {
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes('Server listening')) resolve();
      });
      child.once('exit', () => reject(new Error(`sshd does not start: ${said}`)));
    });
    return new SshServer(folder, child);
  }

  [Symbol.dispose](): void {
    this.#child.kill('SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
