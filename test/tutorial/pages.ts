/** How a page is followed, if its commands alone do not say it. */
export interface Follow {
  /** The spec of `devnet.yaml` before the first command. */
  readonly spec?: string;
  /** Commands before the first one of the page. */
  readonly before?: readonly string[];
  /** Texts in commands that stand for something of the reader's, or for more time than a test has. */
  readonly instead?: readonly (readonly [text: string, by: string])[];
  /** The page is followed once more while another devnet runs. */
  readonly beside?: boolean;
  /** The output is that of one run: numbers and hashes stand for others. */
  readonly transcript?: boolean;
  /** Commands that are not run, each with the reason. */
  readonly without?: Readonly<Record<string, string>>;
}

const NODES = 'nodes: { sequencer: { role: sequencer }, verifier: {} }';
const FORKS = 'forks: { base: granite, holocene: +5s, isthmus: +200s }';
/** A network whose next fork is far enough away for a busy machine. */
const FORK_AHEAD = `name: devnet\nchains: { main: { blockTime: 1, ${FORKS}, ${NODES} } }`;
const UP = 'devnet up -d --ready-budget 300s';
const ADDRESS = '0x1111111111111111111111111111111111111111';
/** Hash of a transaction in a block that all nodes have. */
const HASH = `$(devnet block 2 --json | node -pe 'JSON.parse(fs.readFileSync(0)).transactions[0].hash')`;

/** Every page of README and docs whose commands `make test-tutorial` runs, in the order of the page. */
export const FOLLOWED: Readonly<Record<string, Follow>> = {
  'docs/tutorial.md': { beside: true },
  'docs/how-to/browser-wallet.md': {},
  'docs/how-to/debug-divergence.md': {},
  'docs/how-to/challenges.md': {},
  'docs/how-to/deposit.md': {},
  'docs/how-to/fork-activation.md': {},
  'docs/how-to/many-chains.md': {},
  'docs/how-to/withdraw.md': { transcript: true },
  'docs/how-to/signer.md': {},
  'docs/how-to/conductor.md': {},
  'docs/how-to/alt-da.md': {},
  'docs/how-to/l1-forks.md': {},
  'docs/how-to/deploy.md': {
    before: [`echo '{ "scripts": { "deploy": "devnet deposit ${ADDRESS} 1ether" } }' > package.json`],
  },
  'docs/how-to/inspect.md': {
    transcript: true,
    before: [UP],
    instead: [
      ['1ether', '1ether --json > deposit.json'],
      ['0xe6009ad0…', '$(node -p \'require("./deposit.json").l2.hash\')'],
    ],
  },
  'docs/how-to/snapshots.md': {
    before: [`echo '{ "scripts": { "deploy": "devnet deposit ${ADDRESS} 1ether" } }' > package.json`],
  },
  'docs/how-to/dashboard.md': { spec: 'name: devnet', before: [UP], transcript: true },
  'docs/how-to/grow.md': {
    spec: FORK_AHEAD,
    before: [UP],
    without: {
      'npx devnet node add late --el op-geth --cl op-node --set el.binary=../op-geth/build/bin/geth':
        '`make interop` runs the real clients',
    },
  },
  'docs/how-to/metrics.md': { before: [UP] },
  'docs/how-to/traces.md': { instead: [['up -d', 'up -d --ready-budget 300s']] },
  'docs/how-to/ci.md': {
    instead: [
      ['devnet up', 'devnet down --all && devnet up'],
      ['answering=5s,safe=20s', 'answering=200s,safe=250s'],
    ],
  },
  'docs/changing-a-network.md': {
    spec: FORK_AHEAD,
    before: [UP],
    instead: [
      ['--name NAME', '--name devnet'],
      ['spec SPEC --name devnet', 'spec devnet.yaml --name other'],
      ['NODE', 'verifier'],
      ['FORK=TIME', 'isthmus=never'],
    ],
  },
  'docs/divergence.md': { before: [UP] },
  'docs/how-to/faults.md': {},
  'docs/scenarios.md': {},
  'docs/time.md': {
    spec: FORK_AHEAD.replace('+200s', '+200s, jovian: +260s'),
    before: [UP],
    instead: [
      ['+1h', '+1m'],
      // The clock is past isthmus by then.
      ['fork:isthmus --past', 'fork:jovian --past'],
      ['block:5000', 'block:300'],
      // Unix seconds: the clock is ahead by the warps before.
      ['time:1795345636', 'time:$(($(date +%s) + 400))'],
    ],
  },
  'README.md': {
    transcript: true,
    instead: [
      [
        'npx devnet up -d ',
        'npx devnet up -d fork-drill --set faults=true --set chains.main.forks.isthmus=+300s ' +
          '--set chains.main.forks.jovian=never ',
      ],
      ['now+40s', 'now+200s jovian=never'],
      ['devnet tx 0x…', `devnet tx ${HASH}`],
      ['0x…', ADDRESS],
    ],
    without: {
      'npx rollup-devnet up': 'test/e2e/package.test.ts runs it from the tarball',
      'make up': 'the other commands start the same network',
      'make test': 'it is the suite',
      'make lint': 'it lints the clone',
      'npx devnet exec -- forge test': 'test/examples runs it in a project of foundry',
    },
  },
};

/** Commands that run until Ctrl-C, each with what it prints once it does its work. */
export const ENDLESS: readonly (readonly [command: RegExp, prints: RegExp])[] = [
  [/devnet up *(?:#.*)?$/, /is ready/],
  [/devnet watch/, /\S/],
  [/devnet logs \S+ -f$/, /\S/],
  [/devnet metrics --serve/, /http:\/\/127.0.0.1:\d+\/metrics/],
  [/devnet dashboard/, /http:\/\/127.0.0.1:\d+\//],
];
