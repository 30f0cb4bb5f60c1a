import { readFileSync } from 'node:fs';
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

/** What packages load at their start and need late or never, each by the file, the text and what stands in its place. */
const PATCHES: readonly (readonly [file: RegExp, text: string | RegExp, instead: string])[] = [
  // Noble's random bytes straight from the system's generator: it looks for WebCrypto first, which is loaded for that alone.
  [
    /@noble\/hashes\/(esm\/)?cryptoNode\.js$/,
    /^[\s\S]*$/,
    "import { randomBytes } from 'node:crypto';\nexport const crypto = { randomBytes };",
  ],
  [
    /node_modules\/@noble\/hashes\/utils\.js$/,
    "typeof globalThis === 'object' ? globalThis.crypto : null",
    "{ getRandomValues: (bytes) => process.getBuiltinModule('crypto').randomFillSync(bytes) }",
  ],
  // The peer store sorts as a language does. The first comparison of that kind loads tables for 6 ms, and any order will do.
  [
    /@libp2p\/(peer-store\/dist\/src\/utils\/(dedupe-addresses|to-peer-pb)|peer-record\/dist\/src\/peer-record\/utils)\.js$/,
    /([\w.()]+)\.localeCompare\(([\w.]+(?:\(\))?)\)/g,
    '(($1) < ($2) ? -1 : ($1) > ($2) ? 1 : 0)',
  ],
  // pino's transports are threads of their own. Nobody here asks for one, and every program logs from its main thread.
  [
    /thread-stream\/index\.js$/,
    /^[\s\S]*$/,
    "module.exports = class { constructor() { throw new Error('pino transports are not bundled'); } };",
  ],
  // zod turns a schema into code at its first use, for 1 ms or several; most are used once. It pays for what every request passes.
  [
    /zod\/v4\/core\/schemas\.js$/,
    /let fastpass;([\s\S]*?)if \(jit && fastEnabled/,
    'let fastpass, uses = 0;$1if (jit && ++uses > 16 && fastEnabled',
  ],
  // The EVM's helpers make 65,536 numbers at their start, for 8 ms and 2 MB, lest they make the few of two bytes that are asked for.
  [
    /@ethereumjs\/util\/dist\/esm\/bytes\.js$/,
    /256 \* 256 - 1; i\+\+([\s\S]*)BIGINT_CACHE\[(bytes\[0\] \* 256 \+ bytes\[1\])\]/,
    '255; i++$1BigInt($2)',
  ],
  [/pino\/lib\/tools\.js$/, "const { isMainThread } = require('worker_threads')", 'const isMainThread = true'],
];

/** Applies the patches. @throws Error where a package does not say any more what is replaced */
export const patches: Plugin = {
  name: 'patches',
  setup(build) {
    for (const [file, text, instead] of PATCHES)
      build.onLoad({ filter: new RegExp(file.source.replaceAll('\\/', '[\\\\/]')) }, ({ path }) => {
        const before = readFileSync(path, 'utf8');
        const contents = before.replace(text, instead);
        if (contents === before) throw new Error(`${path} has changed: ${text} is not there to be replaced`);
        return { contents };
      });
  },
};

/** Mnemonic accounts that are not in the package already are hardly ever asked for: their curve and key derivation are loaded by the first. */
export function lateAccounts(root: string): Plugin {
  const names: Readonly<Record<string, string>> = {
    '@noble/curves/secp256k1.js': 'secp256k1',
    '@scure/bip32': 'HDKey',
  };
  return {
    name: 'late-accounts',
    setup(build) {
      build.onResolve({ filter: /^(@noble\/curves\/secp256k1\.js|@scure\/bip32)$/ }, ({ path, importer, kind }) =>
        kind === 'import-statement' && importer.endsWith(join('protocol', 'genesis', 'accounts.ts'))
          ? { path, namespace: 'late-package' }
          : undefined,
      );
      build.onLoad({ filter: /.*/, namespace: 'late-package' }, ({ path }) => ({
        contents: `const load = () => require(${JSON.stringify(path)}).${names[path]};
export const ${names[path]} = new Proxy({}, { get: (_, key) => { const real = load(), value = real[key]; return typeof value === 'function' ? value.bind(real) : value; } });`,
        resolveDir: root,
      }));
    },
  };
}

/** libp2p's keys and signatures over libsecp256k1 instead of JavaScript. */
export function nativeLibp2pKeys(root: string): Plugin {
  return {
    name: 'native-libp2p-keys',
    setup(build) {
      build.onResolve({ filter: /^@noble\/curves\/secp256k1(\.js)?$/ }, ({ importer }) =>
        importer.includes(join('@libp2p', 'crypto'))
          ? { path: join(root, 'src', 'nodes', 'shared', 'gossip', 'libp2p-secp256k1.ts') }
          : undefined,
      );
    },
  };
}
