const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

const COMMON = {
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  transactionsRoot: EMPTY_ROOT,
  receiptsRoot: EMPTY_ROOT,
  logsBloom: `0x${'00'.repeat(256)}`,
  difficulty: '0x0',
  gasUsed: '0x0',
  nonce: '0x0000000000000000',
  baseFeePerGas: '0x7',
  withdrawalsRoot: EMPTY_ROOT,
  blobGasUsed: '0x0',
  excessBlobGas: '0x0',
  requestsHash: '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
};

const RETH = {
  ...COMMON,
  miner: '0x8943545177806ed17b9f23f0a21ee5948ecaa776',
  gasLimit: '0xbebc200',
  extraData: '0x726574682f76322e372e302f6c696e7578',
};

/** The last header before amsterdam and the first one after it, of a devnet of reth 2.7.0. */
export const PRAGUE_HEADER = {
  ...RETH,
  parentHash: '0x74f90ca1c71db6591cc4510eb6e831bdf7fcc7beabcdcbfaa1e7cb0788840153',
  stateRoot: '0xd430244510b470423f038afbfb318f1e8b458357727dd4959845e6b0182fbae8',
  number: '0xbf',
  timestamp: '0x6abd0dc7',
  mixHash: '0x879d6ebf21224bb92a05f0c4d50a2823ae85c1bfda76dd171381184d6f4070c5',
  parentBeaconBlockRoot: '0x9bdd621d2614dc45107bc9f80a2221de691a899d7740569523c6e0cc24f4ffd6',
  hash: '0x2648510bb7819909b36373a3a2ccda82a51a0c8b154d03ff7710ef8d64b689e6',
} as const;
export const AMSTERDAM_HEADER = {
  ...RETH,
  parentHash: PRAGUE_HEADER.hash,
  stateRoot: '0x2338ab0cb5b76db31251fc2352e9142fd8b2bf19de6ac4a3c201b84d6ba737d3',
  number: '0xc0',
  timestamp: '0x6abd0dcb',
  mixHash: '0x27184df4d2e2182675a2310a546d32e0d74a7accd4fbeafa84a903cd489dd40c',
  parentBeaconBlockRoot: '0x1214de134cf32c261ff3c2b6f96435016e9b98bf7dcd4870ad0009a2acf79974',
  blockAccessListHash: '0x1d33a17375e8dd0aef5da65c3f51422043f1c40d52eceaaca238cc92501aa32e',
  slotNumber: '0xc0',
  hash: '0x86e1583ca604ce5de648b44c41fb309b8dfe72ab21b57ad9f12eb0d92ac991f8',
} as const;

/** A header whose hash go-ethereum 1.17.7 computed over all 23 fields. */
export const GETH_AMSTERDAM_HEADER = {
  ...COMMON,
  parentHash: `0x${'00'.repeat(31)}01`,
  miner: `0x${'00'.repeat(20)}`,
  stateRoot: `0x${'00'.repeat(31)}02`,
  number: '0x989680',
  gasLimit: '0x3938700',
  timestamp: '0x6ac4fd60',
  extraData: '0x',
  mixHash: `0x${'00'.repeat(32)}`,
  parentBeaconBlockRoot: `0x${'00'.repeat(32)}`,
  blockAccessListHash: `0xba01${'00'.repeat(30)}`,
  slotNumber: '0xac6000',
  hash: '0x8a5873e9569d658c029c64934fb5136ae61f51824ad0658499010864ae39b9c1',
} as const;
