import { EXIT, Failure } from '../../../system/failure.ts';
import { proxyInTheWay } from '../../../system/net/proxy.ts';
import { inheritedEnvironment } from '../../../system/process/process.ts';
import { allDevnets, phaseOf } from '../../devnet/select.ts';
import { diagnose, type Finding } from '../../environment/doctor.ts';
import { homeOf } from '../../folder/home.ts';
import { anvilPath } from '../../load/anvil.ts';
import { loadSpec } from '../../load/load-spec.ts';
import type { SpecInput } from '../../load/loaded-spec.ts';
import { planAnywhere } from '../../load/plan-anywhere.ts';
import { reportedVersion } from '../../runtimes/interface/version.ts';
import type { Problem } from '../../spec/text/problem.ts';
import type { Io } from '../../terminal/io.ts';
import type { CommandDefinition } from '../input/command.ts';
import { SPEC_OPTIONS, specInput } from '../input/spec-options.ts';

const LABELS = { good: 'ok  ', note: 'note', bad: 'FAIL' } as const;

export const command: CommandDefinition = {
  name: 'doctor',
  group: 'this machine',
  summary: 'check this machine for missing prerequisites and leftovers',
  examples: ['devnet doctor'],
  exits: { 4: 'something that devnets need is missing' },
  arguments: [{ syntax: '[spec]', description: 'a spec whose binaries are checked and asked for their versions' }],
  options: [...SPEC_OPTIONS, { flags: '--json', description: 'one JSON document' }],
  async run(io, [spec], options) {
    const ofMachine = await diagnose({
      home: homeOf(io),
      path: io.env['PATH'] ?? '',
      proxy: proxyInTheWay(io.env),
      anvil: anvilPath(io.env),
      devnets: allDevnets(io).map((devnet) => ({
        name: devnet.paths.name,
        phase: phaseOf(devnet),
        running: devnet.owner !== undefined,
        paths: devnet.paths,
      })),
    });
    const findings = spec === undefined ? ofMachine : [...ofMachine, ...(await binaries(io, specInput(spec, options)))];
    if (options['json'] === true) io.stdout(`${JSON.stringify(findings, null, 2)}\n`);
    else
      for (const { level, description, hint } of findings)
        io.stdout(`${LABELS[level]} ${description}${hint === undefined ? '' : `\n      ${hint}`}\n`);
    return findings.some(({ level }) => level === 'bad') ? EXIT.lacking : EXIT.done;
  },
};

/** Reports the version of each binary of a spec, or that it is missing. */
async function binaries(io: Io, input: SpecInput): Promise<readonly Finding[]> {
  try {
    const loaded = await loadSpec(io, input);
    const plan = planAnywhere(io, loaded);
    return await Promise.all(
      plan.tasks.flatMap(({ id, client, version, container }) => {
        // The program of a container is in its image.
        if (version === undefined || container !== undefined) return [];
        const description = `${id} (${client}): ${version.argv[0]}`;
        return reportedVersion(version, inheritedEnvironment(io.env)).then(
          (versionText): Finding =>
            versionText === undefined
              ? { level: 'note', description: `${description} reports no version` }
              : { level: 'good', description: `${description} is ${versionText}` },
        );
      }),
    );
  } catch (error) {
    const problems = error instanceof Failure ? (error.data['problems'] as readonly Problem[] | undefined) : undefined;
    if (problems === undefined || problems.some(({ code }) => code !== 'binary')) throw error;
    return problems.map(({ file, line, column, path, message }) => ({
      level: 'bad',
      description: `${path}: ${message}`,
      hint: `${file}:${line}:${column}`,
    }));
  }
}
