import type { ClientFacts, ClientKind } from '../resolve/client.ts';
import type { Path } from '../schema/json.ts';
import type { ProcessSpec } from '../schema/types.ts';
import { nearest } from '../text/nearest.ts';
import { isPath } from '../text/shorthand.ts';
import { type Check, type CheckContext, chainsOf } from './check.ts';

/** Every process names a client that exists, is of the right kind, and can run as asked. */
export const clients: Check = (context) => {
  for (const entry of processes(context)) {
    const { process, external } = entry;
    if (external) continue;
    const facts = factsOf(context, entry, process.client);
    if (facts === undefined) continue;
    const use: ClientUse = { ...entry, client: process.client, facts };
    checkRuntime(context, use);
    checkPorts(context, use);
    checkArguments(context, use);
  }
};

/** A process and the client that it runs. */
interface ClientUse extends PlacedProcess {
  readonly client: string;
  readonly facts: ClientFacts;
}

/** Returns what is known of a process's client. Reports one that is unknown or of another kind. */
function factsOf(context: CheckContext, { path, kind }: PlacedProcess, client: string): ClientFacts | undefined {
  const facts = context.clients.get(client);
  if (facts?.kind === kind) return facts;
  const allowed = [...context.candidates(kind), 'the path of a template'].join(', ');
  if (facts !== undefined)
    context.report([...path, 'client'], 'client', `${client} is a client of the kind ${facts.kind}, not ${kind}`, {
      allowed,
    });
  // A template of the user's that did not load has been reported already.
  else if (!isPath(client))
    context.report([...path, 'client'], 'client', `unknown client "${client}"`, {
      allowed,
      nearest: nearest(client, context.candidates(kind)),
    });
  return undefined;
}

function checkRuntime(context: CheckContext, use: ClientUse): void {
  const { path, process, client, facts } = use;
  if (!facts.runtimes.includes(process.runtime))
    context.report(
      [
        [...path, 'runtime'],
        [...path, 'binary'],
        [...path, 'image'],
        [...path, 'client'],
      ],
      'runtime',
      `${client} has no runtime ${process.runtime}`,
      { allowed: facts.runtimes.join(', ') },
    );
  else if (process.runtime === 'docker') checkContainer(context, use);
  else if (process.runtime === 'process' && facts.needsBinary && process.binary === undefined && context.isSound(path))
    context.report([...path, 'client'], 'runtime', `${client} is not a program of this package: give its binary`, {
      allowed: 'binary: a path, or a name on the PATH',
    });
  else if (process.runtime === 'embedded' && process.binary !== undefined)
    context.report([...path, 'binary'], 'runtime', 'an embedded client is part of this package and takes no binary', {
      allowed: 'runtime: process',
    });
  else
    for (const key of ['image', 'limits'] as const)
      if (process[key] !== undefined)
        context.reportKey([...path, key], 'runtime', `"${key}" has a meaning for containers only`, {
          allowed: 'runtime: docker',
        });
}

function checkContainer(context: CheckContext, { path, process, client, facts }: ClientUse): void {
  if (process.launch === 'manual')
    context.report([...path, 'launch'], 'runtime', 'a process that you start yourself cannot run in a container', {
      allowed: 'launch: spawn, or another runtime',
    });
  else if (process.binary !== undefined)
    context.report([...path, 'binary'], 'runtime', 'a container has its program in its image', {
      allowed: 'image: the name of an image',
    });
  else if (facts.needsImage && process.image === undefined && context.isSound(path))
    context.report(
      [
        [...path, 'runtime'],
        [...path, 'client'],
      ],
      'runtime',
      `the template ${client} names no image: it has to be given`,
      { allowed: 'image: the name of an image' },
    );
}

function checkPorts(context: CheckContext, { path, process, client, facts }: ClientUse): void {
  for (const port of Object.keys(process.ports))
    if (!facts.portNames.includes(port))
      context.reportKey([...path, 'ports', port], 'unknown-key', `${client} has no port "${port}"`, {
        allowed: facts.portNames.join(', '),
        nearest: nearest(port, facts.portNames),
      });
}

function checkArguments(context: CheckContext, { path, process, client, facts }: ClientUse): void {
  for (const argument of Object.keys(process.args)) {
    const refusal = ownOf(facts.refusedArguments, argument);
    const instead = ownOf(facts.ownArguments, argument);
    if (refusal !== undefined)
      context.reportKey(
        [...path, 'args', argument],
        'argument',
        `--${argument} cannot be given to ${client} here: ${refusal}`,
      );
    else if (instead !== undefined)
      context.reportKey(
        [...path, 'args', argument],
        'argument',
        `--${argument} is set by the plan, on which other processes rely`,
        { allowed: instead },
      );
  }
}

function ownOf(record: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

interface PlacedProcess {
  readonly path: Path;
  readonly kind: ClientKind;
  readonly process: ProcessSpec;
  readonly external: boolean;
}

/** Every process of the spec with its place. */
export function processes(context: CheckContext): readonly PlacedProcess[] {
  const { l1 } = context.spec;
  const list: PlacedProcess[] = [
    { path: ['l1'], kind: 'l1', process: l1, external: false },
    { path: ['l1', 'beacon'], kind: 'beacon', process: l1.beacon, external: false },
  ];
  for (const [name, { batcher, proposer, signer, altDa, conductor, nodes }] of chainsOf(context)) {
    if (batcher !== null)
      list.push({ path: ['chains', name, 'batcher'], kind: 'batcher', process: batcher, external: false });
    if (proposer !== null)
      list.push({ path: ['chains', name, 'proposer'], kind: 'proposer', process: proposer, external: false });
    const challenger = proposer?.challenger ?? null;
    if (challenger !== null)
      list.push({
        path: ['chains', name, 'proposer', 'challenger'],
        kind: 'challenger',
        process: challenger,
        external: false,
      });
    if (signer !== null)
      list.push({ path: ['chains', name, 'signer'], kind: 'signer', process: signer, external: false });
    if (conductor !== null)
      list.push({ path: ['chains', name, 'conductor'], kind: 'conductor', process: conductor, external: false });
    if (altDa !== null)
      list.push({ path: ['chains', name, 'altDa'], kind: 'da-server', process: altDa, external: false });
    const places = new Set<string>();
    for (const [node, { el, cl }] of Object.entries(nodes)) {
      const path = context.nodePath(name, node);
      // Nodes of one count stand at one place, and are wrong once.
      if (places.has(path.join('.'))) continue;
      places.add(path.join('.'));
      list.push({ path: [...path, 'el'], kind: 'el', process: el, external: el.external !== undefined });
      list.push({ path: [...path, 'cl'], kind: 'cl', process: cl, external: cl.external !== undefined });
    }
  }
  return list;
}
