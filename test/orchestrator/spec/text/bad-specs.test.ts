import { describe, expect, it } from 'vitest';
import type { Assignment } from '../../../../src/orchestrator/spec/text/set.ts';
import { parse, template, templateNames } from '../../package.ts';

interface Bad {
  readonly title: string;
  readonly text: string;
  /** `line:column path: message` of every problem, in order. */
  readonly problems: readonly string[];
  readonly allowed?: string;
  readonly nearest?: string;
  readonly sets?: readonly Assignment[];
}

const chain = (lines: string) => `chains:\n  main:\n${lines.replace(/^/gm, '    ')}\n`;
const nodes = (lines: string) => chain(`nodes:\n${lines.replace(/^/gm, '  ')}`);
const SEQUENCER = 'sequencer: { role: sequencer }';
const EXECUTION_CLIENTS = templateNames.filter((name) => template(name).kind === 'el');

const table: readonly Bad[] = [
  {
    title: 'an L1 whose beacon client drives another kind of L1',
    text: 'l1: { client: geth, binary: geth, hardfork: cancun }\n',
    problems: ['1:15 l1.client: geth makes blocks by its Engine API only, which l1-beacon does not call'],
    allowed: 'lodestar, or a template of yours that refers to ${l1.engine}',
  },
  {
    title: 'an L1 without the Engine API that its beacon client calls',
    text: 'l1:\n  hardfork: cancun\n  beacon: { client: lodestar, binary: lodestar }\n',
    problems: ['3:3 l1.beacon: lodestar makes blocks by the Engine API, which anvil does not have'],
    allowed: 'l1-beacon',
  },
  {
    title: 'a blob schedule of L1 that shrinks below its target',
    text: 'l1:\n  client: execution-go\n  hardfork: osaka\n  blobSchedule: { osaka: { target: 6, max: 5 } }\n',
    problems: ['4:19 l1.blobSchedule.osaka: osaka has a max of 5 blobs, below its target of 6'],
    allowed: 'a max from 6 on',
  },
  {
    title: 'a fork of L1 before the genesis of L2',
    text: 'time: { genesis: 2000 }\nl1: { client: execution-go, forks: { base: prague, osaka: 1999 } }\n',
    problems: ['2:59 l1.forks.osaka: osaka of L1 would activate at or before genesis'],
    allowed: 'a time after genesis, or a base of osaka',
  },
  {
    title: 'forks of L1 in another order than that of Ethereum',
    text: 'l1: { client: execution-go, forks: { base: cancun, prague: +9s, osaka: +8s } }\n',
    problems: ['1:72 l1.forks.osaka: osaka activates 1 s before prague'],
    allowed: 'a time at or after that of prague',
  },
  {
    title: 'a fork that an L1 of anvil cannot activate',
    text: 'l1: { forks: { osaka: +8s } }\n',
    problems: ['1:23 l1.forks.osaka: anvil activates no fork of L1 after genesis'],
    allowed: 'client: execution-go or execution-rust with l1-beacon, or client: geth with lodestar, or `hardfork`',
  },
  {
    title: 'an unknown key',
    text: 'l1: { blokTime: 2 }\n',
    problems: ['1:7 l1.blokTime: unknown key "blokTime"'],
    nearest: 'blockTime',
  },
  {
    title: 'a key of another place',
    text: 'gasLimit: 5\n',
    problems: ['1:1 gasLimit: unknown key "gasLimit"'],
    allowed:
      'abi, after, base, chains, dashboard, faults, l1, logs, name, otel, place, ports, runtime, seed, time, version',
  },
  {
    title: 'a dashboard that is neither wanted nor not',
    text: 'dashboard: maybe\n',
    problems: ['1:12 dashboard: found "maybe"'],
    allowed: 'true, false, a map',
  },
  {
    title: 'a wrong type',
    text: chain('blockTime: soon'),
    problems: ['3:16 chains.main.blockTime: found "soon"'],
    allowed: 'a whole number from 1 to 3600 seconds',
  },
  {
    title: 'a mnemonic with an unknown word',
    text: chain('accounts: { mnemonic: test test test test test test test test test test test jank }'),
    problems: ['3:27 chains.main.accounts.mnemonic: this is not a mnemonic: its word 12 is not in the list'],
  },
  {
    title: 'a mnemonic with a wrong checksum',
    text: chain('accounts: { mnemonic: test test test test test test test test test test test test }'),
    problems: [
      '3:27 chains.main.accounts.mnemonic: this is not a mnemonic: its 12 words have a wrong number or checksum',
    ],
  },
  {
    title: 'an account that is not an address',
    text: chain('accounts: { addresses: [0x12] }'),
    problems: ['3:29 chains.main.accounts.addresses.0: found the number 18'],
    allowed: 'an address of 20 bytes in quotes: "0x" and 40 hex digits',
  },
  {
    title: 'a fraction',
    text: chain('blockTime: 0.5'),
    problems: ['3:16 chains.main.blockTime: found the number 0.5'],
  },
  {
    title: 'a list instead of a map',
    text: 'chains: [main]\n',
    problems: ['1:1 chains: found a list'],
    allowed: 'a map',
  },
  { title: 'another version', text: 'version: 2\n', problems: ['1:10 version: found the number 2'], allowed: '1' },
  {
    title: 'a word that is none of the allowed',
    text: 'ports: prefered\n',
    problems: ['1:8 ports: found "prefered"'],
    allowed: 'preferred, fixed, auto',
    nearest: 'preferred',
  },
  {
    title: 'an amount without meaning',
    text: chain('accounts: { balance: a lot }'),
    problems: ['3:26 chains.main.accounts.balance: found "a lot"'],
    allowed: 'an amount such as 10000 ether, 5 gwei or 1000000 wei',
  },
  {
    title: 'a gas limit that holds no block',
    text: chain('gasLimit: 5'),
    problems: ['3:15 chains.main.gasLimit: found the number 5'],
  },

  {
    title: 'a name with a slash',
    text: 'name: a/b\n',
    problems: ['1:7 name: found "a/b"'],
    allowed: 'lower-case letters, digits and dashes, at most 39, not beginning with a dash',
  },
  { title: 'a name that leads out of its folder', text: 'name: ".."\n', problems: ['1:7 name: found ".."'] },
  {
    title: 'a name that is too long',
    text: `name: ${'a'.repeat(40)}\n`,
    problems: [`1:7 name: found "${'a'.repeat(40)}"`],
  },
  {
    title: "a chain's name with dots",
    text: 'chains: { ../x: {} }\n',
    problems: ['1:11 chains."../x": "../x" cannot be used as a name here'],
  },
  {
    title: "a node's name in capitals",
    text: nodes(`${SEQUENCER}\nVerifier: {}`),
    problems: ['5:7 chains.main.nodes.Verifier: "Verifier" cannot be used as a name here'],
  },
  {
    title: "a node called like the chain's batcher",
    text: nodes(`${SEQUENCER}\nbatcher: {}`),
    problems: [`5:7 chains.main.nodes.batcher: a node cannot be called "batcher", as the chain's batcher is`],
  },
  {
    title: 'a key of the language',
    text: nodes(`${SEQUENCER}\n__proto__: {}`),
    problems: ['5:7 chains.main.nodes.__proto__: "__proto__" cannot be a key'],
  },

  {
    title: 'a key twice',
    text: 'seed: 1\nname: x\nseed: 2\n',
    problems: ['3:1 seed: the key "seed" stands here twice'],
  },
  {
    title: 'two chains of one id',
    text: 'chains:\n  a: { chainId: 7 }\n  b: { chainId: 7 }\n',
    problems: ['3:17 chains.b.chainId: the chain id 7 is taken by the chain "a"'],
  },
  {
    title: "a chain with L1's id",
    text: chain('chainId: 900'),
    problems: ['3:14 chains.main.chainId: the chain id 900 is taken by L1'],
  },
  {
    title: 'a count that makes a name too long',
    text: nodes(`${SEQUENCER}\n${'v'.repeat(38)}: { count: 2 }`),
    problems: [
      `5:7 chains.main.nodes.${'v'.repeat(38)}: ` +
        `its count makes the name "${'v'.repeat(38)}-1" of 40 characters: at most 39`,
    ],
  },
  {
    title: 'a counted name that is there already',
    text: nodes(`${SEQUENCER}\nverifier: { count: 2 }\nverifier-2: {}`),
    problems: ['6:7 chains.main.nodes.verifier-2: two nodes of this chain are called "verifier-2"'],
  },
  {
    title: 'one port for two',
    text: 'l1: { port: 9000, beacon: { ports: { http: 9000 } } }\n',
    problems: ['1:44 l1.beacon.ports.http: the port 9000 is given to l1.rpc already'],
  },

  {
    title: 'no sequencer',
    text: nodes('a: {}'),
    problems: ['3:5 chains.main.nodes: the chain "main" has no sequencer'],
    allowed: 'exactly one node with role: sequencer',
  },
  {
    title: 'two sequencers',
    text: nodes(`${SEQUENCER}\nb: { role: sequencer }`),
    problems: ['5:18 chains.main.nodes.b.role: "b" is a second sequencer of the chain "main", beside "sequencer"'],
  },
  {
    title: 'peers that do not exist',
    text: nodes(`${SEQUENCER}\nb: { peers: [sequencr] }`),
    problems: ['5:20 chains.main.nodes.b.peers.0: the chain "main" has no node "sequencr"'],
    nearest: 'sequencer',
  },
  {
    title: 'a node that peers with itself',
    text: nodes(`${SEQUENCER}\nb: { peers: [b] }`),
    problems: ['5:20 chains.main.nodes.b.peers.0: "b" cannot be its own peer'],
  },
  {
    title: 'L2 blocks slower than those of L1',
    text: 'l1: { blockTime: 1 }\n',
    problems: [
      '1:18 l1.blockTime: L2 blocks every 2 s cannot follow L1 blocks every 1 s: ' +
        'each L2 block takes in one L1 block at most',
    ],
  },

  {
    title: 'an unknown fork',
    text: chain('forks: { base: granit }'),
    problems: ['3:20 chains.main.forks.base: found "granit"'],
    nearest: 'granite',
  },
  {
    title: 'a rate of 0',
    text: 'time: { rate: 0 }',
    problems: ['1:15 time.rate: found the number 0'],
    allowed: 'a number above 0, at most 1000',
  },
  {
    title: 'a rate of -2',
    text: 'time: { rate: -2 }',
    problems: ['1:15 time.rate: found the number -2'],
    allowed: 'a number above 0, at most 1000',
  },
  {
    title: 'a fork at no time',
    text: chain('forks: { karst: tomorrow }'),
    problems: ['3:21 chains.main.forks.karst: found "tomorrow"'],
    allowed: 'genesis, never, +20s (after genesis), now+20s, a Unix timestamp, or { block: 40 }',
  },
  {
    title: 'forks in the wrong order',
    text: chain('forks: { base: granite, holocene: +20s, isthmus: { block: 2 } }'),
    problems: ['3:45 chains.main.forks.isthmus: isthmus activates 16 s before holocene, which has to come first'],
  },
  {
    title: 'a fork whose predecessor never comes',
    text: chain('forks: { base: granite, isthmus: +9s }'),
    problems: ['3:38 chains.main.forks.isthmus: isthmus activates, but holocene, which comes before it, never does'],
    allowed: 'a time at or after that of holocene',
  },
  {
    title: 'a fork that the base has',
    text: chain('forks: { base: isthmus, granite: +9s }'),
    problems: ['3:38 chains.main.forks.granite: granite is active at genesis already, because the base is isthmus'],
  },
  {
    title: 'a fork in mid-chain without its upgrade transactions',
    text: chain('forks: { karst: +9s }'),
    problems: [
      '3:21 chains.main.forks.karst: Karst activates after genesis, and the package has no upgrade bundle for it',
    ],
    allowed: 'genesis, never, or a file at chains.main.bundles.karst',
  },
  {
    title: 'an override over genesis',
    text: nodes(`${SEQUENCER}\nb: { override: { jovian: +9s } }`),
    problems: [
      '5:32 chains.main.nodes.b.override.jovian: jovian is active at genesis on the whole chain; ' +
        'one node cannot go without it',
    ],
  },
  {
    title: 'an override that breaks the order',
    text: chain(
      `forks: { base: granite, holocene: +4s, isthmus: +8s }\nnodes:\n  ${SEQUENCER}\n` +
        '  b: { override: { holocene: +20s } }',
    ),
    problems: [
      '6:34 chains.main.nodes.b.override.holocene: on this node, isthmus activates 12 s before holocene, ' +
        'which has to come first',
    ],
  },
  {
    title: 'an override of an unknown fork',
    text: nodes(`${SEQUENCER}\nb: { override: { jovan: +9s } }`),
    problems: ['5:24 chains.main.nodes.b.override.jovan: unknown key "jovan"'],
    nearest: 'jovian',
  },
  {
    title: 'blobs before there are any',
    text: chain('forks: { base: canyon }\nbatcher: { da: blobs }'),
    problems: ['4:20 chains.main.batcher.da: batches in blobs are not read at canyon'],
    allowed: 'calldata, or a base of ecotone or later',
  },
  {
    title: 'own upgrade transactions beside a client that has the official ones',
    text: chain(
      `forks: { base: isthmus, jovian: +9s }\nnodes:\n  ${SEQUENCER}\n` +
        '  b: { cl: { client: op-node, binary: op-node } }',
    ),
    problems: [
      "3:37 chains.main.forks.jovian: Jovian activates after genesis with this package's own contracts, but " +
        'op-node will make the official ones: their blocks would differ',
    ],
    allowed: 'genesis, or the official bundle at chains.main.bundles.jovian',
  },
  {
    title: 'two forks at one time after genesis, which a client refuses',
    text: chain(
      `forks: { base: holocene, isthmus: +20s, jovian: +20s }\nbundles: { jovian: jovian.json }\n` +
        `nodes:\n  ${SEQUENCER}\n  b: { cl: { client: op-node, binary: op-node } }`,
    ),
    problems: ['3:53 chains.main.forks.jovian: op-node of main/b refuses jovian at the same time as isthmus'],
    allowed: 'a later time than that of isthmus, or genesis for both',
  },
  {
    title: 'karst and jovian at one time after genesis, which a client refuses',
    text: chain(
      `forks: { base: isthmus, jovian: +20s, karst: +20s }\n` +
        `bundles: { jovian: jovian.json, karst: karst.json }\n` +
        `nodes:\n  ${SEQUENCER}\n  b: { cl: { client: op-node, binary: op-node } }`,
    ),
    problems: ['3:50 chains.main.forks.karst: op-node of main/b refuses karst at the same time as jovian'],
    allowed: 'a later time than that of jovian, or genesis for both',
  },
  {
    title: 'an override by which two forks are at one time, which the client refuses',
    text: chain(
      `forks: { base: holocene, isthmus: +20s, jovian: +40s }\nbundles: { jovian: jovian.json }\n` +
        `nodes:\n  ${SEQUENCER}\n  b: { cl: { client: op-node, binary: op-node }, override: { jovian: +20s } }`,
    ),
    problems: [
      '7:74 chains.main.nodes.b.override.jovian: op-node of main/b refuses jovian at the same time as isthmus',
    ],
  },
  {
    title: 'a fork that a client does not implement',
    text: chain(`forks: { base: karst }\nnodes:\n  ${SEQUENCER}\n  b: { el: { client: op-geth, binary: geth } }`),
    problems: [
      '6:26 chains.main.nodes.b.el.client: op-geth implements forks up to jovian, and this chain schedules karst',
    ],
  },

  {
    title: 'an unknown client',
    text: nodes('sequencer: { role: sequencer, el: execution-goo }'),
    problems: ['4:41 chains.main.nodes.sequencer.el.client: unknown client "execution-goo"'],
    allowed: `${EXECUTION_CLIENTS.join(', ')}, the path of a template`,
    nearest: 'execution-go',
  },
  {
    title: 'a client of another kind',
    text: nodes('sequencer: { role: sequencer, el: rollup-node }'),
    problems: ['4:41 chains.main.nodes.sequencer.el.client: rollup-node is a client of the kind cl, not el'],
  },
  {
    title: 'a template that is not there',
    text: nodes('sequencer: { role: sequencer, el: ./mine.yaml }'),
    problems: ['4:41 chains.main.nodes.sequencer.el.client: there is no template /base/spec/mine.yaml'],
  },
  {
    title: 'a container without an image',
    text: nodes(`${SEQUENCER}\nb: { el: { client: op-geth, runtime: docker } }`),
    problems: ['5:44 chains.main.nodes.b.el.runtime: the template op-geth names no image: it has to be given'],
    allowed: 'image: the name of an image',
  },
  {
    title: 'the name of a container image',
    text: nodes(`${SEQUENCER}\nb: { el: { client: op-geth, image: "a b" } }`),
    problems: ['5:42 chains.main.nodes.b.el.image: found "a b"'],
    allowed: 'the name of a container image',
  },
  {
    title: 'an image of a process',
    text: nodes(`${SEQUENCER}\nb: { el: { runtime: embedded, image: x } }`),
    problems: ['5:37 chains.main.nodes.b.el.image: "image" has a meaning for containers only'],
    allowed: 'runtime: docker',
  },
  {
    title: 'a container with a binary',
    text: nodes(`${SEQUENCER}\nb: { el: { client: op-geth, image: x, binary: ./geth } }`),
    problems: ['5:53 chains.main.nodes.b.el.binary: a container has its program in its image'],
    allowed: 'image: the name of an image',
  },
  {
    title: 'a container that the user starts',
    text: nodes(`${SEQUENCER}\nb: { el: { runtime: docker, launch: manual } }`),
    problems: ['5:43 chains.main.nodes.b.el.launch: a process that you start yourself cannot run in a container'],
    allowed: 'launch: spawn, or another runtime',
  },
  {
    title: 'an embedded client that is none',
    text: nodes(`${SEQUENCER}\nb: { el: { client: op-geth, runtime: embedded } }`),
    problems: ['5:44 chains.main.nodes.b.el.runtime: op-geth has no runtime embedded'],
    allowed: 'process, docker',
  },
  {
    title: 'a client whose binary is not said',
    text: nodes(`${SEQUENCER}\nb: { el: op-geth }`),
    problems: ['5:16 chains.main.nodes.b.el.client: op-geth is not a program of this package: give its binary'],
    allowed: 'binary: a path, or a name on the PATH',
  },
  {
    title: 'a binary of an embedded client',
    text: nodes(`${SEQUENCER}\nb: { el: { client: execution-go, binary: ./geth } }`),
    problems: ['5:48 chains.main.nodes.b.el.binary: execution-go has no runtime process'],
    allowed: 'embedded, docker',
  },
  {
    title: 'a port that a client does not have',
    text: nodes(`${SEQUENCER}\nb: { el: { ports: { htp: 1 } } }`),
    problems: ['5:27 chains.main.nodes.b.el.ports.htp: execution-go has no port "htp"'],
    nearest: 'http',
  },
  {
    title: 'an argument that others rely on',
    text: nodes(`${SEQUENCER}\nb: { el: { args: { http.port: 7 } } }`),
    problems: [
      '5:26 chains.main.nodes.b.el.args."http.port": --http.port is set by the plan, on which other processes rely',
    ],
    allowed: 'ports: { http: … }',
  },
  {
    title: 'a variable of our own',
    text: nodes(`${SEQUENCER}\nb: { el: { env: { DEVNET_NAME: x } } }`),
    problems: ['5:25 chains.main.nodes.b.el.env.DEVNET_NAME: "DEVNET_NAME" cannot be used as a name here'],
  },
  {
    title: 'an external node that is to be launched',
    text: nodes(`${SEQUENCER}\nb: { cl: { launch: manual, external: { rpc: "http://x" } } }`),
    problems: ['5:26 chains.main.nodes.b.cl.launch: an external cl is running already and is not launched'],
  },
  {
    title: 'a place of an external process',
    text: nodes(`${SEQUENCER}\nb: { cl: { place: { disk: ssd }, external: { rpc: "http://x" } } }`),
    problems: ['5:18 chains.main.nodes.b.cl.place: an external cl has no process here, so it has no place'],
  },
  {
    title: 'a place of a node that has no process',
    text: nodes(
      `${SEQUENCER}\nb:\n  place: { disk: ssd }\n  cl: { external: { rpc: "http://x" } }\n` +
        '  el: { external: { http: "http://x", engine: "http://x:1", jwt: j } }',
    ),
    problems: [
      '6:9 chains.main.nodes.b.place: both parts of "b" are external: it has no process here, so it has no place',
    ],
  },
  {
    title: 'a place of the beacon node of L1 alone',
    text: 'l1:\n  beacon:\n    place: { disk: ssd }\n',
    problems: ['3:5 l1.beacon.place: the beacon node of L1 runs where anvil runs'],
    allowed: 'l1.place',
  },
  {
    title: 'a place that is no map of labels',
    text: 'place: ssd\n',
    problems: ['1:8 place: found "ssd"'],
  },
  {
    title: 'a label that an engine does not take',
    text: 'place: { "a=b": c }\n',
    problems: ['1:10 place.a=b: "a=b" cannot be used as a name here'],
  },
  {
    title: 'the value of a label that an engine does not take',
    text: 'place:\n  disk: "ssd; rm"\n',
    problems: ['2:9 place.disk: found "ssd; rm"'],
    allowed: 'the value of a label: text of letters, digits and ._- between, at most 63',
  },
  {
    title: 'an external node without its address',
    text: nodes(`${SEQUENCER}\nb: { el: { external: { http: "http://x", jwt: j } } }`),
    problems: ['5:18 chains.main.nodes.b.el.external.engine: "engine" is missing'],
    allowed: 'a URL (http|https|ws|wss)',
  },
  {
    title: 'an address that is none',
    text: nodes(`${SEQUENCER}\nb: { cl: { external: { rpc: localhost } } }`),
    problems: ['5:35 chains.main.nodes.b.cl.external.rpc: found "localhost"'],
  },

  {
    title: 'an existing chain that is said again',
    text: chain('from: { genesis: g.json, rollup: r.json }\nchainId: 7\nforks: { base: granite }'),
    problems: [
      "4:5 chains.main.chainId: chainId is said by the chain's own files, /base/spec/r.json and /base/spec/g.json",
      "5:5 chains.main.forks: forks is said by the chain's own files, /base/spec/r.json and /base/spec/g.json",
    ],
  },
  {
    title: 'an override that needs upgrade transactions that are not there',
    text: nodes(`${SEQUENCER}\nb: { override: { karst: +9s } }`),
    problems: [
      '5:31 chains.main.nodes.b.override.karst: Karst activates after genesis, ' +
        'and the package has no upgrade bundle for it',
    ],
  },

  {
    title: 'no YAML',
    text: 'name: [a, b\nseed: 1\n',
    problems: ['2:1 : not YAML: flow sequence in block collection must be sufficiently indented and end with a ]'],
  },
  {
    title: 'a second document',
    text: 'version: 1\n---\nchains: { main: { bogus: 1 } }\n',
    problems: ['2:1 : a second YAML document begins here'],
    allowed: 'one document, with nothing after "---" or "..."',
  },
  {
    title: 'a second document that is empty, or no YAML',
    text: 'version: 1\n---\n"unclosed\n',
    problems: ['2:1 : a second YAML document begins here'],
  },
  {
    title: 'text after the end of the document',
    text: 'version: 1\n...\n# a comment\nchains: { main: { bogus: 1 } }\n',
    problems: ['4:1 : a second YAML document begins here'],
  },
  {
    title: 'a second document in an overlay',
    text: '{}\n',
    sets: ['seed=1\n---\n2'],
    problems: ['2:1 : a second YAML document begins here'],
  },
  {
    title: 'a directive that YAML does not have',
    text: '%BASE default\n---\nversion: 1\n',
    problems: ['1:1 : not YAML: unknown directive %BASE'],
  },
  { title: 'an own tag', text: 'seed: !secret 1\n', problems: ['1:15 seed: the tag "!secret" has no meaning here'] },
  {
    title: 'an alias without its anchor',
    text: 'seed: *none\n',
    problems: ['1:7 seed: the alias "*none" has no anchor before it'],
  },
  {
    title: 'a base that is not there',
    text: 'base: fork-dril\n',
    problems: ['1:7 base: there is no spec "fork-dril" to lay this one over'],
    nearest: 'fork-drill',
  },
  {
    title: 'an overlay with an unknown key',
    text: '{}\n',
    sets: ['chains.main.blockTim=1'],
    problems: ['1:13 chains.main.blockTim: unknown key "blockTim"'],
    nearest: 'blockTime',
  },
  {
    title: 'an overlay without a value',
    text: '{}\n',
    sets: ['chains.main'],
    problems: ['1:1 : "chains.main" sets nothing'],
  },
  {
    title: 'a value of another option, at its place in what the user gave',
    text: '{}\n',
    sets: [{ path: ['chains', 'main', 'blockTime'], source: { name: '--block-time', text: 'main=fast' } }],
    problems: ['1:6 chains.main.blockTime: found "fast"'],
  },
];

describe('a wrong spec is reported with its place, its fault and what is allowed', () => {
  it.each(table)('$title', ({ text, problems, allowed, nearest, sets = [] }) => {
    const outcome = parse(text, { sets });
    expect(outcome.ok).toBe(false);
    if (outcome.ok) return;
    expect(outcome.problems.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`)).toEqual(
      problems,
    );
    if (allowed !== undefined) expect(outcome.problems[0]!.allowed).toBe(allowed);
    if (nearest !== undefined) expect(outcome.problems[0]!.nearest).toBe(nearest);
  });
});
