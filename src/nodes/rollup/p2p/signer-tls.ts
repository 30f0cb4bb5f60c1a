import { createPrivateKey, X509Certificate } from 'node:crypto';
import { jsonField } from '../../../rpc/json-object.ts';
import { Failure, messageOf } from '../../../system/failure.ts';
import { readText } from '../../../system/files/folder.ts';

/** Paths of PEM files (op-service: `tls.CLIConfig`, kona: `ClientCert`). */
export interface TlsFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** The trusted authority, and the certificate and key of this node, in PEM. */
export interface TlsIdentity {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  /** Describes the certificate for messages. */
  readonly description: string;
}

/**
 * Reads the files of `--signer.tls.*`.
 * @throws Failure `signer` if one cannot be used, or the key does not match the certificate
 */
export function readTls(files: TlsFiles): TlsIdentity {
  const [ca, cert, key] = [pem(files.ca, 'ca'), pem(files.cert, 'cert'), pem(files.key, 'key')];
  parsed('ca', files.ca, () => new X509Certificate(ca));
  const certificate = parsed('cert', files.cert, () => new X509Certificate(cert));
  const privateKey = parsed('key', files.key, () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey))
    throw new Failure('signer', `--signer.tls.key: ${files.key} is not the key of ${files.cert} (--signer.tls.cert)`);
  const { subject, issuer, validTo } = certificate;
  const name = (text: string) => text.replaceAll('\n', ', ');
  return { ca, cert, key, description: `${files.cert}: ${name(subject)}, of ${name(issuer)}, valid until ${validTo}` };
}

/**
 * Returns the identity in the files, or undefined if it is the given one.
 * op-node watches the two files (op-service: `CertMan`). This program reads them before each use.
 * @throws Failure `signer` as `readTls` does, also if only one of certificate and key was replaced so far
 */
export function renewedTls(files: TlsFiles, identity: TlsIdentity): TlsIdentity | undefined {
  const isSame = (['ca', 'cert', 'key'] as const).every((what) => pem(files[what], what) === identity[what]);
  return isSame ? undefined : readTls(files);
}

/** Describes a TLS failure of a request to the signer; undefined for other failures. */
export function tlsRefusal(error: unknown, identity: TlsIdentity | undefined): string | undefined {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = String(jsonField(cause, 'code') ?? '');
  const message = String(jsonField(cause, 'message') ?? '');
  const trusted = identity ? '--signer.tls.ca' : "this machine's authorities";
  if (/SELF_SIGNED|VERIFY_LEAF|GET_ISSUER/.test(code)) return `its certificate is not of ${trusted}`;
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired';
  if (code === 'CERT_NOT_YET_VALID') return 'its certificate is not valid yet';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `its certificate is of another name: ${message}`;
  if (/alert protocol version/.test(message)) return 'it does not speak TLS 1.3';
  if (!identity)
    return code.endsWith('ALERT_CERTIFICATE_REQUIRED')
      ? 'it wants to see a certificate, and --signer.tls.enabled=false shows none'
      : undefined;
  const alert = /alert ([a-z ]+):/.exec(message)?.[1];
  if (alert !== undefined) return `it does not take our certificate (${alert}); ${identity.description}`;
  // Some servers reset the connection of an untrusted client without an alert.
  return code === 'ECONNRESET'
    ? `it ended the connection without an answer: does it take our certificate? ${identity.description}`
    : undefined;
}

function pem(path: string, what: string): string {
  let text: string | undefined;
  try {
    text = readText(path);
  } catch (cause) {
    throw new Failure('signer', `cannot read --signer.tls.${what} ${path}: ${messageOf(cause)}`, { cause });
  }
  if (text?.includes('-----BEGIN ')) return text;
  throw new Failure(
    'signer',
    `--signer.tls.${what}: ${path} ${text === undefined ? 'does not exist' : 'is not a PEM file'}`,
    {
      hint: '--signer.tls.enabled=false connects without',
      data: { path },
    },
  );
}

function parsed<Value>(what: string, path: string, parse: () => Value): Value {
  try {
    return parse();
  } catch (cause) {
    const kind = what === 'key' ? 'private key' : 'certificate';
    throw new Failure('signer', `--signer.tls.${what}: ${path} holds no ${kind}: ${messageOf(cause)}`, { cause });
  }
}
