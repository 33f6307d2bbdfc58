/** Reads many things of one owner, each answer at the place of its question. */
export type ReadMany<Owner, Question, Found> = (
  owner: Owner,
  questions: readonly Question[],
) => Promise<readonly (Found | undefined)[]>

/** Reads one of them. */
export type Read<Owner, Question, Found> = (owner: Owner, question: Question) => Promise<Found | undefined>

/** The questions about one owner. */
interface Line<Question, Found> {
  readonly waiting: {
    readonly question: Question
    readonly resolve: (found: Found | undefined) => void
    readonly reject: (error: unknown) => void
  }[]
  underWay: number
}

const statementsAtOnce = 2
const questionsLimit = 100

/**
 * Asks the questions of several requests in one statement: each alone while there is little to do, the more of them
 * together the more come. A question goes only into a statement that is sent after it was asked, so the answer knows
 * of all that was committed before.
 */
export function together<Owner extends { readonly id: string }, Question, Found>(
  read: ReadMany<Owner, Question, Found>,
): Read<Owner, Question, Found> {
  const lines = new Map<string, Line<Question, Found>>()

  function send(owner: Owner, line: Line<Question, Found>): void {
    const asked = line.waiting.splice(0, questionsLimit)
    const answered = () => {
      line.underWay--
      if (line.waiting.length > 0) send(owner, line)
      else if (line.underWay === 0) lines.delete(owner.id)
    }
    line.underWay++
    read(
      owner,
      asked.map(({ question }) => question),
    ).then(
      (answers) => {
        answered()
        for (const [place, { resolve }] of asked.entries()) resolve(answers[place])
      },
      (error) => {
        answered()
        for (const { reject } of asked) reject(error)
      },
    )
  }

  return (owner, question) =>
    new Promise((resolve, reject) => {
      let line = lines.get(owner.id)
      if (!line) {
        line = { waiting: [], underWay: 0 }
        lines.set(owner.id, line)
      }
      line.waiting.push({ question, resolve, reject })
      if (line.underWay < statementsAtOnce) send(owner, line)
    })
}
