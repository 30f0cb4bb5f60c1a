import { basename, resolve } from 'node:path';
import { EXIT, Failure } from '../../../../system/failure.ts';
import { VERSION } from '../../../../system/program/common-options.ts';
import { EXPORT_PATHS, exportNetwork } from '../../../export/export-network.ts';
import { kubernetesFiles } from '../../../export/kubernetes/kubernetes.ts';
import type { ExportFile } from '../../../export/network-folder.ts';
import { writeExport } from '../../../export/write-export.ts';
import { loadSpec } from '../../../load/load-spec.ts';
import type { CommandDefinition } from '../../input/command.ts';
import { SPEC_ARGUMENT, SPEC_OPTIONS, specInput } from '../../input/spec-options.ts';

export const command: CommandDefinition = {
  name: 'export k8s',
  group: 'other machines',
  summary: 'write the network as Kubernetes objects that `kubectl apply -k` starts, without this tool',
  examples: ['devnet export k8s', 'devnet export k8s fork-drill --namespace drill --image registry.example/devnet:1'],
  arguments: [SPEC_ARGUMENT],
  options: [
    ...SPEC_OPTIONS,
    { flags: '--out <folder>', description: 'the folder to write (default: NAME-k8s)' },
    { flags: '--namespace <name>', description: 'the namespace of all objects (default: devnet-NAME)' },
    { flags: '--image <name>', description: "the image of all pods (default: this package's own)" },
    { flags: '--storage <class>', description: 'storage class of the volumes (default: that of the cluster)' },
    {
      flags: '--expose <way>',
      description: 'nodeport: JSON-RPC on a port of every node, with accounts of your own; none: within the cluster',
      default: 'none',
    },
  ],
  async run(io, [spec], options) {
    const isExposed = exposes(String(options['expose']));
    const loaded = await loadSpec(io, specInput(spec, options));
    const { devnet, units, files, image, notices } = await exportNetwork(io, loaded, isExposed);
    const folder = String(options['out'] ?? `${devnet}-k8s`);
    const namespace = namespaceOf(String(options['namespace'] ?? `devnet-${devnet}`));
    const name = String(options['image'] ?? image);
    const storage = options['storage'] === undefined ? undefined : String(options['storage']);
    const objects = kubernetesFiles(
      units,
      { devnet, namespace, image: name, version: VERSION, storage, isExposed, files: configFiles(files) },
      EXPORT_PATHS,
    );
    writeExport(resolve(io.cwd, folder), [...objects, ...files]);
    for (const notice of notices) io.stderr(`note: ${notice}\n`);
    io.stderr(`wrote ${folder}: ${units.length} StatefulSets of the image ${name}\n`);
    io.stderr(`\`kubectl apply -k ${folder}\` starts it in the namespace ${namespace}\n`);
    return EXIT.done;
  },
};

function exposes(way: string): boolean {
  if (way === 'nodeport' || way === 'none') return way === 'nodeport';
  throw new Failure('usage', `--expose: unknown way ${JSON.stringify(way)}, expected nodeport or none`, {
    exit: EXIT.usage,
  });
}

function namespaceOf(name: string): string {
  if (/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(name)) return name;
  throw new Failure(
    'usage',
    `--namespace: ${JSON.stringify(name)} cannot name a namespace: expected a-z, 0-9 and -, at most 63`,
    {
      exit: EXIT.usage,
    },
  );
}

/** Most bytes of a ConfigMap, less what its keys take. */
const MAX_CONFIG_BYTES = 1_000_000;

/** Returns the paths of the spec's files by their keys in a ConfigMap. @throws Failure `usage` if they are too large */
function configFiles(files: readonly ExportFile[]): Readonly<Record<string, string>> {
  const folder = `${EXPORT_PATHS.networkFolder}/`;
  const inFolder = files.filter(({ path }) => path.startsWith(folder));
  const bytes = inFolder.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  if (bytes > MAX_CONFIG_BYTES)
    throw new Failure('usage', `the files of the spec have ${bytes} bytes; Kubernetes takes 1 MiB in a ConfigMap`, {
      exit: EXIT.usage,
      hint: 'name smaller files in the spec, or export the network by `devnet export compose`',
    });
  return Object.fromEntries(inFolder.map(({ path }) => [basename(path), path.slice(folder.length)]));
}
