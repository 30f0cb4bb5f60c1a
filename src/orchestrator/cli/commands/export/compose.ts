import { resolve } from 'node:path';
import { EXIT } from '../../../../system/failure.ts';
import { composeText, projectText } from '../../../export/compose/compose.ts';
import { clientLimits, swarmLimits } from '../../../export/compose/configs.ts';
import { stackText } from '../../../export/compose/stack.ts';
import { tunnelText } from '../../../export/compose/tunnel.ts';
import { EXPORT_PATHS, exportNetwork } from '../../../export/export-network.ts';
import { writeExport } from '../../../export/write-export.ts';
import { loadSpec } from '../../../load/load-spec.ts';
import type { CommandDefinition } from '../../input/command.ts';
import { SPEC_ARGUMENT, SPEC_OPTIONS, specInput } from '../../input/spec-options.ts';

export const command: CommandDefinition = {
  name: 'export compose',
  group: 'other machines',
  summary: 'write the network as a folder that `docker compose up` runs, without this tool',
  examples: ['devnet export compose', 'devnet export compose fork-drill --out drill --image registry.example/devnet:1'],
  arguments: [SPEC_ARGUMENT],
  options: [
    ...SPEC_OPTIONS,
    { flags: '--out <folder>', description: 'the folder to write (default: NAME-compose)' },
    { flags: '--image <name>', description: "the image of all services (default: this package's own)" },
    {
      flags: '--expose',
      description: 'publish JSON-RPC on every address of the machine; needs accounts with a mnemonic of your own',
    },
  ],
  async run(io, [spec], options) {
    const isExposed = options['expose'] === true;
    const loaded = await loadSpec(io, specInput(spec, options));
    const { devnet, units, files, attach, image, notices } = await exportNetwork(io, loaded, isExposed);
    const folder = String(options['out'] ?? `${devnet}-compose`);
    const name = String(options['image'] ?? image);
    const composeOptions = { image: name, isExposed, ...EXPORT_PATHS };
    const configs = files.filter(({ secret }) => secret === undefined);
    const limits = [...swarmLimits(loaded, configs), ...clientLimits(units)];
    const isForSwarm = limits.length === 0;
    const composeFiles = [
      { path: 'docker-compose.yml', text: composeText(devnet, units, composeOptions) },
      { path: '.env', text: projectText(devnet) },
      ...(isForSwarm
        ? [
            { path: 'stack.yaml', text: stackText(devnet, units, configs, composeOptions) },
            { path: 'tunnel.yaml', text: tunnelText(devnet, units, composeOptions) },
          ]
        : []),
    ];
    writeExport(resolve(io.cwd, folder), [...composeFiles, attach, ...files]);
    for (const notice of [...notices, ...limits]) io.stderr(`note: ${notice}\n`);
    io.stderr(
      `wrote ${folder}: ${units.length} services of the image ${name}\n` +
        `\`cd ${folder} && docker compose up -d --wait\` starts it\n` +
        (isForSwarm ? `on a swarm: \`docker stack deploy -c ${folder}/stack.yaml devnet-${devnet}\`\n` : ''),
    );
    return EXIT.done;
  },
};
