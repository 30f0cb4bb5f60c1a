import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseSync, type Statement } from 'oxc-parser';

/** Packages whose types a declaration may name: the user has them. */
const USER_PACKAGES = /^(viem(\/.*)?|vitest(\/.*)?|node:.*)$/;

/** A top-level statement of a declaration file. */
interface Part {
  readonly text: string;
  readonly isExported: boolean;
  /** Names that it declares or exports. */
  readonly names: readonly string[];
  /** Names that it refers to. */
  readonly refers: ReadonlySet<string>;
  /** Types of other modules that it names in place: `import('./x.ts').Y`. */
  readonly inline: readonly Binding[];
}

/** Names that a file takes from others. `name`: there, `*` for all. */
interface Binding {
  readonly from: string;
  readonly name: string;
}

interface File {
  readonly parts: readonly Part[];
  readonly imports: ReadonlyMap<string, Binding>;
  readonly reexports: ReadonlyMap<string, Binding>;
  /** Sources of `export *`. */
  readonly wholes: readonly string[];
}

/**
 * Writes the declarations of modules of src with all that they reach, and nothing else.
 * So the compiler of a user needs none of our packages.
 * @throws Error if a declaration needs a package that a user need not have
 */
export function writeDeclarations(root: string, entries: readonly string[], outdir: string): void {
  const typesFolder = emit(root, entries);
  const files = new Map<string, File>();
  const partsOf = new Map<string, Set<Part>>();
  const used = new Map<string, Set<string>>();
  const fileAt = (path: string) => {
    const file = files.get(path) ?? read(path);
    files.set(path, file);
    return file;
  };

  /** Keeps what a file exports under a name; everything for `*`. */
  function keep(path: string, name: string): void {
    const file = fileAt(path);
    const names = used.get(path) ?? new Set();
    used.set(path, names);
    if (names.has(name)) return;
    names.add(name);
    if (name === '*') {
      for (const part of file.parts) if (part.isExported) for (const each of part.names) keep(path, each);
      for (const each of file.reexports.keys()) keep(path, each);
    }
    for (const part of file.parts) if (part.names.includes(name)) keepPart(path, part);
    const binding = file.imports.get(name) ?? file.reexports.get(name);
    if (binding?.from.startsWith('.')) keep(target(path, binding.from), binding.name);
    for (const whole of file.wholes) if (whole.startsWith('.')) keep(target(path, whole), name);
  }

  function keepPart(path: string, part: Part): void {
    const parts = partsOf.get(path) ?? new Set();
    partsOf.set(path, parts);
    if (parts.has(part)) return;
    parts.add(part);
    for (const name of part.refers) keep(path, name);
    for (const { from, name } of part.inline) keep(target(path, from), name);
  }

  for (const entry of entries) keep(join(typesFolder, entry.replace(/\.ts$/, '.d.ts')), '*');
  for (const [path, names] of used) {
    const text = render(fileAt(path), partsOf.get(path) ?? new Set(), names);
    if (text === '') continue;
    const out = join(outdir, relative(typesFolder, path)).replace(/\.d\.ts$/, '.d.mts');
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, text);
  }
  rmSync(typesFolder, { recursive: true, force: true });

  function render(file: File, parts: ReadonlySet<Part>, names: ReadonlySet<string>): string {
    const lines = [
      ...[...file.imports]
        .filter(([name]) => names.has(name))
        .map(([name, binding]) => `import type ${imported(name, binding)} from '${place(binding.from)}';`),
      ...[...file.reexports]
        .filter(([name]) => names.has(name))
        .map(([name, binding]) => `export { ${written(name, binding)} } from '${place(binding.from)}';`),
      ...file.wholes.map((from) => `export * from '${place(from)}';`),
      ...file.parts
        .filter((part) => parts.has(part))
        .map(({ text }) => text.replace(INLINE, (_, from: string, name: string) => `import('${place(from)}').${name}`)),
    ];
    return lines.length === 0 ? '' : `${lines.join('\n')}\nexport {};\n`;
  }
}

const imported = (name: string, binding: Binding) =>
  binding.name === '*' ? `* as ${name}` : `{ ${written(name, binding)} }`;

const written = (name: string, binding: Binding) => (binding.name === name ? name : `${binding.name} as ${name}`);

/** Returns the specifier of a module beside its written declaration. @throws Error for a package of ours */
function place(from: string): string {
  if (from.startsWith('.')) return from.replace(/\.ts$/, '.mjs');
  if (USER_PACKAGES.test(from)) return from;
  throw new Error(`a declaration of the library needs ${from}, which users do not have`);
}

const target = (path: string, from: string) => resolve(dirname(path), from.replace(/\.ts$/, '.d.ts'));

/** Has the compiler write the declarations of the entries and of all that they import. Returns their folder. */
function emit(root: string, entries: readonly string[]): string {
  const folder = join(root, 'dist', '.types');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const project = join(folder, 'tsconfig.json');
  const src = join(root, 'src');
  writeFileSync(
    project,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { noEmit: false, declaration: true, emitDeclarationOnly: true, outDir: folder, rootDir: src },
      include: [join(src, '**', '*.d.ts')],
      files: entries.map((entry) => join(src, entry)),
    }),
  );
  execFileSync(join(root, 'node_modules', '.bin', 'tsc'), ['-p', project], { cwd: root, stdio: 'inherit' });
  return folder;
}

function read(path: string): File {
  const text = readFileSync(path, 'utf8');
  const { program, comments, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const parts: Part[] = [];
  const imports = new Map<string, Binding>();
  const reexports = new Map<string, Binding>();
  const wholes: string[] = [];
  for (const statement of program.body) {
    const source = 'source' in statement ? statement.source?.value : undefined;
    if (statement.type === 'ImportDeclaration')
      for (const each of statement.specifiers)
        imports.set(each.local.name, {
          from: statement.source.value,
          name: each.type === 'ImportSpecifier' ? nameOf(each.imported) : '*',
        });
    else if (statement.type === 'ExportAllDeclaration') wholes.push(statement.source.value);
    else if (statement.type === 'ExportNamedDeclaration' && source !== undefined)
      for (const each of statement.specifiers)
        reexports.set(nameOf(each.exported), { from: source, name: nameOf(each.local) });
    else {
      const comment = comments.findLast(({ end }) => end <= statement.start);
      const isOwn = comment !== undefined && text.slice(comment.end, statement.start).trim() === '';
      const whole = text.slice(isOwn ? comment.start : statement.start, statement.end);
      const isExported = statement.type === 'ExportNamedDeclaration';
      parts.push({
        text: whole,
        isExported,
        names: namesOf(statement),
        refers: new Set(references(statement)),
        inline: inlineImports(whole),
      });
    }
  }
  return { parts, imports, reexports, wholes };
}

/** A type of another module, named in place. */
const INLINE = /\bimport\("([^"]+)"\)\.([A-Za-z_$][\w$]*)/g;

function inlineImports(text: string): readonly Binding[] {
  return [...text.matchAll(INLINE)].flatMap(([, from = '', name = '']) =>
    from.startsWith('.') ? [{ from, name }] : [],
  );
}

/** Where a node of the syntax tree names a type or a value. */
const NAMES: Readonly<Record<string, string>> = {
  TSTypeReference: 'typeName',
  TSTypeQuery: 'exprName',
  TSInterfaceHeritage: 'expression',
  TSClassImplements: 'expression',
  ClassDeclaration: 'superClass',
  ExportSpecifier: 'local',
};

/** Yields the names that a node refers to. */
function* references(node: unknown): Generator<string> {
  if (Array.isArray(node)) for (const each of node) yield* references(each);
  if (typeof node !== 'object' || node === null || !('type' in node)) return;
  const fields: Readonly<Record<string, unknown>> = { ...node };
  const name = fields[NAMES[String(node.type)] ?? ''];
  if (name !== undefined) yield* rootName(name);
  // A key in brackets is the name of a constant.
  if (fields['computed'] === true) yield* rootName(fields['key']);
  for (const value of Object.values(fields)) yield* references(value);
}

/** Yields `a` of `a`, `a.b` and `a.b.c`. */
function* rootName(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  if ('name' in node && typeof node.name === 'string') yield node.name;
  if ('left' in node) yield* rootName(node.left);
  if ('object' in node) yield* rootName(node.object);
}

/** Returns the names that a statement declares. */
function namesOf(statement: Statement): readonly string[] {
  const declared =
    statement.type === 'ExportNamedDeclaration' ? (statement.declaration ?? undefined) : (statement as Statement);
  if (declared === undefined) return [];
  if (declared.type === 'VariableDeclaration')
    return declared.declarations.flatMap(({ id }) => (id.type === 'Identifier' ? [id.name] : []));
  return 'id' in declared && declared.id !== null && 'name' in declared.id ? [String(declared.id.name)] : [];
}

function nameOf(word: { readonly type: string; readonly name?: string; readonly value?: unknown }): string {
  return word.name ?? String(word.value);
}
