import { EXIT } from '../../../../system/failure.ts';
import { BUILD } from '../../../../system/program/build.ts';
import { packageRoot } from '../../../../system/program/entry.ts';
import { imageLabels } from '../../../image/image-config.ts';
import { packageFacts } from '../../../image/package-facts.ts';
import { packageImage } from '../../../load/plan-inputs.ts';
import { buildOwnImage } from '../../../runtimes/docker/containers.ts';
import { ownImage } from '../../../start/images.ts';
import { showTasks } from '../../../terminal/task-list.ts';
import type { CommandDefinition } from '../../input/command.ts';

export const command: CommandDefinition = {
  name: 'image build',
  group: 'other machines',
  summary: "build this package's image with the Docker daemon; networks in containers and exports run it",
  examples: ['devnet image build', 'devnet image build --tag registry.example/devnet:1'],
  arguments: [],
  options: [
    { flags: '--tag <name>', description: 'its name (default: that which exports name)' },
    { flags: '--base <image>', description: 'the image that it is built upon, with Node 22.15 or newer and glibc' },
  ],
  async run(io, _arguments, options) {
    const build = packageImage();
    const tag = String(options['tag'] ?? build);
    const base = options['base'] === undefined ? {} : { base: String(options['base']) };
    const labels = imageLabels(packageFacts(packageRoot(), BUILD ?? 'source'));
    const title = `build ${tag}`;
    await showTasks(io, 'building the image', [title], async (list) => {
      const progress = (text: string) => list.detail(title, text.split('\n')[0] ?? '');
      await buildOwnImage(io.env, { tag, build, labels }, { ...ownImage(io), ...base }, progress);
      list.done(title);
    });
    io.stdout(`${tag}\n`);
    return EXIT.done;
  },
};
