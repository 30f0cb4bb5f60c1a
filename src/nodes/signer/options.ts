import { COMMON_OPTIONS } from '../../system/program/common-options.ts';
import { option } from '../../system/program/options.ts';
import { HOST_ORIGIN_OPTIONS } from '../service/host-origin.ts';

/** Options of the signer. The key is read from a file: arguments are visible to every user. */
export const SIGNER_OPTIONS = {
  ...COMMON_OPTIONS,
  privateKeyFile: {
    name: 'private-key-file',
    env: 'PRIVATE_KEY_FILE',
    help: 'File with the private key that signs, readable by its owner only',
    type: option.string,
  },
  rpcHost: {
    name: 'rpc.addr',
    env: 'RPC_ADDR',
    help: 'Address of its RPC',
    type: option.string,
    default: '127.0.0.1',
  },
  rpcPort: {
    name: 'rpc.port',
    env: 'RPC_PORT',
    help: 'Port of its RPC, 0 takes any',
    type: option.port,
    default: 8080,
  },
  ...HOST_ORIGIN_OPTIONS,
} as const;
