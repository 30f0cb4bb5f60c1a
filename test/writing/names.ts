import {
  type BindingIdentifier,
  type BindingPattern,
  type BindingRestElement,
  type ParamPattern,
  parseSync,
  Visitor,
} from 'oxc-parser';

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
  const bare = constants.filter(({ name }) => BARE_WORDS.test(name)).map(({ file, name }) => `${file} ${name}`);
  const files = Map.groupBy(
    constants.filter(({ file }) => !file.startsWith('test/')),
    ({ name }) => name,
  );
  const frequent = [...files].filter(([, { length }]) => length > MAX_FILES);
  return [...bare, ...frequent.map(([name, { length }]) => `${name} in ${length} files`)];
}

/** A documented constant whose value is a number. */
const NUMBER_CONSTANT = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\n(?:export )?const ([A-Z][A-Z0-9_]*) = [\d_]+;/g;

/** Returns the constants of a file whose comment says milliseconds, and whose name does not. */
export function constantsWithoutMs(file: string, source: string): string[] {
  return [...source.matchAll(NUMBER_CONSTANT)].flatMap(([, comment = '', name = '']) =>
    /\(ms\)|, ms\b|\bmilliseconds\b/i.test(comment) && !name.endsWith('_MS') ? [`${file} ${name}`] : [],
  );
}

/** Words that end in -ed and are no participles. */
const NO_PARTICIPLE = /^(embed|exceed|feed|need|proceed|seed|shed|speed|succeed)$/;
const PARTICIPLE = /^([a-z]+ed|found|known|given|kept|taken|told|wanted|held|made|said|gone|lost|seen|sent|met)$/;

/** Returns the exported names that are a past participle alone: a function is named by its verb, a value by its noun. */
export function exportedParticiples(declared: readonly DeclaredName[]): string[] {
  return declared
    .filter(({ isExported, name }) => isExported && PARTICIPLE.test(name))
    .filter(({ name }) => !NO_PARTICIPLE.test(name))
    .map(({ file, name }) => `${file} ${name}`);
}

/** Participles that bindings had: each has the noun of its thing. Words in -ed of the field, as `encoded`, may stay. */
const BOUND_PARTICIPLE =
  /^(found|known|given|kept|taken|told|wanted|held|made|said|gone|lost|seen|met|own|owed|parted|begun|chosen|asked|drawn|shown|heard|fallen|grown|spoken|driven|spent|paid|bought|meant|hidden|stood|thrown|ended|passed|awaited|learned|named|noted|minded|mended)$/;

/** Returns the locals, parameters and functions of a file whose name is such a participle, each with its place. */
export function boundParticiples(file: string, source: string): string[] {
  const findings: string[] = [];
  const add = ({ name, start }: BindingIdentifier) => {
    if (!BOUND_PARTICIPLE.test(name)) return;
    findings.push(`${file}:${source.slice(0, start).split('\n').length} ${name}`);
  };
  const addFunction = (id: BindingIdentifier | null, params: readonly ParamPattern[]) => {
    if (id !== null) add(id);
    params.flatMap(boundNames).forEach(add);
  };
  new Visitor({
    VariableDeclarator: ({ id }) => boundNames(id).forEach(add),
    CatchClause: ({ param }) => boundNames(param).forEach(add),
    FunctionDeclaration: ({ id, params }) => addFunction(id, params),
    FunctionExpression: ({ id, params }) => addFunction(id, params),
    ArrowFunctionExpression: ({ params }) => addFunction(null, params),
  }).visit(parseSync(file, source).program);
  return findings;
}

/** Returns the names that a pattern binds. `{ known }` binds what an interface names, and is left out. */
function boundNames(pattern: BindingPattern | ParamPattern | BindingRestElement | null): readonly BindingIdentifier[] {
  switch (pattern?.type) {
    case 'Identifier':
      return [pattern as BindingIdentifier];
    case 'AssignmentPattern':
      return boundNames(pattern.left);
    case 'RestElement':
      return boundNames(pattern.argument);
    case 'TSParameterProperty':
      return boundNames(pattern.parameter);
    case 'ArrayPattern':
      return pattern.elements.flatMap(boundNames);
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        property.type === 'RestElement' ? boundNames(property) : property.shorthand ? [] : boundNames(property.value),
      );
    default:
      return [];
  }
}
