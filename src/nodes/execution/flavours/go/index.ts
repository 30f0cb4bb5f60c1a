import { STANDARD_ENVELOPE } from '../../../../rpc/server/envelope.ts';
import type { Flavour } from '../interface/flavour.ts';
import { GO_ERRORS, stateMissing } from './errors.ts';
import { GO_LIMITS } from './limits.ts';
import { GO_POOL } from './pool.ts';
import { goSyncing, goSyncNotice } from './syncing.ts';
import { GO_TRACING } from './tracing.ts';
import { GO_WITNESS } from './witness.ts';

/** Behaviour of op-geth. */
export const GO: Flavour = {
  name: 'go',
  namespaces: ['eth', 'net', 'web3', 'txpool', 'debug', 'admin', 'miner', 'testing'],
  defaultApi: ['eth', 'net', 'web3'],
  unservedApi: ['rpc', 'les', 'clique', 'personal'],
  pool: GO_POOL,
  pruned: { blocks: 128, missing: stateMissing },
  lacks: ['debug_executionWitnessByBlockHash', 'debug_getRawTransactions'],
  rpcModules: true,
  views: {
    headerSize: false,
    blockTimestamp: false,
    depositYParity: false,
    depositL1Fields: false,
    absentHashes: { codeHash: new Uint8Array(32), storageRoot: new Uint8Array(32) },
  },
  calls: { anyGasPrice: false, capsPricedCalls: false },
  emptyTopicsMatch: false,
  unsetLabelIsNull: false,
  unknownSubscriptionIsFalse: false,
  badBlocks: { most: 10, first: 'highest', descendants: false },
  tracing: GO_TRACING,
  witness: GO_WITNESS,
  errors: GO_ERRORS,
  envelope: STANDARD_ENVELOPE,
  limits: GO_LIMITS,
  syncing: goSyncing,
  syncNotice: goSyncNotice,
  clientName: 'execution-go',
  code: 'XG',
};
