export type Fields = readonly (readonly [name: string, value: unknown])[]

/** Adds fields to a row in JSON without parsing its numbers. PostgreSQL reads the last of several fields with one name. */
export const withFields = (line: string, fields: Fields): string =>
  fields.length === 0
    ? line
    : `${line.slice(0, -1)}${fields.map(([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`).join('')}}`
