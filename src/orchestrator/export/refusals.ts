import { EXIT, Failure } from '../../system/failure.ts';
import type { LoadedSpec } from '../load/loaded-spec.ts';
import { isGated } from '../plan/hidden.ts';
import type { HostNames } from '../plan/inputs.ts';
import { entryOf, taskIds } from '../plan/lookup.ts';
import type { Path } from '../spec/schema/json.ts';
import type { NodeSpec, ProcessSpec, Spec } from '../spec/schema/types.ts';
import { spanAt } from '../spec/text/positions.ts';
import { type Problem, problemAt, renderProblems } from '../spec/text/problem.ts';
import type { Span } from '../spec/text/source.ts';
import { parseYaml } from '../spec/text/yaml.ts';
import type { ClientTemplate } from '../template/template.ts';
import { hostNamesOf } from './host-names.ts';

/** A part of a spec that an exported network cannot have. */
export interface Refusal {
  readonly path: Path;
  readonly message: string;
  readonly allowed: string;
}

/**
 * Refuses a spec whose network needs a supervisor, or a program that the package's image lacks. `isExposed`: other
 * machines reach its ports.
 * @throws Failure `spec` (exit 2) with every problem and its position
 */
export function checkExport(loaded: LoadedSpec, { isExposed }: { readonly isExposed: boolean }): void {
  refuseExport(loaded, [
    ...supervisorRefusals(loaded.spec),
    ...processRefusals(loaded),
    ...raftRefusals(loaded.spec),
    ...keyRefusals(loaded.spec, isExposed),
  ]);
}

/** Ends an export with its refusals, if it has any. @throws Failure `spec` (exit 2) */
export function refuseExport(loaded: LoadedSpec, refusals: readonly Refusal[]): void {
  if (refusals.length === 0) return;
  const problems = refusals.map((refusal) => problemOf(loaded, refusal));
  const count =
    problems.length === 1 ? 'this network cannot be exported' : `${problems.length} things prevent the export`;
  throw new Failure('spec', `${count}\n\n${renderProblems(problems)}\n`, { exit: EXIT.usage, data: { problems } });
}

function problemOf(loaded: LoadedSpec, { path, message, allowed }: Refusal): Problem {
  return problemAt(spanIn(loaded, path), 'launch', path, message, { allowed });
}

/** Returns where a part of a spec stands in its text. */
export function spanIn({ source }: LoadedSpec, path: Path): Span {
  const { layer } = parseYaml(source);
  return layer === undefined ? { source, start: 0, end: 0 } : spanAt([layer], path);
}

function supervisorRefusals({ time: { clock, rate }, faults }: Spec): readonly Refusal[] {
  return [
    ...(faults
      ? [
          {
            path: ['faults'],
            message: 'faults: true needs the proxies of a supervisor, and an exported network has none',
            allowed: 'false',
          },
        ]
      : []),
    ...(clock === 'wall'
      ? []
      : [
          {
            path: ['time', 'clock'],
            message: `clock: ${clock} needs a supervisor, and an exported network has none`,
            allowed: 'wall',
          },
        ]),
    ...(rate === 1
      ? []
      : [
          {
            path: ['time', 'rate'],
            message: `rate: ${rate} needs a supervisor, and an exported network has none`,
            allowed: '1',
          },
        ]),
  ];
}

/** A process of a spec, with its place in it. */
interface PlacedProcess {
  readonly path: Path;
  readonly task: string;
  readonly process: ProcessSpec | NodeSpec['el'] | NodeSpec['cl'];
}

/** Lists the processes of a spec in the order of its text. */
export function processesOf({ l1, chains }: Spec): readonly PlacedProcess[] {
  const ofChain = ([name, { nodes, batcher, proposer, signer, altDa, conductor }]: [
    string,
    Spec['chains'][string],
  ]) => [
    ...(batcher === null ? [] : [{ path: ['chains', name, 'batcher'], task: `${name}/batcher`, process: batcher }]),
    ...(proposer === null ? [] : [{ path: ['chains', name, 'proposer'], task: `${name}/proposer`, process: proposer }]),
    ...(conductor === null
      ? []
      : [{ path: ['chains', name, 'conductor'], task: `${name}/conductor`, process: conductor }]),
    ...(altDa === null ? [] : [{ path: ['chains', name, 'altDa'], task: `${name}/da-server`, process: altDa }]),
    ...(signer === null ? [] : [{ path: ['chains', name, 'signer'], task: `${name}/signer`, process: signer }]),
    ...(proposer?.challenger == null
      ? []
      : [
          {
            path: ['chains', name, 'proposer', 'challenger'],
            task: `${name}/challenger`,
            process: proposer.challenger,
          },
        ]),
    ...Object.entries(nodes).flatMap(([node, { el, cl }]) => {
      const path = ['chains', name, 'nodes', node];
      const ids = taskIds(name, node);
      return [
        { path: [...path, 'el'], task: ids.el, process: el },
        { path: [...path, 'cl'], task: ids.cl, process: cl },
      ];
    }),
  ];
  return [
    { path: ['l1'], task: 'l1', process: l1 },
    { path: ['l1', 'beacon'], task: 'l1-beacon', process: l1.beacon },
    ...Object.entries(chains).flatMap(ofChain),
  ];
}

function processRefusals({ spec, clients }: LoadedSpec): readonly Refusal[] {
  const hostNames = hostNamesOf(spec);
  const gate = isGated(spec, clients)
    ? []
    : [
        {
          path: ['l1', 'beacon'],
          message: `l1-beacon: ${spec.l1.beacon.client} has no gate, which other machines need to reach L1`,
          allowed: 'l1-beacon',
        },
      ];
  return [
    ...gate,
    ...processesOf(spec).flatMap((placed) => [
      ...programRefusals(placed, clients.get(placed.process.client)),
      ...hostRefusals(placed, hostNames),
    ]),
  ];
}

/** Refuses a process that the package's image cannot start. */
function programRefusals(
  { path, task, process }: PlacedProcess,
  template: ClientTemplate | undefined,
): readonly Refusal[] {
  const refuse = (key: string, message: string, allowed: string) => [
    { path: [...path, key], message: `${task}: ${message}`, allowed },
  ];
  const ours = 'a client of this package, or one with `image:`';
  if ('external' in process && process.external !== undefined)
    return refuse('external', 'an external process belongs to no engine', ours);
  if (process.launch === 'manual')
    return refuse('launch', 'launch: manual leaves its start to a user, and an engine starts all', 'spawn');
  if (process.binary !== undefined) return refuse('binary', `the image has no ${process.binary}`, ours);
  if (process.image !== undefined) return [];
  if (template?.runs.embedded === undefined && template?.runs.docker?.program === undefined)
    return refuse('client', `the package's image has no ${process.client}`, ours);
  return [];
}

/** Refuses lists of served hosts that lack the name by which the others call the process. */
function hostRefusals({ path, task, process: { args } }: PlacedProcess, hostNames: HostNames): readonly Refusal[] {
  const name = entryOf(hostNames, task);
  return Object.entries(args)
    .filter(([option]) => /(^|\.)vhosts$/.test(option))
    .filter(
      ([, value]) =>
        !String(value)
          .split(',')
          .some((host) => host === '*' || host === name),
    )
    .map(([option]) => ({
      path: [...path, 'args', option],
      message: `${task}: the other processes call it by the name ${name}, which ${option} does not serve`,
      allowed: `a list with ${name}`,
    }));
}

/** Refuses sets whose members elect their leader: their raft cluster keeps addresses, and an engine gives new ones. */
function raftRefusals({ chains }: Spec): readonly Refusal[] {
  return Object.entries(chains)
    .filter(([, { conductor }]) => conductor?.front != null)
    .map(([name, { conductor }]) => ({
      path: ['chains', name, 'conductor', 'client'],
      message: `${name}/conductor: a raft cluster of ${conductor?.client} is formed by addresses of this machine`,
      allowed: 'conductor: true',
    }));
}

/** Refuses published keys on a network that other machines reach. */
function keyRefusals({ chains }: Spec, isExposed: boolean): readonly Refusal[] {
  if (!isExposed) return [];
  return Object.entries(chains)
    .filter(([, { accounts }]) => accounts.mnemonic === null && accounts.count > 0)
    .map(([name]) => ({
      path: ['chains', name, 'accounts'],
      message: `chain ${name}: other machines would reach accounts whose keys are published with the default mnemonic`,
      allowed: 'accounts: { mnemonic: … } of your own, or { count: 0 } with addresses',
    }));
}
