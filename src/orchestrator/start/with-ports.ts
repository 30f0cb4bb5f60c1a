import { useKeccak } from '../../protocol/hash.ts';
import { wasmKeccak } from '../../system/crypto/keccak.ts';
import { EXIT, Failure } from '../../system/failure.ts';
import { identify } from '../../system/process/identity.ts';
import { entryPoint } from '../../system/program/entry.ts';
import type { FileCopy } from '../folder/files.ts';
import { genesisContracts } from '../folder/genesis-contracts.ts';
import { homeOf } from '../folder/home.ts';
import { knownFiles } from '../folder/kept-genesis.ts';
import { upgradeBundle } from '../folder/render.ts';
import type { Plan } from '../plan/plan.ts';
import type { PortRequest } from '../plan/ports.ts';
import { type Allocation, allocatePorts } from '../ports/allocate.ts';
import { releasePorts } from '../ports/reservations.ts';
import { pathsOf } from '../state/paths.ts';
import type { Io } from '../terminal/io.ts';

/** A plan whose ports are reserved for the supervisor that runs it. */
export interface Planned {
  readonly plan: Plan;
  /** Returns the resolved spec as JSON, which is also YAML, with this network's times. */
  spec(): string;
  /** Where the content of its large files comes from (see the supervisor's protocol). */
  readonly rendered: Readonly<Record<string, FileCopy | 'follows'>>;
  /** Whether the spec forbids other ports than the preferred ones. */
  readonly fixed: boolean;
}

/**
 * Reserves ports for a devnet whose supervisor has this process id, and plans with their numbers.
 * @throws Failure, after it has released the ports
 */
export async function withPorts(
  io: Io,
  devnet: string,
  requests: readonly PortRequest[],
  supervisor: number,
  planWith: (ports: Allocation['ports']) => Omit<Planned, 'rendered'>,
): Promise<Planned> {
  const home = homeOf(io);
  const paths = pathsOf(home, devnet);
  const owner = identify(supervisor);
  if (owner === undefined)
    throw new Failure('supervisor', 'the supervisor ended before it received the plan', {
      exit: EXIT.lacking,
      hint: `run \`node ${entryPoint('supervisor')} </dev/null\` to see why`,
    });
  const [{ ports, notices }, keccak] = await Promise.all([allocatePorts(requests, paths, owner), wasmKeccak()]);
  useKeccak(keccak);
  try {
    const { plan, ...rest } = planWith(ports);
    return {
      ...rest,
      plan: { ...plan, ports, notices: [...notices, ...plan.notices] },
      rendered: knownFiles(plan, { contracts: genesisContracts(), bundle: upgradeBundle }),
    };
  } catch (error) {
    releasePorts(home, { name: paths.name, supervisor });
    throw error;
  }
}
