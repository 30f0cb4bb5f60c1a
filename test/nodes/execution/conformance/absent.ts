/** Methods of real clients that this one lacks, with the reason. Each answers -32601. */
export const ABSENT: readonly { readonly methods: readonly string[]; readonly reason: string }[] = [
  {
    methods: ['eth_sign', 'eth_signTransaction', 'eth_sendTransaction', 'eth_fillTransaction', 'eth_resend'],
    reason: 'the client holds no keys; wallets sign',
  },
  {
    methods: ['eth_coinbase', 'eth_mining', 'eth_hashrate', 'eth_getWork', 'eth_submitWork', 'eth_submitHashrate'],
    reason: 'proof of work',
  },
  { methods: ['eth_protocolVersion'], reason: 'there is no peer-to-peer network between execution clients' },
  {
    methods: [
      'admin_addPeer',
      'admin_removePeer',
      'admin_addTrustedPeer',
      'admin_removeTrustedPeer',
      'admin_datadir',
      'admin_startHTTP',
      'admin_stopHTTP',
    ],
    reason: 'no peers; listeners are options',
  },
  {
    methods: [
      'debug_traceBlockFromFile',
      'debug_standardTraceBlockToFile',
      'debug_traceChain',
      'debug_intermediateRoots',
    ],
    reason: 'no method writes or reads files, and a chain is traced block by block',
  },
  {
    methods: [
      'debug_dumpBlock',
      'debug_preimage',
      'debug_getModifiedAccountsByNumber',
      'debug_getModifiedAccountsByHash',
    ],
    reason: 'preimages of trie keys are not kept',
  },
  {
    methods: [
      'debug_memStats',
      'debug_gcStats',
      'debug_cpuProfile',
      'debug_blockProfile',
      'debug_stacks',
      'debug_vmodule',
      'debug_verbosity',
    ],
    reason: 'inner workings of another language',
  },
  { methods: ['personal_listAccounts', 'clique_getSnapshot', 'les_serverInfo'], reason: 'gone from the clients' },
  {
    methods: ['miner_setExtra', 'miner_setGasPrice', 'miner_setGasLimit', 'miner_start', 'miner_stop'],
    reason: 'the rollup node says what goes into a block',
  },
];

/** Options of op-geth that are rejected as unknown, with the reason. */
export const ABSENT_OPTIONS: readonly { readonly options: readonly string[]; readonly reason: string }[] = [
  { options: ['--ipcpath', '--ipcdisable', '--graphql'], reason: 'HTTP and WebSocket only' },
  { options: ['--http.rpcprefix', '--ws.rpcprefix'], reason: 'the RPC answers on every path' },
  {
    options: ['--bootnodes', '--nodiscover', '--maxpeers', '--port', '--nat', '--netrestrict'],
    reason: 'no peer-to-peer network between execution clients',
  },
  {
    options: ['--state.scheme', '--db.engine', '--cache', '--history.transactions', '--snapshot'],
    reason: 'the store is this client’s own: every state and every index are kept',
  },
  {
    options: ['--rpc.enabledeprecatedpersonal'],
    reason: 'wallets sign',
  },
  { options: ['--txpool.journalremotes'], reason: 'the journal has every transaction of the pool' },
  {
    options: ['--blobpool.datadir', '--blobpool.datacap', '--blobpool.pricebump'],
    reason: 'a rollup has no blob transactions',
  },
  {
    options: ['--rollup.sequencertxconditionalcostratelimit'],
    reason: 'each condition’s cost is limited, not their rate',
  },
  { options: ['--rollup.historicalrpc', '--rollup.historicalrpctimeout'], reason: 'there is no chain before bedrock' },
];
