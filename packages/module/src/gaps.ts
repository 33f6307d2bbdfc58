/** What callers observe: a status, no effect, different behaviour, or a value that never occurs. */
export type Answer = 400 | 404 | 409 | 501 | 'no effect' | 'differs' | 'never'

/** A limitation: documented by the original, but missing or different here. */
export interface Gap {
  /** The original's name of the operation, field, value or behaviour, in Markdown. */
  readonly name: string
  readonly answer: Answer
  /** Behaviour here, and what to do instead: full sentences, which are also the message of a 501. */
  readonly instead: string
}

/** All limitations, in the order of the README's table: `unsupported.ts` of a service. */
export type Gaps = Readonly<Record<string, Gap>>
