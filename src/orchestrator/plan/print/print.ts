import { shellQuote } from '../../../system/program/shell-quote.ts';
import { ANY } from '../links.ts';
import type { ChainView, FileContent, ForkTimes, Link, Plan, Task } from '../plan.ts';
import { redactPlan } from '../redact.ts';

/**
 * Formats the plan for people: files, then processes in the order of their start. `sizes`: bytes of the files by
 * path.
 */
export function planText(plan: Plan, sizes: ReadonlyMap<string, number>): string {
  const { network, files, tasks, devnet, home, genesisTime, notices, dashboard, links = [] } = redactPlan(plan);
  const start = new Date(genesisTime * 1000).toISOString();
  return [
    `${devnet}, in ${home}, genesis ${genesisTime} (${start})`,
    `  L1 ${network.l1.chainId}: genesis ${network.l1.genesisHash}, a block every ${network.l1.blockTime} s`,
    ...network.chains.flatMap((chain) => [
      `  ${chain.name} ${chain.chainId}: genesis ${chain.genesisHash}, ` +
        `a block every ${chain.blockTime} s, forks ${forksText(chain.forks, genesisTime)}`,
      ...bundleLines(chain.bundles),
      ...chain.nodes
        .filter(({ overrides }) => Object.keys(overrides).length > 0)
        .map(({ name, overrides }) => `    ${name} alone: ${laterForks(overrides, genesisTime).join(', ')}`),
    ]),
    '',
    'files',
    ...files.map(
      ({ path, mode, content }) =>
        `  ${mode.toString(8).padStart(4, '0')} ${path}  ${contentText(content)}${sizes.get(path)} bytes`,
    ),
    '',
    'processes, in the order of their start; each waits only for what its line names and for the files that it reads',
    ...tasks.flatMap((task) => taskText(task, home)),
    ...(links.length === 0 ? [] : ['', 'links, each through a proxy of the supervisor', ...links.map(linkText)]),
    ...(dashboard === undefined
      ? []
      : ['', `  dashboard, when the network is ready, ${dashboard.url}`, `    ${commandText(dashboard)}`]),
    ...(notices.length === 0 ? [] : ['', ...notices.map((notice) => `note: ${notice}`)]),
    '',
  ].join('\n');
}

function linkText({ from, to, port, transport, listen, target }: Link): string {
  const [source, number] = [from === ANY ? 'any peer' : from, transport === 'udp' ? `${listen.port}/udp` : listen.port];
  return `  ${source} > ${to} ${port}: ${listen.host}:${number} > ${target.host}:${target.port}`;
}

function taskText(task: Task, home: string): readonly string[] {
  const waits = waitsOf(task);
  const how: string[] =
    task.launch === 'spawn' ? [] : [task.launch === 'manual' ? 'started by you' : 'running already'];
  if (task.container !== undefined) how.push(`in a container of ${task.container.image}`);
  const ports = task.ports.map(({ name, port, transport }) => `${name} ${port}${transport === 'udp' ? '/udp' : ''}`);
  const head = [`${task.id} (${task.client})`, ...how, ...waits, ...ports].join(', ');
  const inHome = (path: string) => (path.startsWith(`${home}/`) ? path.slice(home.length + 1) : path);
  const reads = task.reads.map(inHome);
  const lines = [
    ...(reads.length === 0 ? [] : [`reads: ${reads.join(', ')}`]),
    ...task.prepare.map(({ argv }) => `prepare: ${argv.map(shellQuote).join(' ')}`),
    commandText(task),
    ...(task.resume === undefined ? [] : [`where ${inHome(task.resume.file)} exists: ${commandText(task.resume)}`]),
  ];
  return ['', `  ${head}`, ...lines.filter((line) => line !== '').map((line) => `    ${line}`)];
}

/** Describes what a task waits for before it starts. */
export function waitsOf({ needs, late, launch }: Task): readonly string[] {
  return [
    // The command line of a task that the user starts is printed at once.
    ...(late === true && launch !== 'manual' ? ['when the network is ready'] : []),
    ...needs.map(({ task, until }) => `after ${task} is ${until}`),
  ];
}

function commandText({ command: { env, argv } }: Pick<Task, 'command'>): string {
  return [...Object.entries(env).map(([name, value]) => `${name}=${shellQuote(value)}`), ...argv.map(shellQuote)].join(
    ' ',
  );
}

function forksText(forks: ForkTimes, genesisTime: number): string {
  const base = Object.entries(forks)
    .filter(([, time]) => time !== null && time <= genesisTime)
    .at(-1)?.[0];
  return [...(base === undefined ? [] : [`up to ${base}`]), ...laterForks(forks, genesisTime)].join(', ');
}

function laterForks(forks: ForkTimes, genesisTime: number): readonly string[] {
  return Object.entries(forks)
    .filter(([, time]) => time === null || time > genesisTime)
    .map(([fork, time]) => `${fork} ${time === null ? 'never' : `+${time - genesisTime}s`}`);
}

/** Describes where the upgrade transactions of the chain's forks come from. */
function bundleLines(bundles: ChainView['bundles'] = {}): readonly string[] {
  const texts = Object.entries(bundles).map(([fork, origin]) => `${fork} ${origin}`);
  const note = Object.values(bundles).includes('unofficial') ? "; unofficial: this package's own contracts" : '';
  return texts.length === 0 ? [] : [`    upgrade transactions: ${texts.join(', ')}${note}`];
}

function contentText(content: FileContent): string {
  return content.kind === 'text' ? '' : `${kindText(content)}, `;
}

function kindText(content: FileContent | { readonly kind: 'file'; readonly path: string }): string {
  if (content.kind === 'upgrade-bundle') return `upgrade bundle of ${content.fork}`;
  if (content.kind === 'file') return content.path;
  if (content.kind === 'without') return `${kindText(content.of)} without ${content.keys.join(', ')}`;
  return content.kind.replace('-', ' ');
}
