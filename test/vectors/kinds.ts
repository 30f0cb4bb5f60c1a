import { batchData } from './batch-data.ts';
import { blobs } from './blobs.ts';
import { consensus } from './consensus/consensus.ts';
import { executionApis } from './execution-apis.ts';
import { executionFixtures } from './execution-fixtures.ts';
import { feeSamples } from './fee-samples.ts';
import { gossipEnvelopes } from './gossip-envelopes.ts';
import type { VectorKind } from './kind.ts';
import { l1Attributes } from './l1-attributes.ts';
import { rpcHeaders } from './rpc-headers.ts';
import { upgradeTransactions } from './upgrade-transactions.ts';

export const KINDS: readonly VectorKind[] = [
  upgradeTransactions,
  l1Attributes,
  feeSamples,
  gossipEnvelopes,
  rpcHeaders,
  executionFixtures,
  batchData,
  blobs,
  executionApis,
  consensus,
];
