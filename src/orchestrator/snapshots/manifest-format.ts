/** Raised with every change of the format that an older version would misread. */
export const MANIFEST_FORMAT = 4;

/** File of a snapshot's folder and archive that describes it. */
export const MANIFEST = 'snapshot.json';
