import { option } from '../../system/program/options.ts';
import { rpcPort, SERVER_OPTIONS } from '../service/server-program.ts';

/** Options of the signer. The key is read from a file: arguments are visible to every user. */
export const SIGNER_OPTIONS = {
  ...SERVER_OPTIONS,
  privateKeyFile: {
    name: 'private-key-file',
    env: 'PRIVATE_KEY_FILE',
    help: 'File with the private key that signs, readable by its owner only',
    type: option.string,
  },
  rpcPort: rpcPort(8080),
} as const;
