/** Methods that change neither a chain nor a filter, of execution clients, anvil and rollup nodes. */
const READS = [
  /^(net|web3|trace|ots)_|^debug_(trace|get)|^eth_(get(?!Filter)|call|estimate|simulate|createAccessList$)/,
  /^eth_(chainId|blockNumber|syncing|accounts|gasPrice|blobBaseFee|maxPriorityFeePerGas|feeHistory)$/,
  /^(optimism|consensus)_|^(opp2p|peernet)_(self|peers|peerStats|discoveryTable|listBlocked)/,
];

/** Engine API methods, which the specification lets a consensus client send again, and those of a remote signer. */
const REPEATABLE = /^(engine|opsigner|health)_/;

export const isRead = (method: string): boolean => READS.some((pattern) => pattern.test(method));

/** Whether a second execution of a request has no further effect. */
export const isIdempotent = (method: string): boolean => isRead(method) || REPEATABLE.test(method);
