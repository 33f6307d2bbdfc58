/** What a caller notices: a status, or that it is accepted without an effect, works differently, or is in no answer. */
export type Answer = 400 | 404 | 409 | 501 | 'no effect' | 'differs' | 'never'

/** Something that the documentation of the original describes, and the service lacks or does differently. */
export interface Absence {
  /** The original's own word for the operation, field, value or behaviour, in Markdown. */
  readonly name: string
  readonly answer: Answer
  /** What happens here, and what to do instead: whole sentences, which a 501 says, too. */
  readonly instead: string
}

/** All that is not there, in the order of the README's table: `absent.ts` of a service. */
export type Absences = Readonly<Record<string, Absence>>
