import type { Arrays, Unpacked } from '../container.ts'
import { Classifier, type ClassifierHeader, trainClassifier } from '../intents/classifier.ts'
import type { Pace } from '../pace.ts'
import type { Token } from '../text/tokens.ts'

/** Classifies the role of a list's or prebuilt's hit by its context. The first role is none. */
export interface RoleHeader {
  roles: string[]
  classifier: ClassifierHeader
}

export interface RoleExample {
  tokens: readonly Token[]
  start: number
  end: number
  role: string | undefined
}

function contextOf(tokens: readonly Token[], start: number, end: number): string[] {
  const before = tokens.filter((token) => token.end <= start)
  const after = tokens.filter((token) => token.start >= end)
  const left = (n: number) => before.at(-n)?.normal ?? '^'
  const right = (n: number) => after.at(n - 1)?.normal ?? '$'
  return [
    `-1 ${left(1)}`,
    `-2 ${left(2)}`,
    `-2-1 ${left(2)} ${left(1)}`,
    `+1 ${right(1)}`,
    `+2 ${right(2)}`,
    `+1+2 ${right(1)} ${right(2)}`,
    ...before.slice(-5).map((token) => `< ${token.normal}`),
    ...after.slice(0, 5).map((token) => `> ${token.normal}`),
  ]
}

export async function trainRoles(
  roles: readonly string[],
  examples: readonly RoleExample[],
  arrays: Arrays,
  pace: Pace,
): Promise<RoleHeader> {
  const classes = ['', ...roles]
  const sentences = examples.map(({ tokens, start, end, role }) => ({
    tokens: [],
    hints: contextOf(tokens, start, end),
    label: Math.max(0, classes.indexOf(role ?? '')),
  }))
  const shape = { classes: classes.length, none: undefined }
  return { roles: classes, classifier: await trainClassifier(sentences, shape, new Map(), arrays, pace) }
}

export class Roles {
  readonly #roles: string[]
  readonly #classifier: Classifier

  constructor(header: RoleHeader, model: Unpacked<unknown>) {
    this.#roles = header.roles
    this.#classifier = new Classifier(header.classifier, model)
  }

  roleOf(tokens: readonly Token[], start: number, end: number): string | undefined {
    const scores = this.#classifier.classify({ tokens: [], hints: contextOf(tokens, start, end) })
    const best = scores.indexOf(Math.max(...scores))
    return this.#roles[best] || undefined
  }
}
