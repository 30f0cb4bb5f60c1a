import { EXIT } from '../../system/failure.ts';
import { diagnose } from '../observe/doctor.ts';
import { anvilPath } from './anvil.ts';
import type { CommandDefinition } from './command.ts';
import { homeOf } from './early.ts';
import { allDevnets, phaseOf } from './select.ts';

export const command: CommandDefinition = {
  name: 'doctor',
  summary: 'look whether this machine has what a devnet needs, and what is left over',
  arguments: [],
  options: [{ flags: '--json', description: 'one JSON document' }],
  async run(io, _, options) {
    const findings = await diagnose({
      home: homeOf(io),
      path: io.env['PATH'] ?? '',
      anvil: anvilPath(io.env),
      devnets: allDevnets(io).map((devnet) => ({
        name: devnet.paths.name,
        phase: phaseOf(devnet),
        running: devnet.owner !== undefined,
        paths: devnet.paths,
      })),
    });
    if (options['json'] === true) io.stdout(`${JSON.stringify(findings, null, 2)}\n`);
    else
      for (const { level, says, hint } of findings)
        io.stdout(
          `${{ good: 'ok   ', note: 'note ', bad: 'LACKS' }[level]} ${says}${hint === undefined ? '' : `\n      ${hint}`}\n`,
        );
    return findings.some(({ level }) => level === 'bad') ? EXIT.lacking : EXIT.done;
  },
};
