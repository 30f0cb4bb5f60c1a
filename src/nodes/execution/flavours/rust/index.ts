import type { Flavour } from '../interface/flavour.ts';
import { RUST_ENVELOPE } from './envelope.ts';
import { RUST_ERRORS } from './errors.ts';
import { RUST_LIMITS } from './limits.ts';
import { RUST_POOL } from './pool.ts';
import { rustSyncing, rustSyncNotice } from './syncing.ts';
import { RUST_TRACING } from './tracing.ts';
import { RUST_WITNESS } from './witness.ts';

/** Behaviour of op-reth. */
export const RUST: Flavour = {
  name: 'rust',
  namespaces: ['eth', 'net', 'web3', 'txpool', 'debug', 'admin', 'miner', 'trace', 'ots', 'testing'],
  defaultApi: ['eth', 'net', 'web3'],
  unservedApi: ['rpc', 'reth', 'flashbots', 'mev'],
  pool: RUST_POOL,
  pruned: undefined,
  lacks: [],
  rpcModules: false,
  views: {
    headerSize: true,
    blockTimestamp: true,
    depositYParity: true,
    depositL1Fields: true,
    absentHashes: {},
  },
  calls: { anyGasPrice: true, capsPricedCalls: true },
  emptyTopicsMatch: true,
  unsetLabelIsNull: true,
  unknownSubscriptionIsFalse: true,
  badBlocks: { most: 64, first: 'newest', descendants: true },
  tracing: RUST_TRACING,
  witness: RUST_WITNESS,
  errors: RUST_ERRORS,
  envelope: RUST_ENVELOPE,
  limits: RUST_LIMITS,
  syncing: rustSyncing,
  syncNotice: rustSyncNotice,
  clientName: 'execution-rust',
  code: 'XR',
};
