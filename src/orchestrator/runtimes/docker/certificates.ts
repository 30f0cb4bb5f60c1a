import { join } from 'node:path';
import { EXIT, Failure, messageOf } from '../../../system/failure.ts';
import { readText } from '../../../system/files/folder.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What a connection by TLS proves and checks. */
export interface Certificates {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Reads the certificates of a connection from `$DOCKER_CERT_PATH`. @throws Failure `docker` (exit 4) */
export function readCertificates(env: Environment): Certificates {
  const folder = env['DOCKER_CERT_PATH'] || join(env['HOME'] ?? '/', '.docker');
  return { ca: read(join(folder, 'ca.pem')), cert: read(join(folder, 'cert.pem')), key: read(join(folder, 'key.pem')) };
}

function read(path: string): string {
  let reason = 'it does not exist';
  try {
    const text = readText(path);
    if (text !== undefined) return text;
  } catch (error) {
    reason = messageOf(error);
  }
  throw new Failure('docker', `cannot read ${path}, which a connection to Docker by TLS needs: ${reason}`, {
    exit: EXIT.lacking,
    hint: 'name the folder of ca.pem, cert.pem and key.pem: DOCKER_CERT_PATH=…, or unset DOCKER_TLS_VERIFY',
  });
}
