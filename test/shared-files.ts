/** Folders of tests that leave nothing behind in their process. They share workers, whose imports they reuse. */
export const SHARED_FILES: readonly string[] = [
  'contracts/**/*.test.ts',
  'evm/**/*.test.ts',
  'nodes/{batcher,beacon,challenger,conductor,crypto,da,da-server,games,gossip,kzg,proposer,rollup,rpc-types,service,signer,txmgr}/**/*.test.ts',
  'nodes/execution/{block,chain,engine,evm,flavours,methods,pool}/**/*.test.ts',
  'nodes/execution/{query,state,sync,tracing,transaction,trie,views,witness}/**/*.test.ts',
  'orchestrator/{change,cli,dashboard,devnet,divergence,environment,health,inspect,load,logs,metrics,plan}/**/*.test.ts',
  'orchestrator/{pool,probe,scenario,snapshots,spec,start,status,template,terminal,traffic,wait}/**/*.test.ts',
  'protocol/**/*.test.ts',
  'rpc/**/*.test.ts',
  'writing/**/*.test.ts',
  'library/**/*.test.ts',
  'page/**/*.test.ts',
  'system/{crypto,files,time}/**/*.test.ts',
];

/**
 * Files that count the timers of their process, or let them run while they wait. A client that an earlier file of a
 * shared worker has used, such as `fetch`, has timers too: they have processes of their own.
 */
export const OWN_TIMERS: readonly string[] = [
  'nodes/batcher/connect.test.ts',
  'nodes/batcher/submitter-restarts.test.ts',
  'nodes/execution/pool/service.test.ts',
  'nodes/gossip/requests/block-exchange.test.ts',
  'nodes/gossip/requests/rate-limit.test.ts',
  'nodes/gossip/static-peers.test.ts',
  'orchestrator/divergence/check/check.test.ts',
  'orchestrator/health/watch.test.ts',
  'orchestrator/terminal/task-list.test.ts',
  'rpc/client/http-client.test.ts',
  'rpc/client/http-rest.test.ts',
  'rpc/client/websocket-client.test.ts',
  'rpc/gateway/upstream.test.ts',
  'system/time/pause.test.ts',
];
