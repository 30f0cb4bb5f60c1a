import { parseSync } from 'oxc-parser';

/** A constant or function that a file declares at its top. */
export interface DeclaredName {
  readonly file: string;
  readonly name: string;
  readonly isExported: boolean;
}

/** Words that tell neither what a constant is of, nor its unit: say HEADER_TIMEOUT_MS or MAX_FOLLOWED_NODES. */
const BARE_WORDS =
  /^(TIMEOUT|MOST|PATIENCE|LONGEST|SHOWN|AGAIN|KEPT|EVERY|PAUSE|LIMIT|INTERVAL|LARGEST|DEEPEST|REMEMBERED|SEARCHED|ATTEMPTS|DELAY|ENOUGH|SOON|SILENT|QUIET|PREFERRED|PIECE|FRESH|URGENT)$/;

/** Files that may declare a constant of one name: more of them, and a search for it finds anything. */
const MAX_FILES = 4;

/** Rooms that are left out until their long functions are split. */
const LATER = /^src\/(nodes\/(execution|txmgr)|orchestrator\/(clock|control|plan|processes|supervisor))\//;

/** Returns the names that a TypeScript file declares at its top. */
export function declaredNames(file: string, source: string): readonly DeclaredName[] {
  const declared: DeclaredName[] = [];
  const add = (name: string, isExported: boolean) => void declared.push({ file, name, isExported });
  const { program } = parseSync(file, source);
  for (const statement of program.body) {
    const isExported = statement.type === 'ExportNamedDeclaration';
    const declaration = isExported ? statement.declaration : statement;
    if (declaration?.type === 'VariableDeclaration')
      for (const { id } of declaration.declarations) if (id.type === 'Identifier') add(id.name, isExported);
    if (declaration?.type === 'FunctionDeclaration' && declaration.id) add(declaration.id.name, isExported);
  }
  return declared;
}

const isConstant = ({ name }: DeclaredName): boolean => /^[A-Z][A-Z0-9_]+$/.test(name);

/** Returns the constants without a subject or a unit, and the names that too many files declare. */
export function vagueConstants(declared: readonly DeclaredName[]): string[] {
  const constants = declared.filter(isConstant);
  const bare = constants
    .filter(({ file, name }) => BARE_WORDS.test(name) && !LATER.test(file))
    .map(({ file, name }) => `${file} ${name}`);
  const files = Map.groupBy(
    constants.filter(({ file }) => !file.startsWith('test/')),
    ({ name }) => name,
  );
  const frequent = [...files].filter(([, { length }]) => length > MAX_FILES);
  return [...bare, ...frequent.map(([name, { length }]) => `${name} in ${length} files`)];
}

/** Words that end in -ed and are no participles. */
const NO_PARTICIPLE = /^(embed|exceed|feed|need|proceed|seed|shed|speed|succeed)$/;
const PARTICIPLE = /^([a-z]+ed|found|known|given|kept|taken|told|wanted|held|made|said|gone|lost|seen|sent|met)$/;

/** Returns the exported names that are a past participle alone: a function is named by its verb, a value by its noun. */
export function exportedParticiples(declared: readonly DeclaredName[]): string[] {
  return declared
    .filter(({ isExported, name, file }) => isExported && PARTICIPLE.test(name) && !LATER.test(file))
    .filter(({ name }) => !NO_PARTICIPLE.test(name))
    .map(({ file, name }) => `${file} ${name}`);
}
