import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { PROGRAM_ARGUMENTS } from '../launch/run.ts';
import { PACKAGES } from './contracts/inputs.ts';
import { writeDeclarations } from './declarations.ts';
import { bundleLibrary, LIBRARY } from './library.ts';
import { thirdPartyNotices } from './licences.ts';
import { bundlePage } from './page.ts';
import { writeSchemas } from './schemas.ts';
import { absent, apart, builtins, ES_MODULES, nativeLibp2pKeys } from './start-up.ts';

/**
 * Bundles every entry point of src/bin into one script of dist/programs.
 * Also builds the launcher of each program, which Node starts. Native packages stay outside.
 */
const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'dist');
const programs = join(dist, 'programs');
const bins = readdirSync(join(root, 'src', 'bin')).map((file) => join(root, 'src', 'bin', file));
const { version, bin, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string;
  bin: Record<string, string>;
  devDependencies: { node: string };
};

/** Returns the hash of our sources and the packages' versions. */
function inputsHash(): string {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
  const hash = createHash('sha256');
  for (const file of [...sources, join(root, 'package-lock.json')])
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex').slice(0, 32);
}
const buildHash = inputsHash();

const SCRIPT = {
  bundle: true,
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  // A script that the launcher runs has `require` alone.
  supported: { 'dynamic-import': false },
  minifySyntax: true,
  minifyWhitespace: true,
  // The notices of all packages stand in one file.
  legalComments: 'none',
  // Node prints the line of an error that no code catches.
  lineLimit: 200,
  logLevel: 'warning',
  alias: ES_MODULES,
} as const;

/** Packages with binaries, which stay outside. */
const NATIVE = ['secp256k1', '@crate-crypto/*', '@foundry-rs/*', 'bufferutil', 'utf-8-validate'];

const KUBERNETES_APART = apart(/^@kubernetes\/client-node$/, './kubernetes.cjs');
const MCP_APART = apart(/^@modelcontextprotocol\/server(\/stdio)?$/, './mcp.cjs');
const KZG_APART = apart(/^\.\/library\.ts$/, './kzg.cjs');

/** Bundles a program into one script, so that Node reads and compiles a single file. */
async function bundle(entry: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [entry],
    outdir: programs,
    outExtension: { '.js': '.cjs' },
    ...SCRIPT,
    // Read only when a stack is rendered (src/system/program/source-stack.ts).
    sourcemap: 'external',
    sourcesContent: false,
    metafile: true,
    external: NATIVE,
    define: {
      ...definitions,
      'process.env.NODE_ENV': '"production"',
      'import.meta.url': '__url',
    },
    // The launcher calls it, as Node would.
    banner: { js: `(function(${PROGRAM_ARGUMENTS}){const __url=require('node:url').pathToFileURL(__filename).href;` },
    footer: { js: '})' },
    plugins: [
      ...[builtins, nativeLibp2pKeys(root), apart(/^dockerode$/, './dockerode.cjs')],
      ...[KUBERNETES_APART, MCP_APART, KZG_APART],
    ],
  });
  return Object.keys(metafile.inputs);
}

/** Bundles the client of Docker apart, because only networks with containers load it. */
async function bundleDocker(): Promise<readonly string[]> {
  const { metafile } = await build({
    stdin: { contents: "module.exports = require('dockerode');", resolveDir: root },
    outfile: join(programs, 'dockerode.cjs'),
    ...SCRIPT,
    metafile: true,
    // Connections by SSH and builds with BuildKit, which the devnet does not use, need native and generated code.
    plugins: [builtins, absent(/^(ssh2|@grpc\/.*|protobufjs)$/)],
  });
  return Object.keys(metafile.inputs);
}

/** Bundles the client of Kubernetes apart, because only `devnet attach --kube` and its tunnel load it. */
async function bundleKubernetes(): Promise<readonly string[]> {
  const names = 'AppsV1Api, CoreV1Api, KubeConfig, PortForward';
  const { metafile } = await build({
    stdin: { contents: `export { ${names} } from '@kubernetes/client-node';`, resolveDir: root },
    outfile: join(programs, 'kubernetes.cjs'),
    ...SCRIPT,
    minify: true,
    metafile: true,
    external: NATIVE,
    plugins: [builtins],
  });
  return Object.keys(metafile.inputs);
}

/** Bundles the server of the Model Context Protocol apart, because only `devnet mcp` loads it. */
async function bundleMcp(): Promise<readonly string[]> {
  const contents =
    "export { McpServer } from '@modelcontextprotocol/server';" +
    "export { serveStdio } from '@modelcontextprotocol/server/stdio';";
  const { metafile } = await build({
    stdin: { contents, resolveDir: root },
    outfile: join(programs, 'mcp.cjs'),
    ...SCRIPT,
    minify: true,
    metafile: true,
    plugins: [builtins],
  });
  return Object.keys(metafile.inputs);
}

const KZG = join(root, 'src', 'nodes', 'kzg');

/** A script of a program's folder that Node runs without the launcher. */
const THREAD = {
  outdir: programs,
  outExtension: { '.js': '.cjs' },
  ...SCRIPT,
  define: { 'import.meta.url': '__url' },
  banner: { js: "const __url=require('node:url').pathToFileURL(__filename).href;" },
  metafile: true,
  external: NATIVE,
} as const;

/** Bundles KZG and its thread apart: 1 MB that a program reads when it first sees a blob. */
async function bundleKzg(): Promise<readonly string[]> {
  const results = await Promise.all([
    build({ ...THREAD, entryPoints: { kzg: join(KZG, 'library.ts') }, plugins: [builtins] }),
    build({
      ...THREAD,
      entryPoints: { 'kzg-thread': join(KZG, 'prover-thread.ts') },
      plugins: [builtins, KZG_APART],
    }),
  ]);
  return results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
}

/** Bundles the thread that recovers senders. */
async function bundleRecovery(): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: { 'recovery-thread': join(root, 'src', 'nodes', 'execution', 'transaction', 'recovery-thread.ts') },
    ...THREAD,
    plugins: [builtins],
  });
  return Object.keys(metafile.inputs);
}

/** Bundles the launcher of a program, which finds its script and compiled code. */
async function bundleLauncher(entry: string): Promise<void> {
  const outfile = join(dist, `${basename(entry, '.ts')}.js`);
  await build({
    entryPoints: [join(root, 'src', 'launch', 'launch.ts')],
    outfile,
    ...SCRIPT,
    define: { __BUILD__: JSON.stringify(buildHash), __NODE__: JSON.stringify(devDependencies.node) },
    banner: { js: '#!/usr/bin/env node' },
    plugins: [builtins],
  });
  chmodSync(outfile, 0o755);
}

mkdirSync(dist, { recursive: true });
// The package's own type is that of its sources.
writeFileSync(join(dist, 'package.json'), '{"type":"commonjs"}\n');
const definitions = { __VERSION__: JSON.stringify(version), __BUILD__: JSON.stringify(buildHash) };
const library = bundleLibrary(root, definitions);
writeSchemas(join(dist, 'schema'));
const inputs = (
  await Promise.all([
    ...bins.map(bundle),
    bundleDocker(),
    bundleKubernetes(),
    bundleMcp(),
    bundleKzg(),
    bundleRecovery(),
    library,
    bundlePage(root),
  ])
).flat();
writeFileSync(
  join(dist, 'THIRD-PARTY-LICENSES.txt'),
  thirdPartyNotices(root, inputs, [
    ...PACKAGES.filter((name) => name !== 'solc'),
    ...packagesOfMaps(join(dist, 'programs')),
  ]),
);
await Promise.all(bins.map(bundleLauncher));
rmSync(join(dist, 'types'), { recursive: true, force: true });
writeDeclarations(
  root,
  LIBRARY.map((name) => join('library', `${name}.ts`)),
  join(dist, 'types'),
);
// Of builds before there was one script for each program.
rmSync(join(dist, 'chunks'), { recursive: true, force: true });

// npm links the commands of dependencies, not the package's own: in a clone, npx would not find them.
const links = join(root, 'node_modules', '.bin');
for (const [name, target] of Object.entries(bin)) {
  rmSync(join(links, name), { force: true });
  symlinkSync(join('..', '..', target), join(links, name));
}

/**
 * Names the packages in the source maps of a folder. A package that is published as one file, as tar is, holds others
 * that the build does not see as inputs.
 */
function packagesOfMaps(folder: string): string[] {
  const maps = readdirSync(folder).filter((file) => file.endsWith('.map'));
  const sources = maps.flatMap(
    (file) => (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { readonly sources: readonly string[] }).sources,
  );
  const names = new Set(sources.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  return [...names].filter((name) => existsSync(join(root, 'node_modules', name)));
}
