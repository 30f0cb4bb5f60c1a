import { keccak256Bytes } from '../../protocol/hash.ts';
import { bytesToHex } from '../../protocol/hex.ts';
import { readPrivateKey } from '../../system/crypto/key-file.ts';
import { loggerOf, VERSION } from '../../system/program/common-options.ts';
import type { Logger } from '../../system/program/log.ts';
import type { OptionValues } from '../../system/program/options.ts';
import type { Running } from '../../system/program/program.ts';
import { publicKeyOf } from '../crypto/secp256k1.ts';
import { listenAt, mustHave, runServer } from '../service/server-program.ts';
import { SIGNER_METHODS } from './methods.ts';
import { SIGNER_OPTIONS } from './options.ts';

const SIGNER_PROGRAM = 'devnet-signer';

/** Runs `signer` until a signal; returns the exit code. */
export function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return runServer(
    {
      name: SIGNER_PROGRAM,
      summary: 'Signs the blocks that a sequencer gossips, so that the rollup node has no key',
      envPrefixes: ['SIGNER_'],
      options: SIGNER_OPTIONS,
      async start(values) {
        const key = readPrivateKey(mustHave(SIGNER_PROGRAM, '--private-key-file', values.privateKeyFile));
        return startSigner(values, key, loggerOf(values));
      },
    },
    argv,
    env,
  );
}

/** Starts the signer. @throws Failure if its port is taken */
export async function startSigner(
  values: OptionValues<typeof SIGNER_OPTIONS>,
  key: Uint8Array,
  log: Logger,
): Promise<Running & { readonly port: number }> {
  const address = bytesToHex(keccak256Bytes(publicKeyOf(key)).subarray(12));
  const server = await listenAt(values, { methods: SIGNER_METHODS, context: { key, address, version: VERSION } });
  log.info('Signer listens', { url: `http://${values.rpcHost}:${server.port}`, address });
  return { port: server.port, failed: new Promise<never>(() => {}), stop: () => server.close() };
}
