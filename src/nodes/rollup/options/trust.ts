import { option } from '../../../system/program/options.ts';
import { HALT_LEVELS } from '../l1/halt.ts';

/**
 * Options of conductor, remote signer and halt level (interface, section 4.4).
 * Counterpart in op-node: `ConductorEnabledFlag`, `RollupHalt`, in op-service: `signer.CLIConfig`.
 */
export const trustOptions = {
  rollupHalt: {
    name: 'rollup.halt',
    env: 'ROLLUP_HALT',
    help: 'end where L1 requires a newer protocol version, by this step or more',
    type: option.choice(...HALT_LEVELS),
    default: 'none' as const,
  },
  conductorEnabled: {
    name: 'conductor.enabled',
    env: 'CONDUCTOR_ENABLED',
    help: 'wait for admin_startSequencer, and sequence only as the leader that the conductor elects',
    type: option.boolean,
    default: false,
  },
  conductorRpc: {
    name: 'conductor.rpc',
    env: 'CONDUCTOR_RPC',
    help: 'conductor endpoint',
    type: option.url('http:', 'https:'),
    default: 'http://127.0.0.1:8547',
  },
  conductorTimeout: {
    name: 'conductor.rpc-timeout',
    env: 'CONDUCTOR_RPC_TIMEOUT',
    help: 'how long the conductor may take to answer',
    type: option.duration,
    default: 1000,
    defaultText: '1s',
  },
  signerEndpoint: {
    name: 'signer.endpoint',
    env: 'SIGNER_ENDPOINT',
    help: 'remote signer of gossiped blocks, instead of --p2p.sequencer.key',
    type: option.url('http:', 'https:'),
  },
  signerAddress: {
    name: 'signer.address',
    env: 'SIGNER_ADDRESS',
    help: 'address that the remote signer signs as',
    type: option.string,
  },
  signerHeader: {
    name: 'signer.header',
    env: 'SIGNER_HEADER',
    help: 'header of requests to the remote signer, key=value',
    type: option.list,
    default: [],
  },
  signerTls: {
    name: 'signer.tls.enabled',
    env: 'SIGNER_TLS_ENABLED',
    help: 'use mutual TLS with the remote signer, and trust --signer.tls.ca only',
    type: option.boolean,
    default: true,
  },
  signerCa: {
    name: 'signer.tls.ca',
    env: 'SIGNER_TLS_CA',
    help: 'certificate of the trusted authority',
    type: option.string,
    default: 'tls/ca.crt',
  },
  signerCert: {
    name: 'signer.tls.cert',
    env: 'SIGNER_TLS_CERT',
    help: 'client certificate; a renewed one is used from the next block on',
    type: option.string,
    default: 'tls/tls.crt',
  },
  signerKey: {
    name: 'signer.tls.key',
    env: 'SIGNER_TLS_KEY',
    help: 'key of the client certificate',
    type: option.string,
    default: 'tls/tls.key',
  },
} as const;
