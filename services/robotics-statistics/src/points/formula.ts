import { awardPoints, multipliers, places } from './rules.ts'

/** Constant of the published formula. */
const alpha = 1.07

/** Points for a qualification rank: from 22 for the first to about 4 for the last, by the inverse error function. */
export function qualificationPoints(rank: number, teams: number, multiplier = 1): number {
  const position = inverseErf((teams - 2 * rank + 2) / (alpha * teams))
  return Math.ceil(position * (10 / inverseErf(1 / alpha)) + 12) * multiplier
}

export type Role = 'Captain' | 'Round1' | 'Round2' | 'Round3' | 'Backup' | 'None'

/** Points for alliance selection: captains and first picks get more in early alliances, second picks in late ones. */
export function alliancePoints(alliance: number, role: Role, alliances: number, multiplier = 1): number {
  // Two of sixteen alliances share the points of one of eight.
  const share = alliances > 8 ? alliance / 2 : alliance
  if (role === 'Captain' || role === 'Round1')
    return Math.floor((alliances > 8 ? 16.5 - share : 17 - share) * multiplier)
  if (role === 'Round2') return Math.floor(share * multiplier)
  return 0
}

/** Points for each won match of a won series. */
export const pointsForWin = 5

export function winPoints(wins: number, multiplier = 1): number {
  return wins * pointsForWin * multiplier
}

/** Points for a place in a double elimination. */
export function placePoints(place: number, alliances: number, multiplier = 1): number {
  const size = alliances <= 2 ? 2 : alliances <= 4 ? 4 : 8
  return (places[size]?.[place - 1] ?? 0) * multiplier
}

export function pointsForAward(name: string, multiplier = 1): number {
  return (awardPoints.find(([pattern]) => pattern.test(name))?.[1] ?? 0) * multiplier
}

/** Undefined for tournaments without points. */
export const multiplierOf = (type: string): number | undefined => multipliers[type]

const { abs, exp, log, sqrt, sign, PI } = Math

/** Refines Giles' approximation by Newton's method. */
export function inverseErf(x: number): number {
  const a = 0.147
  const ln = log(1 - x * x)
  const first = 2 / (PI * a) + ln / 2
  let y = sign(x) * sqrt(sqrt(first * first - ln / a) - first)
  for (let step = 0; step < 4; step++) y -= (erf(y) - x) / ((2 / sqrt(PI)) * exp(-y * y))
  return y
}

/** Taylor series, which converges quickly for the arguments used here (below 2). */
function erf(x: number): number {
  let term = x
  let sum = x
  for (let n = 1; abs(term) > 1e-17 && n < 200; n++) {
    term *= (-x * x) / n
    sum += term / (2 * n + 1)
  }
  return (2 / sqrt(PI)) * sum
}
