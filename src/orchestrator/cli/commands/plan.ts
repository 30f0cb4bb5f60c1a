import { resolve } from 'node:path';
import { EXIT } from '../../../system/failure.ts';
import { writePrivate } from '../../../system/files/folder.ts';
import { portIsFree } from '../../../system/net/ports.ts';
import { viewOf } from '../../devnet/select.ts';
import { homeOf } from '../../folder/home.ts';
import { loadSpec } from '../../load/load-spec.ts';
import { planInputs } from '../../load/plan-inputs.ts';
import { contentOf } from '../../load/planned-content.ts';
import { entryOf } from '../../plan/lookup.ts';
import type { Plan } from '../../plan/plan.ts';
import { type PortRequest, portRequests, preferredPorts } from '../../plan/ports.ts';
import { planText } from '../../plan/print/print.ts';
import { shellScript } from '../../plan/print/shell.ts';
import { redactPlan } from '../../plan/redact.ts';
import { planNetwork } from '../../plan/tasks/network.ts';
import { findHiddenPlace } from '../../ports/hidden-place.ts';
import type { Io } from '../../terminal/io.ts';
import type { CommandDefinition, OptionValues } from '../input/command.ts';
import { existing, SPEC_OR_NAME } from '../input/existing.ts';
import { SPEC_OPTIONS, specInput } from '../input/spec-options.ts';

export const command: CommandDefinition = {
  name: 'plan',
  group: 'specs and clients',
  summary: 'print what `up` would launch, starting nothing; with --name alone, what that devnet runs',
  examples: ['devnet plan', 'devnet plan fork-drill --json', 'devnet plan --shell'],
  arguments: [SPEC_OR_NAME],
  options: [
    ...SPEC_OPTIONS,
    { flags: '--json', description: 'as one JSON document' },
    { flags: '--shell', description: 'as a bash script; writes the files that its commands need' },
    { flags: '--out <folder>', description: 'with --shell: the folder of the network (default: as up would choose)' },
  ],
  forPrograms: ({ json, shell }) => json === true || shell === true,
  async run(io, [spec], options) {
    const devnet = existing(io, spec, options);
    const plan = devnet === undefined ? await newPlan(io, spec, options) : viewOf(devnet).plan;
    if (options['json'] === true) io.stdout(`${JSON.stringify(redactPlan(plan), null, 2)}\n`);
    else if (options['shell'] === true) {
      if (devnet === undefined) {
        writeFiles(plan);
        io.stderr(`wrote ${plan.files.length} files into ${plan.home}\n`);
      }
      io.stdout(shellScript(plan));
    } else io.stdout(planText(plan, sizesOf(plan)));
    return EXIT.done;
  },
};

async function newPlan(io: Io, spec: string | readonly string[] | undefined, options: OptionValues): Promise<Plan> {
  const loaded = await loadSpec(io, specInput(spec, options));
  const home = options['out'] === undefined ? homeOf(io) : resolve(io.cwd, String(options['out']));
  const place = await findHiddenPlace(home, loaded.spec);
  const ports = await freePorts(portRequests(loaded.spec, loaded.clients, place));
  return planNetwork(loaded.spec, loaded.clients, planInputs(io, loaded, home, { hiddenHost: place.host, ports }));
}

/** Finds the ports that the network would take now. Reserves none. */
async function freePorts(requests: readonly PortRequest[]): Promise<Readonly<Record<string, number>>> {
  const busy = new Set<number>();
  for (;;) {
    const ports = preferredPorts(requests, (port) => !busy.has(port));
    const free = await Promise.all(
      requests.map(({ key, host, transport }) => portIsFree(host, entryOf(ports, key), transport)),
    );
    const conflicts = requests.filter((_, index) => !free[index]);
    if (conflicts.length === 0) return ports;
    for (const { key } of conflicts) busy.add(entryOf(ports, key));
  }
}

/** Returns the size of each file as it is written. */
function sizesOf({ files }: Plan): ReadonlyMap<string, number> {
  return new Map(files.map(({ path, content }) => [path, Buffer.byteLength(contentOf(content))]));
}

function writeFiles(plan: Plan): void {
  for (const { path, mode, content } of plan.files) writePrivate(path, contentOf(content), mode);
}
