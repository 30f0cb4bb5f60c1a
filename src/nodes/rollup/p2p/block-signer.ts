import { readPrivateKey } from '../../../system/crypto/key-file.ts';
import type { Logger } from '../../../system/program/log.ts';
import type { BlockSigner } from '../../gossip/message/signature.ts';
import type { RollupNodeOptions } from '../options/index.ts';
import { keyOf } from './key.ts';

/**
 * Opens the signer of sequenced blocks: a key, a remote signer, or none (op-node: `LoadSignerSetup`, `initP2PSigner`).
 * Its code is loaded here.
 */
export async function openBlockSigner(options: RollupNodeOptions, log: Logger): Promise<BlockSigner | undefined> {
  const { keySigner } = await import('../../gossip/message/signature.ts');
  if (options.p2pSequencerKey !== undefined) return keySigner(keyOf(options.p2pSequencerKey));
  if (options.p2pSequencerKeyPath !== undefined) return keySigner(readPrivateKey(options.p2pSequencerKeyPath));
  if (options.signerEndpoint !== undefined && options.signerAddress !== undefined)
    return openRemoteSigner(options, options.signerEndpoint, options.signerAddress, log);
  if (options.sequencerEnabled)
    log.warn('no --p2p.sequencer.key.path and no --signer.endpoint: sequenced blocks are not gossiped');
  return undefined;
}

async function openRemoteSigner(
  options: RollupNodeOptions,
  endpoint: string,
  address: string,
  log: Logger,
): Promise<BlockSigner> {
  const { remoteSigner } = await import('./remote-signer.ts');
  return remoteSigner({
    log,
    endpoint,
    address,
    headers: Object.fromEntries(
      options.signerHeader.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
    ),
    tls: options.signerTls ? { ca: options.signerCa, cert: options.signerCert, key: options.signerKey } : undefined,
  });
}
