import type { Played, Round } from '../points/playoffs.ts'
import { eightAlliances } from '../synthetic/bracket.ts'

/** A match or a series in the drawing of a bracket. */
export interface Box {
  readonly title: string
  readonly column: number
  readonly row: number
  readonly red: Side
  readonly blue: Side
}

export interface Side {
  readonly alliance: number
  readonly score: string
  readonly wins: boolean
}

export interface Column {
  readonly title: string
  readonly column: number
}

export interface Bracket {
  readonly boxes: readonly Box[]
  readonly columns: readonly Column[]
  readonly rows: number
}

/** Positions of the matches of a double elimination: the winners' bracket above, the losers' below. */
const places: Readonly<Record<number, readonly [column: number, row: number]>> = {
  1: [0, 0],
  2: [0, 1],
  3: [0, 2],
  4: [0, 3],
  7: [1, 0.5],
  8: [1, 2.5],
  11: [3, 1.5],
  5: [1, 4.5],
  6: [1, 5.5],
  10: [2, 4.5],
  9: [2, 5.5],
  12: [3, 5],
  13: [4, 4],
}

const finalPlace = [5, 2.5] as const

const rounds: readonly Exclude<Round, 'bracket'>[] = ['eighths', 'quarters', 'semis', 'final']
const titles: Readonly<Record<Round, string>> = {
  eighths: 'Eighth-finals',
  quarters: 'Quarterfinals',
  semis: 'Semifinals',
  final: 'Final',
  bracket: 'Match',
}

export interface Scored extends Played {
  readonly scores: readonly [red: number, blue: number]
}

/** Lays out a double elimination, or rounds of series. */
export function bracketOf(played: readonly Scored[]): Bracket {
  const isDouble = played.some(({ round }) => round === 'bracket')
  return isDouble ? doubleElimination(played) : byRounds(played)
}

function doubleElimination(played: readonly Scored[]): Bracket {
  const single = played
    .filter(({ round, number }) => round === 'bracket' && places[number] !== undefined)
    .map((match): Box => {
      const [column, row] = places[match.number] as readonly [number, number]
      const side = (alliance: number, score: number) => ({
        alliance,
        score: String(score),
        wins: match.winner === alliance,
      })
      const [red, blue] = match.scores
      return { title: `Match ${match.number}`, column, row, red: side(match.red, red), blue: side(match.blue, blue) }
    })
  const finals = seriesOf(
    played.filter(({ round }) => round === 'final'),
    'Final',
  ).map((box) => ({ ...box, column: finalPlace[0], row: finalPlace[1] }))
  const columns = [1, 2, 3, 4, 5].map((round) => ({ title: `Round ${round}`, column: round - 1 }))
  return { boxes: [...single, ...finals], columns: [...columns, { title: 'Final', column: 5 }], rows: rowsOfDouble }
}

const rowsOfDouble = Math.max(...eightAlliances.map(({ number }) => places[number]?.[1] ?? 0)) + 1

function byRounds(played: readonly Scored[]): Bracket {
  const present = rounds.filter((round) => played.some((match) => match.round === round))
  const columns = present.map((round, column) => ({ title: titles[round], column }))
  const inRound = present.map((round) =>
    seriesOf(
      played.filter((match) => match.round === round),
      titles[round],
    ),
  )
  const rows = Math.max(1, ...inRound.map(({ length }) => length))
  const boxes = inRound.flatMap((all, column) =>
    all.map((box, nth) => ({ ...box, column, row: ((nth + 0.5) * rows) / all.length - 0.5 })),
  )
  return { boxes, columns, rows }
}

/** Combines the matches of two alliances in a round into one box with the number of wins. */
function seriesOf(matches: readonly Scored[], title: string): Omit<Box, 'column' | 'row'>[] {
  const series = Map.groupBy(matches, ({ red, blue }) => [red, blue].sort((a, b) => a - b).join())
  return [...series.values()].map((all) => {
    const [{ red, blue }] = all as [Scored]
    const winsOf = (alliance: number) => all.filter(({ winner }) => winner === alliance).length
    const [ofRed, ofBlue] = [winsOf(red), winsOf(blue)]
    return {
      title,
      red: { alliance: red, score: String(ofRed), wins: ofRed > ofBlue },
      blue: { alliance: blue, score: String(ofBlue), wins: ofBlue > ofRed },
    }
  })
}
