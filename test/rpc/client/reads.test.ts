import { describe, expect, it } from 'vitest';
import { isIdempotent, isRead } from '../../../src/rpc/client/reads.ts';

const READS =
  'net_version web3_clientVersion trace_block ots_getApiLevel debug_traceTransaction debug_getRawBlock ' +
  'eth_getBalance eth_getLogs eth_call eth_callMany eth_estimateGas eth_simulateV1 ' +
  'eth_createAccessList eth_chainId eth_blockNumber eth_syncing eth_accounts eth_gasPrice eth_blobBaseFee ' +
  'eth_maxPriorityFeePerGas eth_feeHistory optimism_syncStatus consensus_leader opp2p_self opp2p_peers ' +
  'opp2p_peerStats opp2p_discoveryTable opp2p_listBlockedPeers peernet_peers';
const REPEATABLE = 'engine_newPayloadV4 engine_forkchoiceUpdatedV3 opsigner_signBlockPayloadV2 health_status';
const WRITES =
  'eth_sendRawTransaction eth_newFilter eth_getFilterChanges eth_subscribe eth_createAccessLists eth_chainIds ' +
  'miner_setExtra debug_setHead admin_startSequencer opp2p_disconnectPeer opp2p_blockPeer evm_mine anvil_setCode ' +
  'personal_sign x_eth_call xeth_chainId xnet_version x_debug_traceCall x_optimism_syncStatus x_opp2p_self ' +
  'x_engine_newPayloadV4';

describe('a method', () => {
  it.each(READS.split(' '))('%s only reads', (method) => {
    expect([isRead(method), isIdempotent(method)]).toEqual([true, true]);
  });

  it.each(REPEATABLE.split(' '))('%s may be sent again', (method) => {
    expect([isRead(method), isIdempotent(method)]).toEqual([false, true]);
  });

  it.each(WRITES.split(' '))('%s may not be sent again', (method) => {
    expect([isRead(method), isIdempotent(method)]).toEqual([false, false]);
  });
});
