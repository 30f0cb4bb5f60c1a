import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Parts of Node that dependencies load at start and use late or never: TLS alone costs each process as much as the rest of the server. */
const LATE = /^(node:)?(https|tls|child_process|worker_threads|zlib|readline)$/;

/** A CommonJS dependency that requires one of them gets a stand-in, which loads it when something of it is asked for. */
export const lateBuiltins: Plugin = {
  name: 'late-builtins',
  setup(build) {
    build.onResolve({ filter: LATE }, ({ path, kind, importer }) =>
      kind === 'require-call' && importer.includes('node_modules')
        ? { path: path.replace('node:', ''), namespace: 'late-builtin' }
        : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'late-builtin' }, ({ path }) => ({
      contents: `module.exports = new Proxy({}, { get: (_, key) => process.getBuiltinModule(${JSON.stringify(path)})[key] });`,
    }));
  },
};

/** libp2p's keys and signatures over libsecp256k1 instead of JavaScript. */
export function nativeLibp2pKeys(root: string): Plugin {
  return {
    name: 'native-libp2p-keys',
    setup(build) {
      build.onResolve({ filter: /^@noble\/curves\/secp256k1(\.js)?$/ }, ({ importer }) =>
        importer.includes(join('@libp2p', 'crypto'))
          ? { path: join(root, 'src', 'nodes', 'gossip', 'libp2p-secp256k1.ts') }
          : undefined,
      );
    },
  };
}
