import { resolve } from 'node:path';
import { EXIT } from '../../../../system/failure.ts';
import { BUILD } from '../../../../system/program/build.ts';
import { packageRoot } from '../../../../system/program/entry.ts';
import { packageFacts } from '../../../image/package-facts.ts';
import { saveImage } from '../../../image/save-image.ts';
import { packageImage } from '../../../load/plan-inputs.ts';
import { installedAnvil } from '../../../start/images.ts';
import type { CommandDefinition } from '../../input/command.ts';

export const command: CommandDefinition = {
  name: 'image save',
  group: 'other machines',
  summary: "write this package's image as an OCI archive, without a daemon",
  examples: [
    'devnet image save devnet.tar',
    'devnet image save devnet.tar --base node.tar --tag registry.example/devnet:1',
  ],
  arguments: [{ syntax: '<file>', description: 'the archive to write; `docker load` and `ctr images import` take it' }],
  options: [
    { flags: '--tag <name>', description: 'its name (default: that which exports name)' },
    {
      flags: '--base <file>',
      description:
        'an archive of `docker save` that it is built upon (default: Node and the libraries of this machine)',
    },
  ],
  async run(io, [file], options) {
    const path = resolve(io.cwd, String(file));
    const base = options['base'] === undefined ? undefined : resolve(io.cwd, String(options['base']));
    const tag = String(options['tag'] ?? packageImage());
    const root = packageRoot();
    const facts = packageFacts(root, BUILD ?? 'source');
    const layer = await saveImage(path, { root, anvil: installedAnvil(io.env), base, tag, facts });
    io.stderr(`wrote ${path}: ${tag}, our layer ${layer}\n`);
    return EXIT.done;
  },
};
