import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contractNotices } from './contract-licences.ts';

/** A package of which parts are shipped inside our own files. */
interface Shipped {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly source: string;
  /** The texts of its licence and notice files. */
  readonly texts: readonly string[];
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string | { readonly type?: string };
  readonly licenses?: readonly { readonly type?: string }[];
  readonly repository?: string | { readonly url?: string };
  readonly author?: string | { readonly name?: string };
}

const LICENCE_FILE = /^(licen[cs]e|copying|notice|unlicense)/i;

/** The notices of all packages that files of `inputs` belong to, and of the packages named. */
export function thirdPartyNotices(root: string, inputs: Iterable<string>, packages: readonly string[]): string {
  const folders = new Set(packages.map((name) => join(root, 'node_modules', name)));
  for (const input of inputs) {
    const folder = packageFolder(join(root, input.replace(/^.*?:(?=.*node_modules)/, '')));
    if (folder !== undefined) folders.add(folder);
  }
  const shipped = [...folders]
    .map(packageAt)
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.version < b.version ? -1 : 1));
  const unlicensed = shipped.filter(({ licence }) => licence === '');
  if (unlicensed.length > 0) throw new Error(`no licence is named by ${unlicensed.map(({ name }) => name).join(', ')}`);
  return [
    'Parts of the following packages are shipped inside the files of rollup-devnet, under their own licences.',
    'Their source is published under the same names and versions at https://www.npmjs.com, and at the addresses below.',
    '',
    ...shipped.map(({ name, version, licence }) => `${name} ${version}: ${licence}`),
    ...shipped.flatMap(noticeOf),
    ...contractNotices(),
    '',
  ].join('\n');
}

function noticeOf({ name, version, licence, source, texts }: Shipped): readonly string[] {
  return [
    '',
    '='.repeat(80),
    `${name} ${version}`,
    `licence: ${licence}`,
    ...(source === '' ? [] : [`source: ${source}`]),
    '',
    ...texts,
  ];
}

/** The innermost folder of a package that a file lies in; undefined for our own. */
function packageFolder(file: string): string | undefined {
  if (!file.includes('/node_modules/')) return undefined;
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    const isTop = /\/node_modules\/(@[^/]+\/)?[^/]+$/.test(folder);
    if (isTop) return existsSync(join(folder, 'package.json')) ? folder : undefined;
  }
  return undefined;
}

function packageAt(folder: string): Shipped {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name = '', version = '', license, licenses = [], repository, author } = manifest;
  const licence =
    typeof license === 'string' ? license : (license?.type ?? licenses.map(({ type }) => type).join(' OR '));
  const texts = readdirSync(folder)
    .filter((file) => LICENCE_FILE.test(file) && !/\.(js|ts|map)$/.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  const holder = typeof author === 'string' ? author : author?.name;
  return {
    name,
    version,
    licence,
    source: (typeof repository === 'string' ? repository : (repository?.url ?? '')).replace(/^git\+/, ''),
    texts:
      texts.length > 0
        ? texts
        : [`The package has no licence file. Its manifest says: ${[licence, ...(holder ? [holder] : [])].join(', ')}.`],
  };
}
