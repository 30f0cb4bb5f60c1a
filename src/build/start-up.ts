import { builtinModules } from 'node:module';
import { join } from 'node:path';
import type { Plugin } from 'esbuild';

/** Node modules that are used late or never. TLS alone costs each process as much as the rest of the server. */
const LATE = new Set(['assert', 'crypto', 'https', 'tls', 'child_process', 'worker_threads', 'zlib', 'readline']);

const BUILTIN = new Map(builtinModules.flatMap((name) => [[name, name] as const, [`node:${name}`, name] as const]));

/**
 * Reads Node's own modules from the process instead of importing them.
 * An import reads every export of a module, which loads file streams, WebCrypto, text decoders and debuggers: 10 ms in
 * each process. A module of LATE is loaded at its first use.
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

/** Returns a module with the exports of a builtin. The bundler drops unused ones unread. */
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
      // A class may be extended, so it must exist.
      const call = /^[a-z]/.test(key) && typeof module[key] === 'function';
      return call
        ? `export const ${key} = (...args) => ${builtin(name)}.${key}(...args);`
        : `export const ${key} = /* @__PURE__ */ (() => ${builtin(name)}.${key})();`;
    }),
  ].join('\n');
}

/** libp2p's keys and signatures over libsecp256k1 instead of JavaScript. */
export function nativeLibp2pKeys(root: string): Plugin {
  return {
    name: 'native-libp2p-keys',
    setup(build) {
      build.onResolve({ filter: /^@noble\/curves\/secp256k1(\.js)?$/ }, ({ importer }) =>
        importer.includes(join('@libp2p', 'crypto'))
          ? { path: join(root, 'src', 'nodes', 'gossip', 'host', 'libp2p-secp256k1.ts') }
          : undefined,
      );
    },
  };
}

/** Makes a module a script of its own at a path, read when a program first imports it. */
export function apart(filter: RegExp, path: string): Plugin {
  return {
    name: 'apart',
    setup(build) {
      build.onResolve({ filter }, () => ({ path, external: true }));
    },
  };
}

/** Replaces packages by empty modules. */
export function absent(names: RegExp): Plugin {
  return {
    name: 'absent',
    setup(build) {
      build.onResolve({ filter: names }, ({ path }) => ({ path, namespace: 'absent' }));
      build.onLoad({ filter: /.*/, namespace: 'absent' }, () => ({ contents: 'module.exports = {};' }));
    },
  };
}

/** Packages whose other form reads its parts at run time, so that a script would not hold them. */
export const ES_MODULES = { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' };
