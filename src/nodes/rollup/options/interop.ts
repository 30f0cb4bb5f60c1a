import { option } from '../../../system/program/options.ts';

/** Options of the interop RPC (interface, section 4.4). */
export const interopOptions = {
  interopSet: {
    name: 'interop.dependency-set',
    env: 'INTEROP_DEPENDENCY_SET',
    help: 'JSON file of the chains that read one another, told by optimism_dependencySet',
    type: option.string,
  },
  interopJwt: {
    name: 'interop.jwt-secret',
    env: 'INTEROP_JWT_SECRET',
    help: 'file with the 32-byte hex JWT secret of the interop RPC; created if absent or empty',
    type: option.string,
  },
  interopAddr: {
    name: 'interop.rpc.addr',
    env: 'INTEROP_RPC_ADDR',
    help: 'listen address of the interop RPC for a supervisor, WebSocket only (deleted upstream in 2026)',
    type: option.string,
    defaultText: 'disabled',
  },
  interopPort: {
    name: 'interop.rpc.port',
    env: 'INTEROP_RPC_PORT',
    help: 'listen port of the interop RPC; 0: any',
    type: option.port,
    default: 9645,
  },
} as const;
