import * as z from 'zod/mini';
import { jsonOf } from '../../rpc/json-object.ts';
import { readText } from '../../system/files/folder.ts';

z.config({ jitless: true });

/** The parts of a report's document that the page shows. Values of fields may be of any JSON type. */
const document = z.object({
  block: z.number(),
  against: z.string(),
  fields: z.array(
    z.object({ field: z.string(), minority: z.optional(z.unknown()), majority: z.optional(z.unknown()) }),
  ),
  forkTimes: z.union([
    z.object({ explaining: z.array(z.object({ text: z.string() })), control: z.object({ same: z.boolean() }) }),
    z.object({ unknown: z.string() }),
  ]),
  refusals: z.array(z.object({ task: z.string(), words: z.string() })),
});

/** Why nodes left their chain, as the page shows it. Null in a field: the side has none. */
export interface ExplanationRow {
  readonly cause: string;
  readonly against: string;
  readonly fields: readonly {
    readonly field: string;
    readonly minority: string | null;
    readonly majority: string | null;
  }[];
}

/** Returns the path of the document of a report, which stands beside its text. */
export const documentPath = (report: string): string => report.replace(/\.txt$/, '.json');

/** Reads the document of a report. Undefined if there is none, or an older version wrote another one. */
export function readExplanation(report: string): ExplanationRow | undefined {
  const text = readText(documentPath(report));
  if (text === undefined) return undefined;
  const parsed = document.safeParse(jsonOf(text));
  if (!parsed.success) return undefined;
  const { against, fields } = parsed.data;
  return {
    ...{ cause: causeOf(parsed.data), against },
    fields: fields.map(({ field, minority, majority }) => {
      return { field, minority: textOf(minority), majority: textOf(majority) };
    }),
  };
}

function causeOf({ block, forkTimes, refusals, fields }: z.infer<typeof document>): string {
  if ('explaining' in forkTimes && forkTimes.control.same) {
    const [first] = forkTimes.explaining;
    if (first !== undefined) return first.text.replace(` at block ${block} (later or never)`, ' there');
  }
  const [refusal] = refusals;
  if (refusal !== undefined) return `${refusal.task} says: ${refusal.words}`;
  if ('unknown' in forkTimes) return forkTimes.unknown;
  return `no fork times explain it; ${fields.map(({ field }) => field).join(', ') || 'no header field'} differ`;
}

function textOf(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Returns a reader that keeps each document until its report is written again. */
export function explanations(): (report: {
  readonly path: string;
  readonly at?: number;
}) => ExplanationRow | undefined {
  const rows = new Map<string, { readonly at: number | undefined; readonly row: ExplanationRow | undefined }>();
  return ({ path, at }) => {
    const before = rows.get(path);
    if (before !== undefined && before.at === at) return before.row;
    const row = readExplanation(path);
    rows.set(path, { at, row });
    return row;
  };
}
