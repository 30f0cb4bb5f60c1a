import { builtinModules } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Parts of Node that are used late or never: TLS alone costs each process as much as the rest of the server. */
const LATE = new Set(['assert', 'https', 'tls', 'child_process', 'worker_threads', 'zlib', 'readline']);

const BUILTIN = new Map(builtinModules.flatMap((name) => [[name, name] as const, [`node:${name}`, name] as const]));

/**
 * Takes Node's own modules from the process instead of importing them. An import reads every export of a module, and that loads what those
 * stand for: file streams, WebCrypto, text decoders and debuggers, ten milliseconds in each process. What is used late is loaded when
 * something of it is asked for.
 */
export const builtins: Plugin = {
  name: 'builtins',
  setup(build) {
    build.onResolve({ filter: /^[a-z_:/]+$/ }, ({ path, kind, importer }) => {
      const name = BUILTIN.get(path);
      if (name === undefined) return undefined;
      if (kind === 'import-statement') return { path: name, namespace: 'builtin' };
      const dependency = kind === 'require-call' && importer.includes('node_modules');
      return dependency && LATE.has(name) ? { path: name, namespace: 'late-builtin' } : undefined;
    });
    build.onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({ contents: exportsOf(path) }));
    build.onLoad({ filter: /.*/, namespace: 'late-builtin' }, ({ path }) => ({
      contents: `module.exports = ${standIn(path)};`,
    }));
  },
};

const builtin = (name: string) => `process.getBuiltinModule(${JSON.stringify(name)})`;

const standIn = (name: string) =>
  `new Proxy(() => {}, { get: (_, key) => ${builtin(name)}[key], apply: (_, __, args) => ${builtin(name)}(...args) })`;

/** A module with the exports of a builtin; those that nobody imports are dropped by the bundler, unread. */
function exportsOf(name: string): string {
  const late = LATE.has(name);
  const module = process.getBuiltinModule(name) as Readonly<Record<string, unknown>>;
  const names = Object.keys(module).filter((key) => /^[a-zA-Z_]\w*$/.test(key) && key !== 'default');
  return [
    late
      ? `export default /* @__PURE__ */ (() => ${standIn(name)})();`
      : `const module = ${builtin(name)};\nexport default module;`,
    ...names.map((key) => {
      if (!late) return `export const ${key} = /* @__PURE__ */ (() => module.${key})();`;
      // A class may be extended, and has to be there.
      const call = /^[a-z]/.test(key) && typeof module[key] === 'function';
      return call
        ? `export const ${key} = (...args) => ${builtin(name)}.${key}(...args);`
        : `export const ${key} = /* @__PURE__ */ (() => ${builtin(name)}.${key})();`;
    }),
  ].join('\n');
}

/** Noble's random bytes straight from the system's generator: it looks for WebCrypto first, which is loaded for that alone. */
export const nobleRandom: Plugin = {
  name: 'noble-random',
  setup(build) {
    build.onLoad({ filter: /@noble[\\/]hashes[\\/].*cryptoNode\.js$/ }, () => ({
      contents: "import { randomBytes } from 'node:crypto';\nexport const crypto = { randomBytes };",
    }));
  },
};

/** pino's transports are threads of their own. Nobody here asks for one, and without them it needs no threads. */
export const noThreadedLogs: Plugin = {
  name: 'no-threaded-logs',
  setup(build) {
    build.onLoad({ filter: /thread-stream[\\/]index\.js$/ }, () => ({
      contents: "module.exports = class { constructor() { throw new Error('pino transports are not bundled'); } };",
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
