import { createRequire } from 'node:module';
import { readManifest } from './contracts/manifest.ts';

/** Bytecode of contracts that others wrote, in `dist/contracts.json` and `dist/bundles`. */
interface Contracts {
  readonly title: string;
  /** SPDX identifier of the sources. The package that the code comes from may have another licence. */
  readonly licence: string;
  /** What the sources leave open about the licence. */
  readonly remark?: string;
  readonly copyright: string;
  /** Where the sources of this very code are published. */
  readonly source: string;
  /** Names in the manifest of preinstalls and system contracts; none for parts of the packages' own contracts. */
  readonly names: readonly string[];
}

const BEDROCK = 'https://github.com/ethereum-optimism/optimism/tree/develop/packages/contracts-bedrock';

const CONTRACTS: readonly Contracts[] = [
  {
    title: 'Safe 1.3.0: Safe, SafeL2, MultiSend, MultiSendCallOnly',
    licence: 'LGPL-3.0-only',
    copyright: 'Stefan George, Richard Meissner and the other authors that the sources name',
    source: 'https://github.com/safe-global/safe-smart-account/tree/v1.3.0',
    names: ['Safe_v130', 'SafeL2_v130', 'MultiSend_v130', 'MultiSendCallOnly_v130'],
  },
  {
    title: 'ERC-4337 EntryPoint and SenderCreator 0.6.0',
    licence: 'GPL-3.0-only',
    copyright: 'the authors of account-abstraction (eth-infinitism)',
    source: 'https://github.com/eth-infinitism/account-abstraction/tree/v0.6.0',
    names: ['EntryPoint', 'SenderCreator'],
  },
  {
    title: 'ERC-4337 EntryPoint and SenderCreator 0.7.0, from the npm package @account-abstraction/contracts',
    licence: 'GPL-3.0-only',
    copyright: 'the authors of account-abstraction (eth-infinitism)',
    source: 'https://github.com/eth-infinitism/account-abstraction/tree/v0.7.0',
    names: ['EntryPoint_v070', 'SenderCreator_v070'],
  },
  {
    title: 'CreateX 1.0.0, from the npm package @nomicfoundation/ignition-core',
    licence: 'AGPL-3.0-only',
    copyright: 'Pascal Marco Caversaccio and Matt Solomon',
    source: 'https://github.com/pcaversaccio/createx/tree/v1.0.0',
    names: ['CreateX'],
  },
  {
    title: 'Multicall3',
    licence: 'MIT',
    copyright: 'Michael Elliot, Joshua Levine, Nick Johnson, Andreas Bigger and Matt Solomon',
    source: 'https://github.com/mds1/multicall3',
    names: ['MultiCall3'],
  },
  {
    title: 'Create2Deployer',
    licence: 'MIT',
    copyright: 'Copyright (c) 2022 Pascal Marco Caversaccio',
    source: 'https://github.com/pcaversaccio/create2deployer',
    names: ['Create2Deployer'],
  },
  {
    title: 'Permit2',
    licence: 'MIT',
    copyright: 'Copyright (c) 2022 Uniswap',
    source: 'https://github.com/Uniswap/permit2',
    names: ['Permit2'],
  },
  {
    title: 'Safe singleton factory (the code of the deterministic deployment proxy)',
    licence: 'MIT',
    copyright: 'Richard Meissner',
    source: 'https://github.com/safe-global/safe-singleton-factory',
    names: ['SafeSingletonFactory'],
  },
  {
    title: 'Deterministic deployment proxy',
    licence: 'Unlicense',
    copyright: 'released into the public domain by its authors',
    source: 'https://github.com/Zoltu/deterministic-deployment-proxy',
    names: ['DeterministicDeploymentProxy'],
  },
  {
    title: 'System contracts of EIP-4788, 2935, 7002 and 7251, as printed in these EIPs',
    licence: 'CC0-1.0',
    copyright: 'waived by the authors of the EIPs',
    source: 'https://eips.ethereum.org/EIPS, eip-4788, eip-2935, eip-7002 and eip-7251',
    names: ['BeaconBlockRoots', 'HistoryStorage', 'WithdrawalRequests', 'ConsolidationRequests'],
  },
  {
    title: 'WETH98.sol (in DelayedWETH) and WETH9.sol, from @eth-optimism/contracts-bedrock',
    licence: 'GPL-3.0-or-later',
    copyright: 'Copyright (C) 2015, 2016, 2017 Dapphub',
    source: `${BEDROCK}/src and the npm package @eth-optimism/contracts-bedrock`,
    names: [],
  },
  {
    title: 'AddressAliasHelper.sol (in portals and messengers), from @eth-optimism/contracts-bedrock',
    licence: 'Apache-2.0',
    copyright: 'Copyright 2019-2021, Offchain Labs, Inc.',
    source: `${BEDROCK}/src and the npm package @eth-optimism/contracts-bedrock`,
    names: [],
  },
  {
    title: 'ClonesWithImmutableArgs.sol and Clone.sol (in the dispute games), from @eth-optimism/contracts-bedrock',
    licence: 'BSD-3-Clause',
    remark: 'the files say BSD without a version; the package.json of the first of the two sources says Unlicense',
    copyright: 'wighawag, zefram.eth, Saw-mon & Natalie, clabby',
    source:
      'https://github.com/wighawag/clones-with-immutable-args and ' +
      'https://github.com/Saw-mon-and-Natalie/clones-with-immutable-args',
    names: [],
  },
];

/** Returns the notices of contracts whose bytecode is shipped. @throws if a contract of the manifest has no entry */
export function contractNotices(): readonly string[] {
  const listedNames = new Set(CONTRACTS.flatMap(({ names }) => names));
  const missing = readManifest()
    .flatMap(({ preinstalls = [], system = [] }) => [...preinstalls, ...system.map(({ name }) => name)])
    .filter((name) => !listedNames.has(name));
  if (missing.length > 0) throw new Error(`no licence is known of the contracts ${missing.join(', ')}`);
  const texts = new Map(CONTRACTS.map(({ licence }) => [textOf(licence), licence.replace(/-(only|or-later)$/, '')]));
  return [
    '',
    '='.repeat(80),
    'Contracts',
    '',
    'dist/contracts.json and dist/bundles hold the compiled code of these contracts as data of a chain. It is',
    'unmodified, apart from the values that Permit2 computes from the chain id when it is deployed.',
    'Their sources are published at the addresses below, each under its own licence. The text of each licence follows.',
    ...CONTRACTS.flatMap(({ title, licence, remark, copyright, source }) => [
      '',
      title,
      `licence: ${licence}${remark === undefined ? '' : ` (${remark})`}`,
      `copyright: ${copyright}`,
      `source: ${source}`,
    ]),
    ...[...texts].flatMap(([text, licence]) => ['', '='.repeat(80), `Licence ${licence}`, '', text]),
  ];
}

function textOf(licence: string): string {
  const require = createRequire(import.meta.url);
  return (require(`spdx-license-list/licenses/${licence}.json`) as { licenseText: string }).licenseText.trim();
}
