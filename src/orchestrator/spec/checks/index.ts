import { mnemonics } from './accounts.ts';
import { altDas } from './alt-da.ts';
import { allocFiles, bundleFiles, chainFiles } from './chain-files.ts';
import { challengers } from './challenger.ts';
import type { Check } from './check.ts';
import { clients } from './clients.ts';
import { conductors } from './conductor.ts';
import { faults } from './faults.ts';
import { follow } from './follow.ts';
import { forkTimes } from './fork-times.ts';
import { blobs, bundles, clientForks, forkOrder, overrides } from './forks.ts';
import { l1 } from './l1.ts';
import { chainIds, names, ports } from './names.ts';
import { blockTimes, external, peers, sequencer } from './nodes.ts';
import { places } from './places.ts';
import { programs } from './programs.ts';
import { signers } from './signer.ts';

/** Everything that a spec of the right shape can still get wrong. */
export const CHECKS: readonly Check[] = [
  names,
  chainIds,
  ports,
  sequencer,
  peers,
  follow,
  blockTimes,
  external,
  faults,
  places,
  challengers,
  signers,
  altDas,
  conductors,
  clients,
  l1,
  forkOrder,
  overrides,
  bundles,
  clientForks,
  blobs,
  chainFiles,
  // Reads what chainFiles has read.
  forkTimes,
  bundleFiles,
  allocFiles,
  mnemonics,
  programs,
];
