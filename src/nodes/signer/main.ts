import { keccak256Bytes } from '../../protocol/hash.ts';
import { bytesToHex } from '../../protocol/hex.ts';
import { readyRoute } from '../../rpc/server/ready-route.ts';
import { readPrivateKey } from '../../system/crypto/key-file.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { loggerOf, VERSION } from '../../system/program/common-options.ts';
import type { Logger } from '../../system/program/log.ts';
import { type OptionValues, parseOptions } from '../../system/program/options.ts';
import { type Running, report, runUntilSignal } from '../../system/program/program.ts';
import { publicKeyOf } from '../crypto/secp256k1.ts';
import { hostOriginPolicy } from '../service/host-origin.ts';
import { listen } from '../service/listen.ts';
import { SIGNER_METHODS, type SigningKey } from './methods.ts';
import { SIGNER_OPTIONS } from './options.ts';

const SIGNER_PROGRAM = 'devnet-signer';

/** Runs `signer` until a signal; returns the exit code. */
export async function main(argv: string[], env: NodeJS.ProcessEnv): Promise<number> {
  try {
    const summary = 'Signs the blocks that a sequencer gossips, so that the rollup node has no key';
    const usage = { name: SIGNER_PROGRAM, version: VERSION, summary, envPrefixes: ['SIGNER_'] };
    const { values, operands } = parseOptions(usage, SIGNER_OPTIONS, argv, env);
    if (operands.length > 0 || values.privateKeyFile === undefined)
      throw new Failure('usage', `${SIGNER_PROGRAM}: ${operands[0] ?? '--private-key-file is missing'}`, {
        exit: EXIT.usage,
        hint: `${SIGNER_PROGRAM} --help lists the options`,
      });
    const key = readPrivateKey(values.privateKeyFile);
    return await runUntilSignal(SIGNER_PROGRAM, () => startSigner(values, key, loggerOf(values)));
  } catch (error) {
    return report(SIGNER_PROGRAM, error);
  }
}

/** Starts the signer. @throws Failure if its port is taken */
export async function startSigner(
  values: OptionValues<typeof SIGNER_OPTIONS>,
  key: Uint8Array,
  log: Logger,
): Promise<Running & { readonly port: number }> {
  const address = bytesToHex(keccak256Bytes(publicKeyOf(key)).subarray(12));
  const context: SigningKey = { key, address, version: VERSION };
  const { rpcHost: host, rpcPort: port } = values;
  const api = {
    host,
    port,
    ...hostOriginPolicy(values),
    http: true,
    methods: SIGNER_METHODS,
    context,
    route: readyRoute(),
  };
  const server = await listen('rpc.port', api);
  log.info('Signer listens', { url: `http://${host}:${server.port}`, address });
  return { port: server.port, failed: new Promise<never>(() => {}), stop: () => server.close() };
}
