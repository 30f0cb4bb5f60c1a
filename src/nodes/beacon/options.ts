import { L1_HARDFORKS } from '../../protocol/genesis/inputs.ts';
import { COMMON_OPTIONS } from '../../system/program/common-options.ts';
import { option } from '../../system/program/options.ts';
import { HOST_ORIGIN_OPTIONS } from '../service/host-origin.ts';

/** Options of `l1-beacon`. */
export const BEACON_OPTIONS = {
  ...COMMON_OPTIONS,
  ...HOST_ORIGIN_OPTIONS,
  l1: {
    name: 'l1',
    env: 'L1',
    help: 'JSON-RPC endpoint of L1: anvil, started with --no-mining --order fifo, or a client with --l1.engine',
    type: option.url('http:', 'https:', 'ws:', 'wss:'),
    default: 'http://127.0.0.1:8545',
  },
  chainId: {
    name: 'l1.chain-id',
    env: 'L1_CHAIN_ID',
    help: 'Chain id that L1 must have; absent: any',
    type: option.natural,
  },
  genesisHash: {
    name: 'l1.genesis-hash',
    env: 'L1_GENESIS_HASH',
    help: 'Hash that block 0 of L1 must have; absent: any',
    type: option.string,
  },
  hardfork: {
    name: 'l1.hardfork',
    env: 'L1_HARDFORK',
    help: 'Ethereum fork of L1, in force since its genesis; of no effect with --l1.chain-config',
    type: option.choice(...L1_HARDFORKS),
    default: 'prague',
  },
  engine: {
    name: 'l1.engine',
    env: 'L1_ENGINE',
    help: 'Engine API of L1, by which its blocks are made; absent: L1 is anvil',
    type: option.url('http:', 'https:'),
  },
  jwtSecret: {
    name: 'l1.jwt-secret',
    env: 'L1_JWT_SECRET',
    help: 'File of the secret of that Engine API',
    type: option.string,
  },
  keys: {
    name: 'l1.keys',
    env: 'L1_KEYS',
    help: 'With --l1.engine: file of the private keys for which the gate signs (JSON: accounts, roles); absent: none',
    type: option.string,
  },
  chainConfig: {
    name: 'l1.chain-config',
    env: 'L1_CHAIN_CONFIG',
    help: 'File with the chain configuration of L1: the times of its forks and its blobSchedule',
    type: option.string,
  },
  slotsInAnEpoch: {
    name: 'l1.slots-in-an-epoch',
    env: 'L1_SLOTS_IN_AN_EPOCH',
    help: 'With --l1.engine: the block of one epoch below the head is safe, that of two is final',
    type: option.natural,
    default: 1,
  },
  genesisTime: {
    name: 'genesis-time',
    env: 'GENESIS_TIME',
    help: 'Unix seconds of slot 0, the time of block 0; absent: as block 0 says',
    type: option.natural,
  },
  secondsPerSlot: {
    name: 'seconds-per-slot',
    env: 'SECONDS_PER_SLOT',
    help: 'Seconds from one slot to the next',
    type: option.natural,
    default: 2,
  },
  mine: {
    name: 'mine',
    env: 'MINE',
    help: 'Make one L1 block per slot; false: follow the blocks that L1 makes itself',
    type: option.boolean,
    default: true,
  },
  maxCatchUp: {
    name: 'max-catch-up',
    env: 'MAX_CATCH_UP',
    help: 'Most slots that get a block afterwards when the machine slept or the clock was moved; older ones stay empty',
    type: option.natural,
    default: 32,
  },
  order: {
    name: 'order',
    env: 'ORDER',
    help: 'Order of the transactions of a block; sender: by address and nonce, whatever their order of arrival',
    type: option.choice('arrival', 'sender'),
    default: 'arrival',
  },
  datadir: {
    name: 'datadir',
    env: 'DATADIR',
    help: 'Folder of the journal and the blobs',
    type: option.string,
    default: 'l1-beacon-data',
  },
  stateFile: {
    name: 'l1.state',
    env: 'L1_STATE',
    help: 'File for the state of L1, with which the next anvil starts (--load-state); absent: in the data folder',
    type: option.string,
  },
  host: {
    name: 'http.addr',
    env: 'HTTP_ADDR',
    help: 'Address that the beacon API listens on',
    type: option.string,
    default: '127.0.0.1',
  },
  port: {
    name: 'http.port',
    env: 'HTTP_PORT',
    help: 'Port of the beacon API, 0 takes any',
    type: option.port,
    default: 5052,
  },
  gateHost: {
    name: 'gate.addr',
    env: 'GATE_ADDR',
    help: 'Address of the gate: the public port of L1, with Host and Origin checked',
    type: option.string,
    default: '127.0.0.1',
  },
  gatePort: {
    name: 'gate.port',
    env: 'GATE_PORT',
    help: 'Port of the gate, 0 takes any; absent: no gate',
    type: option.port,
  },
} as const;
